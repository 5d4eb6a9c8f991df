//! From one instant to the next.

use super::super::{HOUR, Ms};
use super::model::{
    Action, ActionKind, AfterWork, Begin, InstanceModel, InstanceSettings, Script, Trigger, VS_CODE_SESSION,
};
use super::run::{Answer, Event, InstanceRun, InstanceState, Refusal, StateSpan, TaskEnd, TaskRun, Why};
use std::cmp::Reverse;
use std::collections::{BinaryHeap, VecDeque};

const DAY: Ms = 24 * HOUR;
/// Space that Azure's pages advise to keep free, in GB.
const LOW_GB: f64 = 5.0;

/// What the instance is doing, jobs apart.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Stage {
    Creating,
    CreateFailed,
    SettingUp,
    SetupFailed,
    UserSettingUp,
    UserSetupFailed,
    Running,
    Restarting,
    Stopping,
    Stopped,
    Starting,
    Deleting,
    Gone,
}

/// What is due next; at one instant in this order.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Due {
    StageEnds,
    JobEnds,
    DiskFills,
    WorkEnds,
    Action,
    WorkBegins,
    JobComes,
    Idle,
}

/// Plays a life from its beginning to the end of its span, or to the deletion.
#[must_use]
pub fn live(model: &InstanceModel) -> InstanceRun {
    let mut life = Life::new(model.settings());
    while let Some((at, due)) = life.next() {
        life.advance(at);
        life.handle(due);
    }
    life.finish()
}

struct Life<'m> {
    of: &'m InstanceSettings,
    now: Ms,
    stage: Stage,
    /// When the stage ends by itself.
    stage_ends: Option<Ms>,
    /// What the state was when it last changed, and since when.
    state: (Ms, InstanceState),
    /// Work that is next or goes on, by its index; and whether it goes on.
    work: usize,
    working: bool,
    /// Its user stopped the instance in this stretch of work, and means it.
    stays_stopped: bool,
    next_job: usize,
    next_action: usize,
    queue: VecDeque<usize>,
    running: BinaryHeap<Reverse<(Ms, usize)>>,
    /// When the instance has been idle for long enough.
    idle_due: Option<Ms>,
    /// An open session keeps it from being idle until then; `Ms::MAX`: until it stops.
    session_until: Ms,
    used_gb: f64,
    low_said: bool,
    full_said: bool,
    run: InstanceRun,
}

impl<'m> Life<'m> {
    fn new(of: &'m InstanceSettings) -> Self {
        let (stage, ends) = match of.begin {
            Begin::Created | Begin::CreationFails => (Stage::Creating, Some(of.durations.create)),
            Begin::Running => (Stage::Running, None),
            Begin::Stopped => (Stage::Stopped, None),
        };
        let job = |submit| TaskRun { submit, start: None, end: None, ended: TaskEnd::Queued };
        let mut life = Self {
            of,
            now: 0,
            stage,
            stage_ends: ends,
            state: (0, InstanceState::Creating),
            work: 0,
            working: false,
            stays_stopped: false,
            next_job: 0,
            next_action: 0,
            queue: VecDeque::new(),
            running: BinaryHeap::new(),
            idle_due: None,
            session_until: 0,
            used_gb: of.disk.used_gb,
            low_said: false,
            full_said: false,
            run: InstanceRun {
                span_ms: of.span,
                spans: Vec::new(),
                events: Vec::new(),
                jobs: of.jobs.iter().map(|given| job(given.submit)).collect(),
                disk: vec![(0, of.disk.used_gb)],
                work: of.work.clone(),
                billed_ms: 0,
                existing_ms: 0,
                quota_ms: 0,
                idle_ms: 0,
                worked_ms: 0,
                waited_ms: 0,
                cut_off: 0,
                deleted_ms: None,
            },
        };
        life.state = (0, life.public());
        life.say(Event::State(life.state.1));
        life.watch_idle();
        life
    }

    fn public(&self) -> InstanceState {
        match self.stage {
            Stage::Creating => InstanceState::Creating,
            Stage::CreateFailed => InstanceState::CreateFailed,
            Stage::SettingUp => InstanceState::SettingUp,
            Stage::SetupFailed => InstanceState::SetupFailed,
            Stage::UserSettingUp => InstanceState::UserSettingUp,
            Stage::UserSetupFailed => InstanceState::UserSetupFailed,
            Stage::Running if self.running.is_empty() => InstanceState::Running,
            Stage::Running => InstanceState::JobRunning,
            Stage::Restarting => InstanceState::Restarting,
            Stage::Stopping => InstanceState::Stopping,
            Stage::Stopped => InstanceState::Stopped,
            Stage::Starting => InstanceState::Starting,
            Stage::Deleting | Stage::Gone => InstanceState::Deleting,
        }
    }

