//! The words of this view, by key.

/// The words under a key.
macro_rules! say {
    (instance.question) => { "Question" };
    (instance.answer) => { "Answer" };
    (instance.title) => { "Compute instance" };
    (instance.hint) => { "Paste or drop a compute instance" };
    (instance.fresh) => { "A new instance" };
    (instance.fresh_note) => { "writes a document of this name and size" };
    (instance.name) => { "Name" };
    (instance.size) => { "VM size" };
    (instance.make) => { "Make it" };
    (instance.stale) => { "This is the last good result: mend what is marked and it is renewed." };
    (instance.nothing) => { "Paste a compute instance, or make one at the left." };
    (instance.add_idle) => { "Add idle shutdown" };
    (instance.add_schedule) => { "Add a schedule" };
    (instance.timeline) => { "What becomes of it" };
    (instance.show) => { "Show" };
    (instance.show_all) => { "all of it" };
    (instance.show_week) => { "a week" };
    (instance.show_day) => { "a day" };
    (instance.earlier) => { "Earlier" };
    (instance.later) => { "Later" };
    (instance.click_note) => { "A click sets the time of the next action." };
    (instance.actions) => { "By hand" };
    (instance.actions_note) => { "what somebody does, and what the service says to it" };
    (instance.when) => { "At" };
    (instance.start) => { "Start" };
    (instance.stop) => { "Stop" };
    (instance.restart) => { "Restart" };
    (instance.delete) => { "Delete" };
    (instance.resize) => { "Change the size" };
    (instance.free) => { "Free 10 GB" };
    (instance.remove) => { "Remove" };
    (instance.gone) => { "It is not asked any more: the instance is gone by then." };
    (instance.unasked) => { "Outside of what is played." };
    (instance.no_time) => { "That is not a time: write 2026-03-02T09:00." };
    (instance.jobs) => { "Jobs" };
    (instance.jobs_note) => { "one a vCPU at a time, the rest wait in its queue" };
    (instance.minutes) => { "Minutes" };
    (instance.count) => { "How many" };
    (instance.add_jobs) => { "Submit" };
    (instance.clear_jobs) => { "Remove all" };
    (instance.submitted) => { "submitted" };
    (instance.started) => { "started" };
    (instance.over) => { "over" };
    (instance.state) => { "state" };
    (instance.log) => { "What happened" };
    (instance.only_answers) => { "answers only" };
    (instance.more) => { "Show more" };
    (instance.money) => { "Where the money goes" };
    (instance.a_month) => { "a month" };
    (instance.in_life) => { "in this life" };
    (instance.in_all) => { "in all" };
    (instance.roles) => { "Who may do what" };
    (instance.roles_note) => { "Azure's actions under Microsoft.MachineLearningServices/workspaces/" };
    (instance.roles_end) => {
        "Whatever the role, only the user whose instance it is opens Jupyter, JupyterLab, the terminal or an application on it: \
         whoever created it, or the one it was created for. Roles add up: an assigned user who is Contributor may create and \
         delete as well."
    };
    (instance.operation) => { "to" };
    (instance.table_may_scroll) => { "Table, may scroll" };
    (instance.reset, $label:expr, $shown:expr) => { format!("{}: back to the default, {}", $label, $shown) };
    (instance.remove_label, $what:expr) => { format!("Remove: {}", $what) };
}
pub(super) use say;
