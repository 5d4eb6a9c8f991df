//! What is done with the instance by hand, its jobs, and what happened.

use super::held::Held;
use crate::app::figure::scrolling;
use crate::app::words::say;
use crate::azure::{clock_text, day_text, parse_time};
use crate::scenario::instance::{LifeAction, LifeJob, action_word};
use crate::sim::instance::ActionKind;
use crate::study::instance::{action_answers, instance_story, job_rows};
use leptos::prelude::*;

/// Entries of the log that are shown at first, and how many more each time.
const PAGE: usize = 20;
/// Jobs that are listed at most.
const MOST_JOBS: usize = 200;

/// The time that is typed for the next action or job.
fn when(held: Held) -> impl IntoView {
    let wrong = move || held.when.with(|when| parse_time(when).is_none());
    view! {
        <label>
            {say!(instance.when)}
            " "
            <input
                type="datetime-local"
                data-testid="action-time"
                aria-invalid=move || wrong().to_string()
                prop:value=move || held.when.get()
                on:input=move |event| held.when.set(event_target_value(&event))
            />
        </label>
        {move || wrong().then(|| view! { <span class="problem" role="alert">{say!(instance.no_time)}</span> })}
    }
}

/// Actions by hand, with what the service says to them.
#[component]
pub fn Actions(held: Held) -> impl IntoView {
    let kinds = [
        (ActionKind::Start, "act-start", say!(instance.start)),
        (ActionKind::Stop, "act-stop", say!(instance.stop)),
        (ActionKind::Restart, "act-restart", say!(instance.restart)),
        (ActionKind::Delete, "act-delete", say!(instance.delete)),
        (ActionKind::Resize, "act-resize", say!(instance.resize)),
        (ActionKind::FreeDisk(10.0), "act-free", say!(instance.free)),
    ];
    let buttons = kinds.map(|(kind, testid, label)| {
        let act = move |_| {
            if let Some(at) = held.when.with_untracked(|when| parse_time(when)) {
                held.change(|life| {
                    life.actions.push(LifeAction { at, kind });
                    life.actions.sort_by_key(|action| action.at);
                });
            }
        };
        view! { <button type="button" data-testid=testid on:click=act>{label}</button> }
    });
    let list = move || {
        let actions = held.document.with(|scenario| scenario.life.actions.clone());
        let answer = held.answer.get();
        // The answers are to the actions as they were played last.
        let played = answer.as_ref().map(|answer| answer.question.life.actions.clone()).unwrap_or_default();
        let answers = answer.as_ref().map(|answer| action_answers(answer)).unwrap_or_default();
        let rows = actions.into_iter().enumerate().map(|(i, action)| {
            let same = played.get(i) == Some(&action);
            let (said, bad) = match answers.get(i).filter(|_| same) {
                Some(Some((said, bad))) => (said.clone(), *bad),
                Some(None) => (say!(instance.gone).to_owned(), true),
                None => (say!(instance.unasked).to_owned(), false),
            };
            let time = format!("{} {}", day_text(action.at.date()), clock_text(action.at));
            let label = say!(instance.remove_label, what = format!("{} {time}", action_word(action.kind)));
            view! {
                <li class="event" class:bad=bad>
                    <b>{time}</b>
                    <span>
                        {said}
                        " "
                        <button
                            type="button"
                            class="fix"
                            aria-label=label
                            on:click=move |_| held.change(|life| {
                                if i < life.actions.len() {
                                    life.actions.remove(i);
                                }
                            })
                        >
                            {say!(instance.remove)}
                        </button>
                    </span>
                </li>
            }
        });
        view! { <ol class="events" data-testid="action-list">{rows.collect_view()}</ol> }
    };
    view! {
        <div class="card" data-testid="instance-actions">
            <h2>{say!(instance.actions)} <small>{say!(instance.actions_note)}</small></h2>
            <div class="filter">{when(held)} {buttons.into_iter().collect_view()}</div>
            {list}
        </div>
    }
}

