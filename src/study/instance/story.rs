//! What happened in a life, and why, in sentences.

use super::InstanceAnswer;
use crate::scenario::instance::LifeAction;
use crate::scenario::words::duration;
use crate::sim::Ms;
use crate::sim::instance::{
    ActionKind, Answer, Event, InstanceState, Refusal, TaskEnd, TaskRun, Trigger, Why,
};

/// Something that happened.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct InstanceEntry {
    /// When.
    pub at: Ms,
    /// By the owner's clock: `Mon 2 Mar 09:00`.
    pub when: String,
    /// What, and why.
    pub sentence: String,
    /// It is the answer to an action.
    pub is_answer: bool,
    /// It is not what was wanted.
    pub is_bad: bool,
}

/// What happened, in order; states that only follow from an action are left to it.
#[must_use]
pub fn instance_story(answer: &InstanceAnswer) -> Vec<InstanceEntry> {
    let clock = &answer.prepared.clock;
    let events = answer.run.events.iter();
    let entries = events.filter_map(|(at, event)| {
        let (sentence, is_bad) = sentence(answer, *event)?;
        let is_answer = matches!(event, Event::Action { .. });
        Some(InstanceEntry { at: *at, when: clock.label(*at), sentence, is_answer, is_bad })
    });
    entries.collect()
}

/// What the service says to each action that is taken by hand, in the order of the life; none for those that are not
/// asked any more.
#[must_use]
pub fn action_answers(answer: &InstanceAnswer) -> Vec<Option<(String, bool)>> {
    let clock = &answer.prepared.clock;
    let given = answer.question.life.actions.iter();
    let mut taken: Vec<usize> = Vec::new();
    let find = |action: &LifeAction| {
        let at = clock.of(action.at)?;
        let mut events = answer.run.events.iter().enumerate();
        let (place, (_, event)) = events.find(|(place, (when, event))| {
            *when == at
                && !taken.contains(place)
                && matches!(event, Event::Action { kind, trigger: Trigger::User, .. } if *kind == action.kind)
        })?;
        taken.push(place);
        sentence(answer, *event)
    };
    given.map(find).collect()
}

/// A job for people: when it was submitted, started and over, and how it ended.
#[must_use]
pub fn job_rows(answer: &InstanceAnswer) -> Vec<[String; 4]> {
    let clock = &answer.prepared.clock;
    let moment = |at: Option<Ms>| at.map_or_else(|| "–".to_owned(), |at| clock.label(at));
    let row = |job: &TaskRun| {
        let ended = match job.ended {
            TaskEnd::Queued => "Queued",
            TaskEnd::Running => "Running",
            TaskEnd::Completed => "Completed",
            TaskEnd::Canceled => "Canceled",
        };
        [clock.label(job.submit), moment(job.start), moment(job.end), ended.to_owned()]
    };
    answer.run.jobs.iter().map(row).collect()
}

fn sentence(answer: &InstanceAnswer, event: Event) -> Option<(String, bool)> {
    let settings = answer.prepared.model.settings();
    let good = |text: &str| Some((text.to_owned(), false));
    let bad = |text: &str| Some((text.to_owned(), true));
    match event {
        Event::State(state) => of_state(answer, state),
        Event::Deleted => {
            good("Deleted: its quota is free, and its disk, public IP and load balancer cost nothing more.")
        }
        Event::Action { kind, trigger, state, answer, free_gb } => {
            // A schedule that finds its work done is as it should be.
            let is_fine = matches!(answer, Answer::Accepted)
                || (trigger == Trigger::Schedule && answer == Answer::Refused(Refusal::AlreadyThere));
            Some((of_action(kind, trigger, state, answer, free_gb), !is_fine))
        }
        Event::NotShutDown(why) => bad(match why {
            Why::CustomApplication => {
                "Idle for long enough, but a custom application runs, and then it never counts as idle: it stays up."
            }
            Why::IdentityWithoutRights => {
                "The idle shutdown is due, but its identity is not Contributor of the workspace: it stays up."
            }
            Why::DiskFull => {
                "The idle shutdown is due, but the OS disk is full: it stays up. Free at least 5 GB first."
            }
            Why::SessionOpen => {
                "A notebook or a terminal was left open, and then it does not count as idle: it stays up."
            }
        }),
        Event::DiskLow => {
            bad("Less than 5 GB are left on the OS disk: free some before the next stop or restart.")
        }
        Event::DiskFull => {
            bad("The OS disk is full: from now on neither a schedule nor the idle shutdown stops it.")
        }
        Event::WorkBegins { state } => {
            let starts = settings.owner_starts && state == InstanceState::Stopped;
            let what = if starts { "its owner starts it and waits" } else { "its owner has to wait" };
            Some((format!("Work begins while it is {}: {what}.", state.name()), false))
        }
        Event::WorkCutOff => bad("That is in the middle of work, which is cut off."),
        Event::JobStarts(job) => {
            let waited = answer.run.jobs.get(job).and_then(|run| Some(run.start? - run.submit)).unwrap_or(0);
            let waited =
                if waited > 0 { format!(" after {} in the queue", duration(waited)) } else { String::new() };
            Some((format!("Job {} starts{waited}.", job + 1), false))
        }
        Event::JobEnds(job) => Some((format!("Job {} is completed.", job + 1), false)),
        Event::JobCancelled(job) => {
            Some((format!("Job {} is cancelled: the instance stops under it.", job + 1), true))
        }
    }
}

