//! What is done anew after a keystroke: soon, but not once for every letter of somebody who types fast.

use super::browser;
use gloo_timers::callback::Timeout;
use leptos::prelude::*;

/// The longest pause between two keystrokes for which work waits, in milliseconds.
const LONGEST_PAUSE_MS: f64 = 250.0;

/// Work that waits for the next keystroke for as long as it took the last time, so that quick work follows every
/// letter and slow work holds up none. A handle that is copied around.
#[derive(Clone, Copy)]
pub struct Soon {
    timer: StoredValue<Option<Timeout>, LocalStorage>,
    took_ms: StoredValue<f64>,
}

impl Soon {
    /// Nothing waits.
    pub fn new() -> Self {
        Self { timer: StoredValue::new_local(None), took_ms: StoredValue::new(0.0) }
    }

    /// Does this when no keystroke has come for a while, instead of what waits.
    pub fn then(self, work: impl FnOnce() + 'static) {
        let pause = self.took_ms.get_value().min(LONGEST_PAUSE_MS);
        // The timer before is dropped, and with that cancelled.
        self.timer.set_value(Some(Timeout::new(pause as u32, work)));
    }

    /// Does this at once, instead of what waits, and notes how long it takes with all that follows from it.
    pub fn now(self, work: impl FnOnce()) {
        self.timer.set_value(None);
        let begin = browser::now();
        work();
        // Effects are microtasks: they are through when the next task comes. By then the view may be gone.
        Timeout::new(0, move || {
            let _ = self.took_ms.try_set_value(browser::now() - begin);
        })
        .forget();
    }
}