/// Jobs in its queue.
#[component]
pub fn Jobs(held: Held) -> impl IntoView {
    let minutes = RwSignal::new("90".to_owned());
    let count = RwSignal::new("6".to_owned());
    let field = |label: &'static str, testid: &'static str, text: RwSignal<String>| {
        view! {
            <label>
                {label}
                " "
                <input
                    class="short"
                    inputmode="decimal"
                    data-testid=testid
                    prop:value=move || text.get()
                    on:input=move |event| text.set(event_target_value(&event))
                />
            </label>
        }
    };
    let submit = move |_| {
        let at = held.when.with_untracked(|when| parse_time(when));
        let minutes = minutes.with_untracked(|text| text.trim().parse());
        let count = count.with_untracked(|text| text.trim().parse());
        if let (Some(at), Ok(minutes), Ok(count)) = (at, minutes, count) {
            held.change(|life| life.jobs.push(LifeJob { at, minutes, count }));
        }
    };
    let table = move || {
        let answer = held.answer.get()?;
        let rows = job_rows(&answer);
        if rows.is_empty() {
            return None;
        }
        let rows =
            rows.into_iter().take(MOST_JOBS).enumerate().map(|(i, [submitted, started, over, state])| {
                view! {
                    <tr>
                        <th scope="row">{i + 1}</th>
                        <td>{submitted}</td>
                        <td>{started}</td>
                        <td>{over}</td>
                        <td>{state}</td>
                    </tr>
                }
            });
        Some(view! {
            {scrolling(view! {
                <table data-testid="instance-jobs">
                    <thead>
                        <tr>
                            <th scope="col"></th>
                            <th scope="col">{say!(instance.submitted)}</th>
                            <th scope="col">{say!(instance.started)}</th>
                            <th scope="col">{say!(instance.over)}</th>
                            <th scope="col">{say!(instance.state)}</th>
                        </tr>
                    </thead>
                    <tbody>{rows.collect_view()}</tbody>
                </table>
            })}
            <button type="button" class="fix" on:click=move |_| held.change(|life| life.jobs.clear())>
                {say!(instance.clear_jobs)}
            </button>
        })
    };
    view! {
        <div class="card">
            <h2>{say!(instance.jobs)} <small>{say!(instance.jobs_note)}</small></h2>
            <div class="filter">
                {when(held)}
                {field(say!(instance.minutes), "job-minutes", minutes)}
                {field(say!(instance.count), "job-count", count)}
                <button type="button" data-testid="submit-jobs" on:click=submit>{say!(instance.add_jobs)}</button>
            </div>
            {table}
        </div>
    }
}

/// What happened, in order.
#[component]
pub fn Log(held: Held) -> impl IntoView {
    let answers_only = RwSignal::new(false);
    let most = RwSignal::new(PAGE);
    let list = move || {
        let answer = held.answer.get()?;
        let only = answers_only.get();
        let entries = instance_story(&answer).into_iter().filter(|entry| !only || entry.is_answer);
        let mut entries: Vec<_> = entries.take(most.get() + 1).collect();
        let more = entries.len() > most.get();
        entries.truncate(most.get());
        let rows = entries.into_iter().map(|entry| {
            view! {
                <li class="event" class:bad=entry.is_bad>
                    <b>{entry.when}</b>
                    <span>{entry.sentence}</span>
                </li>
            }
        });
        Some(view! {
            <ol class="events" data-testid="instance-log">{rows.collect_view()}</ol>
            {more.then(|| view! {
                <button type="button" on:click=move |_| most.update(|most| *most += PAGE)>{say!(instance.more)}</button>
            })}
        })
    };
    view! {
        <div class="card">
            <h2>{say!(instance.log)}</h2>
            <div class="filter">
                <label class="check">
                    <input type="checkbox" on:change=move |event| answers_only.set(event_target_checked(&event))/>
                    {say!(instance.only_answers)}
                </label>
            </div>
            {list}
        </div>
    }
}