    fn say(&mut self, event: Event) {
        self.run.events.push((self.now, event));
    }

    /// What is due next within the span.
    fn next(&self) -> Option<(Ms, Due)> {
        if self.stage == Stage::Gone {
            return None;
        }
        let of = self.of;
        let work = of.work.get(self.work);
        [
            (self.stage_ends, Due::StageEnds),
            (self.running.peek().map(|Reverse((end, _))| *end), Due::JobEnds),
            (self.disk_due(), Due::DiskFills),
            (work.filter(|_| self.working).map(|work| work.1), Due::WorkEnds),
            (work.filter(|_| !self.working).map(|work| work.0), Due::WorkBegins),
            (of.jobs.get(self.next_job).map(|job| job.submit), Due::JobComes),
            (of.actions.get(self.next_action).map(|action| action.at), Due::Action),
            (self.idle_due, Due::Idle),
        ]
        .into_iter()
        .filter_map(|(at, due)| Some((at?, due)))
        .min()
        .filter(|(at, _)| *at < of.span)
    }

    /// When the disk comes to its next mark.
    fn disk_due(&self) -> Option<Ms> {
        let disk = &self.of.disk;
        let mark = match (self.low_said, self.full_said) {
            (_, true) => return None,
            (true, false) => disk.size_gb,
            (false, false) => (disk.size_gb - LOW_GB).max(0.0),
        };
        if self.used_gb >= mark {
            return Some(self.now);
        }
        if self.stage != Stage::Running || disk.gb_per_day <= 0.0 {
            return None;
        }
        // At least a millisecond on, so that rounding cannot hold the time still.
        let needed = libm::ceil((mark - self.used_gb) / disk.gb_per_day * DAY as f64) as Ms;
        Some(self.now.saturating_add(needed.max(1)))
    }

    /// Lets time pass in which nothing happens.
    fn advance(&mut self, at: Ms) {
        let passed = at - self.now;
        let state = self.public();
        if self.stage != Stage::Gone {
            self.run.billed_ms += if state.is_billed() { passed } else { 0 };
            let exists = self.stage != Stage::CreateFailed;
            self.run.existing_ms += if exists { passed } else { 0 };
            let released = self.stage == Stage::Stopped && self.of.release_quota_on_stop;
            self.run.quota_ms += if exists && !released { passed } else { 0 };
            match (self.working, state.is_usable()) {
                (true, true) => self.run.worked_ms += passed,
                (true, false) => self.run.waited_ms += passed,
                (false, true) if self.running.is_empty() => self.run.idle_ms += passed,
                (false, _) => {}
            }
        }
        if self.stage == Stage::Running {
            let added = self.of.disk.gb_per_day * (passed as f64 / DAY as f64);
            self.used_gb = (self.used_gb + added).min(self.of.disk.size_gb);
        }
        self.now = at;
    }

    fn handle(&mut self, due: Due) {
        match due {
            Due::StageEnds => self.stage_over(),
            Due::JobEnds => {
                if let Some(Reverse((_, job))) = self.running.pop() {
                    self.run.jobs[job].end = Some(self.now);
                    self.run.jobs[job].ended = TaskEnd::Completed;
                    self.say(Event::JobEnds(job));
                }
            }
            Due::DiskFills => self.disk_mark(),
            Due::WorkEnds => self.work_ends(),
            Due::WorkBegins => self.work_begins(),
            Due::JobComes => {
                self.queue.push_back(self.next_job);
                self.next_job += 1;
            }
            Due::Action => {
                let action = self.of.actions[self.next_action];
                self.next_action += 1;
                self.act(action);
            }
            Due::Idle => self.idle(),
        }
        self.start_jobs();
        self.note_state();
        self.watch_idle();
    }

    /// Waiting jobs take free vCPUs.
    fn start_jobs(&mut self) {
        while self.stage == Stage::Running && self.running.len() < self.of.vcpus as usize {
            let Some(job) = self.queue.pop_front() else { return };
            self.run.jobs[job].start = Some(self.now);
            self.run.jobs[job].ended = TaskEnd::Running;
            self.running.push(Reverse((self.now.saturating_add(self.of.jobs[job].takes), job)));
            self.say(Event::JobStarts(job));
        }
    }

    fn note_state(&mut self) {
        let state = self.public();
        let (since, before) = self.state;
        if state == before {
            return;
        }
        if since < self.now {
            self.run.spans.push(StateSpan { from: since, to: self.now, state: before });
        }
        self.state = (self.now, state);
        self.run.disk.push((self.now, self.used_gb));
        self.say(Event::State(state));
    }

