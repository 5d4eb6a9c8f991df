//! The address of the page: it follows what is typed and opens what it holds.

use super::browser::{self, Keep};
use crate::scenario::{Beside, Kept, Link, Opened, Scenario, documented_example, open};
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
    /// `show` puts what was opened into the page; `again` says that it is not the first.
    pub fn begin(self, show: impl Fn(Opened, bool) + Copy + 'static) {
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
            show(Opened { scenario: documented_example(), ..Opened::default() }, false);
        }
    }

    fn open(self, fragment: &str) -> Opened {
        let opened = open(fragment);
        self.notes.set(opened.notes.clone());
        opened
    }

    /// What is kept for the next link to what is looked at.
    pub fn kept(self) -> Kept {
        self.kept.get_value()
    }

    /// Keeps something for the next link.
    pub fn keep(self, kept: Kept) {
        self.kept.set_value(kept);
    }

    /// Something else is shown than what the link held.
    pub fn leave(self) {
        self.notes.set(Vec::new());
        self.kept.set_value(Kept::default());
    }

    /// Writes the address when the typing stops, to what `everything` gives then.
    pub fn follow(self, everything: impl Fn() -> (Scenario, Kept, Beside) + 'static) {
        let timer = Timeout::new(PAUSE_MS, move || {
            let (scenario, kept, beside) = everything();
            let link = Link::with_others(&scenario, &kept, &beside);
            browser::replace_fragment(&link.fragment);
            if !browser::in_frame() {
                Keep::Scenario.set(&link.fragment);
            }
            self.link.set(Some(link));
        });
        self.timer.set_value(Some(timer));
    }

    /// The link is to this.
    pub fn link_to(self, (scenario, kept, beside): &(Scenario, Kept, Beside)) {
        self.link.set(Some(Link::with_others(scenario, kept, beside)));
    }
}
