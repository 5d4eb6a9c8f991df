//! The studies of the page: which of them is on, how far it is, what it says.
//!
//! Chances are studied after every change, as bands and verdict live from them; each of the others when its tab is
//! looked at. A new question ends what was going on and leaves what was found, marked as being about an earlier one.

use super::pool::{Pool, Ticket};
use super::words::say;
use crate::azure::Catalogue;
use crate::scenario::{Goal, Prepared, Question, Scenario};
use crate::sim::Ms;
use crate::study::{
    Bands, BreakEven, BreakEvenStudy, Chances, Comparison, ComparisonStudy, ManyRuns, PlanStudy, Plans,
    Progress, Sensitivity, SensitivityStudy, SizeOption, Study,
};
use gloo_timers::callback::Timeout;
use leptos::prelude::*;
use std::cell::RefCell;
use std::rc::Rc;
use std::sync::Arc;

/// How long after the last change studies begin, in milliseconds.
const PAUSE_MS: u32 = 250;
/// Events after which a run of a study is given up.
const EVENT_LIMIT: u64 = 20_000_000;

/// What the answer shows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Tab {
    /// One run over time.
    Timeline,
    /// Many runs.
    Chances,
    /// Where low priority stops being cheaper.
    BreakEven,
    /// The cheapest settings that hold.
    Plans,
    /// Two scenarios.
    Compare,
    /// Which assumption moves the answer.
    Sensitivity,
    /// What happened in the run.
    Events,
}

impl Tab {
    /// All of them, in order, with what tests know them by.
    pub const ALL: [(Self, &'static str); 7] = [
        (Self::Timeline, "tab-timeline"),
        (Self::Chances, "tab-chances"),
        (Self::BreakEven, "tab-break-even"),
        (Self::Plans, "tab-plans"),
        (Self::Compare, "tab-compare"),
        (Self::Sensitivity, "tab-sensitivity"),
        (Self::Events, "tab-events"),
    ];

    /// What people read.
    pub fn name(self) -> &'static str {
        match self {
            Self::Timeline => say!(tabs.timeline),
            Self::Chances => say!(tabs.chances),
            Self::BreakEven => say!(tabs.break_even),
            Self::Plans => say!(tabs.plans),
            Self::Compare => say!(tabs.compare),
            Self::Sensitivity => say!(tabs.sensitivity),
            Self::Events => say!(tabs.events),
        }
    }
}

/// How a study goes, whatever it is about.
#[derive(Clone, Copy)]
struct Going {
    /// How far it is; none before the first time.
    progress: RwSignal<Option<Progress>>,
    /// It was given up by the reader.
    cancelled: RwSignal<bool>,
    ticket: StoredValue<Option<Ticket>>,
    /// It is about the question as it is now.
    asked: StoredValue<bool>,
}

impl Going {
    fn new() -> Self {
        Self {
            progress: RwSignal::new(None),
            cancelled: RwSignal::new(false),
            ticket: StoredValue::new(None),
            asked: StoredValue::new(false),
        }
    }

    fn stop(self, pool: &Pool) {
        if let Some(ticket) = self.ticket.get_value() {
            pool.cancel(ticket);
            self.ticket.set_value(None);
        }
    }
}

/// A study and what it says.
pub struct Shown<T: Send + Sync + 'static> {
    /// What it says by now.
    pub result: RwSignal<Option<Arc<T>>>,
    /// The result is about an earlier question.
    pub stale: RwSignal<bool>,
    going: Going,
}

impl<T: Send + Sync + 'static> Clone for Shown<T> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<T: Send + Sync + 'static> Copy for Shown<T> {}

impl<T: Send + Sync + 'static> Shown<T> {
    fn new() -> Self {
        Self { result: RwSignal::new(None), stale: RwSignal::new(false), going: Going::new() }
    }

    /// The question has changed.
    fn outdate(self, pool: &Pool) {
        self.going.stop(pool);
        self.going.asked.set_value(false);
        self.stale.set(self.result.with_untracked(Option::is_some));
    }

    /// What was found is forgotten.
    fn forget(self) {
        self.result.set(None);
        self.stale.set(false);
        self.going.progress.set(None);
        self.going.cancelled.set(false);
    }

    fn is_asked(self) -> bool {
        self.going.asked.get_value()
    }

    fn begin<S: Study + 'static>(self, pool: &Pool, study: S, result: impl Fn(&S) -> Option<T> + 'static) {
        let going = self.going;
        going.stop(pool);
        going.asked.set_value(true);
        going.cancelled.set(false);
        going.progress.set(Some(Progress { planned: study.planned(), ..Progress::default() }));
        let study = Rc::new(RefCell::new(study));
        let ours = study.clone();
        let ticket = pool.begin(study, move |progress| {
            let found = result(&ours.borrow());
            if progress.finished || progress.failed.is_some() {
                going.ticket.set_value(None);
            }
            going.progress.set(Some(progress));
            if let Some(found) = found {
                self.result.set(Some(Arc::new(found)));
                self.stale.set(false);
            }
        });
        going.ticket.set_value(Some(ticket));
    }
}

