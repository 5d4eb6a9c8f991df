//! The time axis that charts and nodes share: which part of it is shown, which moment is looked at, and playing on.

use crate::chart::View;
use crate::sim::Ms;
use gloo_timers::callback::Interval;
use leptos::prelude::*;
use std::ops::Range;

/// How often the playhead moves, in milliseconds.
const STEP_MS: u32 = 50;
/// Seconds of a run that pass in a second of playing.
pub const SPEEDS: [u64; 4] = [60, 300, 1800, 7200];

/// The time axis; a handle that is copied around.
#[derive(Clone, Copy)]
pub struct Moment {
    /// The part that is shown.
    pub window: RwSignal<Range<Ms>>,
    /// The moment at the playhead.
    pub at: RwSignal<Ms>,
    /// The moment under the pointer.
    pub pointed: RwSignal<Option<Ms>>,
    /// How fast it plays, as a place among [`SPEEDS`].
    pub speed: RwSignal<usize>,
    /// Whether it plays.
    pub playing: RwSignal<bool>,
    /// The end of the axis.
    end: RwSignal<Ms>,
    ticker: StoredValue<Option<Interval>, LocalStorage>,
}

impl Moment {
    /// An axis without a run.
    pub fn new() -> Self {
        Self {
            window: RwSignal::new(0..1),
            at: RwSignal::new(0),
            pointed: RwSignal::new(None),
            speed: RwSignal::new(1),
            playing: RwSignal::new(false),
            end: RwSignal::new(1),
            ticker: StoredValue::new_local(None),
        }
    }

    /// Another run is shown: all of it, unless the reader looks at a part that it has as well.
    pub fn reset(self, end: Ms) {
        let whole = self.window.with_untracked(|window| *window == (0..self.end.get_untracked()));
        self.end.set(end);
        if whole || self.window.with_untracked(|window| window.end > end) {
            self.window.set(0..end);
        }
        if self.at.get_untracked() > end {
            self.at.set(end);
        }
    }

    /// The end of the axis.
    pub fn end(self) -> Ms {
        self.end.get()
    }

    /// Whether a part is shown only.
    pub fn is_part(self) -> bool {
        self.window.with(|window| *window != (0..self.end.get()))
    }

    /// Shows all of it.
    pub fn show_all(self) {
        self.window.set(0..self.end.get_untracked());
    }

    /// Shows the part between two moments, at least a second.
    pub fn show(self, one: Ms, other: Ms) {
        let (from, to) = (one.min(other), one.max(other));
        let end = self.end.get_untracked();
        self.window.set(from..to.max(from + 1000).min(end.max(from + 1)));
    }

    /// Points some hundredths of what is shown later, from the playhead if nothing is pointed at.
    pub fn point_on(self, hundredths: i64) {
        let from = self.pointed.get_untracked().unwrap_or_else(|| self.at.get_untracked());
        self.pointed.set(Some(self.view_now().stepped(from, hundredths)));
    }

    /// Shows a stretch that is so many times as long, around what is pointed at or else around the playhead.
    pub fn zoom(self, factor: f64) {
        let around = self.pointed.get_untracked().unwrap_or_else(|| self.at.get_untracked());
        let zoomed = self.view_now().zoomed(around, factor, self.end.get_untracked());
        self.window.set(zoomed.from..zoomed.to);
    }

    /// Goes to a moment, and shows it if it is not in sight.
    pub fn go(self, at: Ms) {
        let at = at.min(self.end.get_untracked());
        self.at.set(at);
        if self.window.with_untracked(|window| !(window.start..=window.end).contains(&at)) {
            self.show_all();
        }
    }

    /// Plays or pauses.
    pub fn toggle(self) {
        if self.playing.get_untracked() {
            return self.pause();
        }
        if self.at.get_untracked() >= self.end.get_untracked() {
            self.go(0);
        }
        self.playing.set(true);
        let ticker = Interval::new(STEP_MS, move || {
            let speed = SPEEDS[self.speed.get_untracked().min(SPEEDS.len() - 1)];
            let next = self.at.get_untracked() + speed * u64::from(STEP_MS);
            self.go(next);
            if next >= self.end.get_untracked() {
                self.pause();
            }
        });
        self.ticker.set_value(Some(ticker));
    }

    /// Pauses.
    pub fn pause(self) {
        self.playing.set(false);
        // Dropped, and with that ended; not while it is what is running.
        gloo_timers::callback::Timeout::new(0, move || self.ticker.set_value(None)).forget();
    }

    /// The part that is shown, as charts take it.
    pub fn view(self) -> View {
        self.window.with(|window| View::new(window.start, window.end))
    }

    fn view_now(self) -> View {
        self.window.with_untracked(|window| View::new(window.start, window.end))
    }

    /// Where a moment is in a drawing of a width, in CSS pixels from its left; none if it is not in sight.
    pub fn x(self, at: Ms, width: u32) -> Option<f64> {
        let in_sight = self.window.with(|window| (window.start..=window.end).contains(&at));
        in_sight.then(|| self.view().x(at, width))
    }

    /// The moment at a place of a drawing.
    pub fn moment_at(self, x: f64, width: u32) -> Ms {
        let view = self.view_now();
        view.at(x, width).clamp(view.from, view.to)
    }
}