fn of_state(answer: &InstanceAnswer, state: InstanceState) -> Option<(String, bool)> {
    let good = |text: String| Some((text, false));
    match state {
        InstanceState::Creating => good("Creating: about five minutes, says Azure's page.".to_owned()),
        InstanceState::CreateFailed => Some(("CreateFailed: there is no machine.".to_owned(), true)),
        InstanceState::SettingUp => good("SettingUp: its creation script runs, this once.".to_owned()),
        InstanceState::SetupFailed => {
            Some(("SetupFailed: its creation script failed or ran into its timeout.".to_owned(), true))
        }
        InstanceState::UserSettingUp => good("UserSettingUp: its startup script runs.".to_owned()),
        InstanceState::UserSetupFailed => {
            Some(("UserSetupFailed: its startup script failed or ran into its timeout.".to_owned(), true))
        }
        InstanceState::Stopped => {
            let quota = if answer.prepared.model.settings().release_quota_on_stop {
                "its quota is released"
            } else {
                "its quota is kept"
            };
            good(format!(
                "Stopped: compute is not billed; disk, public IP and load balancer are, and {quota}."
            ))
        }
        InstanceState::Running => good("Running.".to_owned()),
        // Others follow from an action or a job, which has a sentence of its own.
        _ => None,
    }
}

fn of_action(
    kind: ActionKind,
    trigger: Trigger,
    state: InstanceState,
    answer: Answer,
    free_gb: f64,
) -> String {
    let who = match trigger {
        Trigger::User => "By hand",
        Trigger::Schedule => "By schedule",
        Trigger::IdleShutdown => "Idle for long enough",
    };
    let what = match kind {
        ActionKind::Start => "start".to_owned(),
        ActionKind::Stop => "stop".to_owned(),
        ActionKind::Restart => "restart".to_owned(),
        ActionKind::Delete => "delete".to_owned(),
        ActionKind::Resize => "change the size".to_owned(),
        ActionKind::FreeDisk(gb) => format!("free {gb} GB of the disk"),
    };
    let state = state.name();
    let why = match answer {
        Answer::Accepted => {
            let warning = match kind {
                ActionKind::Stop | ActionKind::Restart if free_gb < 5.0 && trigger == Trigger::User => {
                    format!(
                        "; only {free_gb:.1} GB are free on its disk, and Azure advises to free 5 GB first"
                    )
                }
                _ => String::new(),
            };
            return format!("{who}: {what}. Accepted{warning}.");
        }
        Answer::Refused(Refusal::AlreadyThere) => format!("it is {state} already"),
        Answer::Refused(Refusal::Busy) => format!("it is {state}, and one thing is done at a time"),
        Answer::Refused(Refusal::NotRunning) => format!("it is {state}, and has to run for that"),
        Answer::Refused(Refusal::NotThere) => "there is no machine".to_owned(),
        Answer::Refused(Refusal::NotAllowed) => "the role does not have that action".to_owned(),
        Answer::Refused(Refusal::SizeIsFixed) => {
            "the size of a compute instance cannot change: create another, and delete this one".to_owned()
        }
        Answer::Refused(Refusal::DiskFull) => "its OS disk is full: free at least 5 GB first".to_owned(),
    };
    format!("{who}: {what}. Refused: {why}.")
}