/// The question that is being studied.
#[derive(Clone)]
struct Subject {
    question: Question,
    prepared: Prepared,
    end: Ms,
}

/// A scenario that others are compared with.
#[derive(Clone)]
pub struct Pinned {
    /// What it looked like.
    pub scenario: Scenario,
    /// The verdict on it.
    pub headline: String,
    prepared: Prepared,
}

/// All studies of the page; a handle that is copied around.
#[derive(Clone, Copy)]
pub struct Studies {
    /// What the answer shows.
    pub tab: RwSignal<Tab>,
    /// Many runs.
    pub chances: Shown<Chances>,
    /// Their curves.
    pub bands: RwSignal<Option<Arc<Bands>>>,
    /// Where low priority stops being cheaper.
    pub break_even: Shown<BreakEven>,
    /// The cheapest settings that hold.
    pub plans: Shown<Plans>,
    /// This scenario against the pinned one.
    pub comparison: Shown<Comparison>,
    /// Which assumption moves the answer.
    pub sensitivity: Shown<Sensitivity>,
    /// The scenario that others are compared with.
    pub pinned: RwSignal<Option<Arc<Pinned>>>,
    /// Sizes that a plan may take beside the present one, as typed.
    pub sizes: RwSignal<String>,
    pool: StoredValue<Pool, LocalStorage>,
    subject: StoredValue<Option<Subject>, LocalStorage>,
    catalogue: RwSignal<Option<Arc<Catalogue>>>,
    timer: StoredValue<Option<Timeout>, LocalStorage>,
}

impl Studies {
    /// Nothing is studied yet.
    pub fn new(catalogue: RwSignal<Option<Arc<Catalogue>>>) -> Self {
        Self {
            tab: RwSignal::new(Tab::Timeline),
            chances: Shown::new(),
            bands: RwSignal::new(None),
            break_even: Shown::new(),
            plans: Shown::new(),
            comparison: Shown::new(),
            sensitivity: Shown::new(),
            pinned: RwSignal::new(None),
            sizes: RwSignal::new(String::new()),
            pool: StoredValue::new_local(Pool::default()),
            subject: StoredValue::new_local(None),
            catalogue,
            timer: StoredValue::new_local(None),
        }
    }

    /// There is a new question; none if what is typed is none. `end` is where the charts end.
    pub fn renew(self, question: Option<(Question, Prepared, Ms)>) {
        self.timer.set_value(None);
        self.pool.with_value(|pool| {
            self.chances.outdate(pool);
            self.break_even.outdate(pool);
            self.plans.outdate(pool);
            self.comparison.outdate(pool);
            self.sensitivity.outdate(pool);
        });
        let subject = question.map(|(question, prepared, end)| Subject { question, prepared, end });
        let there = subject.is_some();
        self.subject.set_value(subject);
        if there {
            let timer = Timeout::new(PAUSE_MS, move || self.study());
            self.timer.set_value(Some(timer));
        }
    }

    /// Another document is there: what was found about the last one is nothing to this one.
    pub fn forget(self) {
        self.renew(None);
        self.bands.set(None);
        self.chances.forget();
        self.break_even.forget();
        self.plans.forget();
        self.comparison.forget();
        self.sensitivity.forget();
    }

    /// Shows a tab and studies what it needs.
    pub fn show(self, tab: Tab) {
        self.tab.set(tab);
        self.study();
    }