    /// Begins or ends the time that is counted towards an idle shutdown.
    fn watch_idle(&mut self) {
        let active = self.working || !self.running.is_empty();
        match self.of.idle_shutdown {
            Some(after) if self.stage == Stage::Running && !active => {
                // Only what was just over begins it; a shutdown that did not happen is not tried again.
                if self.idle_due.is_none() {
                    let from = if self.session_until == Ms::MAX {
                        self.now
                    } else {
                        self.now.max(self.session_until)
                    };
                    self.idle_due = Some(from.saturating_add(after));
                }
            }
            _ => self.idle_due = None,
        }
    }

    fn idle(&mut self) {
        let why = if self.of.custom_application {
            Why::CustomApplication
        } else if self.session_until == Ms::MAX {
            Why::SessionOpen
        } else if self.of.identity_without_rights {
            Why::IdentityWithoutRights
        } else if self.is_full() {
            Why::DiskFull
        } else {
            self.answer(ActionKind::Stop, Trigger::IdleShutdown, Answer::Accepted);
            return self.enter(Stage::Stopping);
        };
        self.say(Event::NotShutDown(why));
        // Not before there was something to do again.
        self.idle_due = Some(Ms::MAX);
    }

    fn is_full(&self) -> bool {
        self.used_gb >= self.of.disk.size_gb
    }

    fn disk_mark(&mut self) {
        let size = self.of.disk.size_gb;
        if self.low_said {
            self.full_said = true;
            self.used_gb = size;
            self.say(Event::DiskFull);
        } else {
            self.low_said = true;
            self.used_gb = self.used_gb.max(size - LOW_GB);
            self.say(Event::DiskLow);
        }
        self.run.disk.push((self.now, self.used_gb));
    }

    fn work_begins(&mut self) {
        self.working = true;
        self.stays_stopped = false;
        let state = self.public();
        if !state.is_usable() {
            self.say(Event::WorkBegins { state });
        }
        self.owner_starts();
    }

    fn owner_starts(&mut self) {
        if self.working && self.stage == Stage::Stopped && self.of.owner_starts && !self.stays_stopped {
            self.owner(ActionKind::Start);
        }
    }

    fn owner(&mut self, kind: ActionKind) {
        self.act(Action { at: self.now, kind, trigger: Trigger::User, allowed: self.of.owner_allowed });
    }

    fn work_ends(&mut self) {
        self.working = false;
        self.work += 1;
        if self.stage != Stage::Running {
            return;
        }
        self.session_until = match self.of.after_work {
            AfterWork::Nothing => self.session_until,
            AfterWork::VsCode => self.session_until.max(self.now.saturating_add(VS_CODE_SESSION)),
            AfterWork::Session => Ms::MAX,
        };
        if self.of.owner_stops && self.running.is_empty() {
            self.owner(ActionKind::Stop);
        }
    }

    /// Somebody or something asks for something.
    fn act(&mut self, action: Action) {
        let refusal = self.refusal(action);
        let answer = refusal.map_or(Answer::Accepted, Answer::Refused);
        self.answer(action.kind, action.trigger, answer);
        if refusal.is_some() {
            return;
        }
        match action.kind {
            ActionKind::Start => self.enter(Stage::Starting),
            ActionKind::Stop => {
                self.stays_stopped = self.working && action.trigger == Trigger::User;
                self.enter(Stage::Stopping);
            }
            ActionKind::Restart => self.enter(Stage::Restarting),
            ActionKind::Delete => self.enter(Stage::Deleting),
            ActionKind::Resize => {}
            ActionKind::FreeDisk(gb) => self.free_disk(gb),
        }
    }

    fn answer(&mut self, kind: ActionKind, trigger: Trigger, answer: Answer) {
        let free_gb = self.of.disk.size_gb - self.used_gb;
        self.say(Event::Action { kind, trigger, state: self.public(), answer, free_gb });
    }

    fn free_disk(&mut self, gb: f64) {
        self.run.disk.push((self.now, self.used_gb));
        self.used_gb = (self.used_gb - gb).max(0.0);
        self.run.disk.push((self.now, self.used_gb));
        let size = self.of.disk.size_gb;
        self.full_said &= self.used_gb >= size;
        self.low_said &= self.used_gb >= size - LOW_GB;
        // Somebody was at the terminal.
        self.idle_due = None;
    }

