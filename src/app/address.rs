//! The address of the page: it follows what is typed and opens what it holds.

use super::browser::{self, Keep};
use crate::scenario::{Kept, Link, Scenario, documented_example, open};
use gloo_timers::callback::Timeout;
use leptos::prelude::*;

/// How long after the last change the address is written, in milliseconds.
const PAUSE_MS: u32 = 400;

/// What the page knows of its link; a handle that is copied around.
#[derive(Clone, Copy)]
pub struct Address {
    /// What must be said of the link that was opened.
    pub notes: RwSignal<Vec<String>>,
    /// The link as it was written last.
    pub link: RwSignal<Option<Link>>,
    kept: StoredValue<Kept>,
    timer: StoredValue<Option<Timeout>, LocalStorage>,
}

impl Address {
    /// Nothing has been opened.
    pub fn new() -> Self {
        Self {
            notes: RwSignal::new(Vec::new()),
            link: RwSignal::new(None),
            kept: StoredValue::new(Kept::default()),
            timer: StoredValue::new_local(None),
        }
    }

    /// Opens what the address holds, else the last scenario of this browser, else the documented example. Later addresses
    /// are opened as they come.
    ///
    /// `show` puts a scenario into the page; `again` says that it is not the first.
    pub fn begin(self, show: impl Fn(Scenario, bool) + Copy + 'static) {
        browser::on_fragment(move |fragment| {
            if self.link.with_untracked(|link| link.as_ref().is_none_or(|link| link.fragment != fragment)) {
                show(self.open(&fragment), true);
            }
        });
        let fragment = browser::fragment();
        if fragment.len() > 1 {
            show(self.open(&fragment), false);
        } else if let Some(last) = Keep::Scenario.get().filter(|_| !browser::in_frame()) {
            show(self.open(&last), false);
        } else {
            show(documented_example(), false);
        }
    }

    fn open(self, fragment: &str) -> Scenario {
        let opened = open(fragment);
        self.notes.set(opened.notes);
        self.kept.set_value(opened.kept);
        opened.scenario
    }

    /// Something else is shown than what the link held.
    pub fn leave(self) {
        self.notes.set(Vec::new());
        self.kept.set_value(Kept::default());
    }

    /// Writes the address when the typing stops, to what `scenario` gives then.
    pub fn follow(self, scenario: impl Fn() -> Scenario + 'static) {
        let timer = Timeout::new(PAUSE_MS, move || {
            let link = self.kept.with_value(|kept| Link::new(&scenario(), kept));
            browser::replace_fragment(&link.fragment);
            if !browser::in_frame() {
                Keep::Scenario.set(&link.fragment);
            }
            self.link.set(Some(link));
        });
        self.timer.set_value(Some(timer));
    }

    /// The link is to this scenario.
    pub fn link_to(self, scenario: &Scenario) {
        let link = self.kept.with_value(|kept| Link::new(scenario, kept));
        self.link.set(Some(link));
    }
}