    /// Begins what the page shows and is not about the question as it is.
    fn study(self) {
        let Some(subject) = self.subject.get_value() else { return };
        let Subject { question, prepared, end } = &subject;
        let goal = question.assumptions.goal;
        let pool = self.pool.get_value();
        if !self.chances.is_asked() {
            self.study_chances(&pool, prepared, goal, *end);
        }
        match self.tab.get_untracked() {
            Tab::BreakEven if !self.break_even.is_asked() => {
                if let Some(study) = BreakEvenStudy::new(prepared, EVENT_LIMIT) {
                    self.break_even.begin(&pool, study, BreakEvenStudy::break_even);
                } else {
                    let why = say!(trouble.prices_needed).to_owned();
                    let failed = Progress { failed: Some(why), ..Progress::default() };
                    self.break_even.going.progress.set(Some(failed));
                }
            }
            Tab::Plans if !self.plans.is_asked() => {
                let sizes = self.sizes.get_untracked();
                let others: Vec<String> =
                    sizes.split([',', ' ']).filter(|size| !size.is_empty()).map(str::to_owned).collect();
                let Some(catalogue) = self.catalogue.get_untracked() else { return };
                let sizes = SizeOption::of(question, &others, &catalogue);
                self.plans.begin(
                    &pool,
                    PlanStudy::new(prepared, goal, &sizes, EVENT_LIMIT),
                    PlanStudy::plans,
                );
            }
            Tab::Compare if !self.comparison.is_asked() => {
                if let Some(pinned) = self.pinned.get_untracked() {
                    let study = ComparisonStudy::new(&pinned.prepared, prepared, goal, EVENT_LIMIT);
                    self.comparison.begin(&pool, study, ComparisonStudy::comparison);
                }
            }
            Tab::Sensitivity if !self.sensitivity.is_asked() => {
                let study = SensitivityStudy::new(prepared, goal, EVENT_LIMIT);
                self.sensitivity.begin(&pool, study, SensitivityStudy::sensitivity);
            }
            _ => {}
        }
    }

    fn study_chances(self, pool: &Pool, prepared: &Prepared, goal: Goal, end: Ms) {
        let study = ManyRuns::new(prepared, goal, end, EVENT_LIMIT);
        self.chances.begin(pool, study, move |study| {
            self.bands.set(Some(Arc::new(study.bands().clone())));
            study.chances()
        });
    }

    /// The study of a tab has other parameters now.
    pub fn replan(self) {
        self.pool.with_value(|pool| self.plans.outdate(pool));
        self.study();
    }

    /// The study of a tab.
    fn of(self, tab: Tab) -> Going {
        match tab {
            Tab::Timeline | Tab::Chances | Tab::Events => self.chances.going,
            Tab::BreakEven => self.break_even.going,
            Tab::Plans => self.plans.going,
            Tab::Compare => self.comparison.going,
            Tab::Sensitivity => self.sensitivity.going,
        }
    }

    /// How far the study of the tab is, and whether it was cancelled.
    pub fn progress(self) -> (Option<Progress>, bool) {
        let going = self.of(self.tab.get());
        (going.progress.get(), going.cancelled.get())
    }

    /// Gives up the study of the tab; what it has found by now stays.
    pub fn cancel(self) {
        let going = self.of(self.tab.get_untracked());
        self.pool.with_value(|pool| going.stop(pool));
        going.cancelled.set(true);
    }

    /// Begins the study of the tab anew after it was given up.
    pub fn again(self) {
        self.of(self.tab.get_untracked()).asked.set_value(false);
        self.study();
    }

    /// Makes this the scenario that others are compared with.
    pub fn pin(self, scenario: Scenario, headline: String) {
        let Some(Subject { prepared, .. }) = self.subject.get_value() else { return };
        self.pinned.set(Some(Arc::new(Pinned { scenario, headline, prepared })));
        self.pool.with_value(|pool| self.comparison.outdate(pool));
        self.study();
    }

    /// What has been found, as JSON, each study under its name.
    pub fn to_json(self) -> serde_json::Value {
        fn of<T: Send + Sync + serde::Serialize + 'static>(shown: Shown<T>) -> serde_json::Value {
            // What is about an earlier question, or not finished, is nothing.
            let finished = shown.going.progress.get_untracked().is_some_and(|progress| progress.finished);
            if !finished || shown.stale.get_untracked() || !shown.is_asked() {
                return serde_json::Value::Null;
            }
            shown.result.with_untracked(|result| serde_json::to_value(result.as_deref()).unwrap_or_default())
        }
        serde_json::json!({
            "chances": of(self.chances),
            "break_even": of(self.break_even),
            "plans": of(self.plans),
            "comparison": of(self.comparison),
            "sensitivity": of(self.sensitivity),
        })
    }
}