    /// Why an action is refused, if it is.
    fn refusal(&self, action: Action) -> Option<Refusal> {
        if !action.allowed {
            return Some(Refusal::NotAllowed);
        }
        let failed = matches!(self.stage, Stage::SetupFailed | Stage::UserSetupFailed);
        let up = failed || self.stage == Stage::Running;
        match (action.kind, self.stage) {
            (ActionKind::Delete, Stage::CreateFailed | Stage::Stopped)
            | (ActionKind::Start, Stage::Stopped) => None,
            (_, Stage::CreateFailed | Stage::Gone) => Some(Refusal::NotThere),
            (ActionKind::Resize, _) => Some(Refusal::SizeIsFixed),
            (ActionKind::FreeDisk(_), stage) => (stage != Stage::Running).then_some(Refusal::NotRunning),
            (ActionKind::Restart, Stage::Stopped) => Some(Refusal::NotRunning),
            (ActionKind::Stop, Stage::Stopped) | (ActionKind::Delete, Stage::Deleting) => {
                Some(Refusal::AlreadyThere)
            }
            (_, _) if !up => Some(Refusal::Busy),
            (ActionKind::Start, _) => Some(Refusal::AlreadyThere),
            (ActionKind::Stop, _) if action.trigger == Trigger::Schedule && self.is_full() => {
                Some(Refusal::DiskFull)
            }
            (ActionKind::Stop | ActionKind::Restart | ActionKind::Delete, _) => None,
        }
    }

    /// Leaves what it was doing.
    fn enter(&mut self, stage: Stage) {
        if self.stage == Stage::Running {
            if self.working {
                self.run.cut_off += 1;
                self.say(Event::WorkCutOff);
            }
            for Reverse((_, job)) in std::mem::take(&mut self.running).into_sorted_vec().into_iter().rev() {
                self.run.jobs[job].end = Some(self.now);
                self.run.jobs[job].ended = TaskEnd::Canceled;
                self.say(Event::JobCancelled(job));
            }
            self.session_until = 0;
        }
        let durations = &self.of.durations;
        let takes = match stage {
            Stage::Starting => durations.start,
            Stage::Stopping => durations.stop,
            Stage::Restarting => durations.restart,
            _ => durations.delete,
        };
        self.stage = stage;
        self.stage_ends = Some(self.now.saturating_add(takes));
    }

    fn stage_over(&mut self) {
        self.stage_ends = None;
        match self.stage {
            Stage::Creating if self.of.begin == Begin::CreationFails => {
                self.stage = Stage::CreateFailed;
                // Nothing came of it.
                (self.run.existing_ms, self.run.quota_ms) = (0, 0);
            }
            Stage::Creating => self.set_up(Stage::SettingUp, self.of.creation_script),
            Stage::SettingUp => self.script_over(Stage::SetupFailed, self.of.creation_script),
            Stage::Starting | Stage::Restarting => self.set_up(Stage::UserSettingUp, self.of.startup_script),
            Stage::UserSettingUp => self.script_over(Stage::UserSetupFailed, self.of.startup_script),
            Stage::Stopping => {
                self.stage = Stage::Stopped;
                self.note_state();
                self.owner_starts();
            }
            Stage::Deleting => {
                self.note_state();
                if self.state.0 < self.now {
                    self.run.spans.push(StateSpan { from: self.state.0, to: self.now, state: self.state.1 });
                }
                self.run.deleted_ms = Some(self.now);
                self.stage = Stage::Gone;
                self.say(Event::Deleted);
            }
            _ => {}
        }
    }

    /// Goes through a script, if there is one.
    fn set_up(&mut self, stage: Stage, script: Script) {
        self.stage = stage;
        let takes = script.takes.min(script.timeout);
        if takes == 0 {
            return self.script_over(stage, Script::default());
        }
        self.stage_ends = Some(self.now.saturating_add(takes));
    }

    fn script_over(&mut self, failed: Stage, script: Script) {
        if script.fails || script.takes > script.timeout {
            self.stage = failed;
        } else if self.stage == Stage::SettingUp {
            self.set_up(Stage::UserSettingUp, self.of.startup_script);
        } else {
            self.stage = Stage::Running;
        }
    }

    fn finish(mut self) -> InstanceRun {
        if self.stage != Stage::Gone {
            self.advance(self.of.span);
            let (from, state) = self.state;
            if from < self.now {
                self.run.spans.push(StateSpan { from, to: self.now, state });
            }
        }
        let end = self.run.deleted_ms.unwrap_or(self.of.span);
        if self.run.disk.last().is_none_or(|(at, _)| *at < end) {
            self.run.disk.push((end, self.used_gb));
        }
        self.run
    }
}
