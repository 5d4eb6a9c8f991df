//! What happened in the run, and why: filtered, copied, and a click goes to the moment.

use super::browser;
use super::state::State;
use super::studies::Tab;
use super::words::say;
use crate::scenario::words::{clock, number};
use crate::study::Topic;
use leptos::prelude::*;

/// Entries that are shown at first, and how many more each time.
const PAGE: usize = 300;

#[component]
pub fn EventsView(state: State) -> impl IntoView {
    let topics = RwSignal::new(Vec::<Topic>::new());
    let words = RwSignal::new(String::new());
    let most = RwSignal::new(PAGE);
    let copied = RwSignal::new("");
    let boxes = Topic::ALL.map(|topic| {
        let count = move || state.answer.with(|answer| answer.as_ref().map_or(0, |a| a.story.count(topic)));
        let change = move |event| {
            let on = event_target_checked(&event);
            topics.update(|topics| {
                topics.retain(|known| *known != topic);
                if on {
                    topics.push(topic);
                }
            });
            most.set(PAGE);
        };
        view! {
            <label class="check">
                <input type="checkbox" on:change=change/>
                {topic.name()}<small>{move || number(count())}</small>
            </label>
        }
    });
    let copy = move |_| {
        let Some(answer) = state.answer.get_untracked() else { return };
        browser::copy(&answer.story.as_text(), move |done| {
            copied.set(if done { say!(events.copied) } else { say!(events.not_copied) });
        });
    };
    let list = move || {
        let answer = state.answer.get()?;
        let topics = topics.get();
        let mut found = words.with(|words| {
            // One more than is shown, to know whether there are more.
            answer
                .story
                .filter(&topics, words)
                .take(most.get() + 1)
                .map(|entry| (entry.at, entry.topic, entry.sentence()))
                .collect::<Vec<_>>()
        });
        let more = found.len() > most.get();
        found.truncate(most.get());
        let rows = found.into_iter().map(|(at, topic, sentence)| {
            let go = move |_| {
                state.moment.go(at);
                state.studies.show(Tab::Timeline);
            };
            view! {
                <li class=format!("event {}", class(topic))>
                    <button type="button" on:click=go title=say!(events.go)>{clock(at)}</button>
                    <span>{sentence}</span>
                </li>
            }
        });
        let left_out =
            answer.story.left_out().map(|left| view! { <p class="note">{left.to_string()}"."</p> });
        Some(view! {
            <ol class="events" data-testid="event-list">{rows.collect_view()}</ol>
            {more.then(|| view! {
                <button type="button" on:click=move |_| most.update(|most| *most += PAGE)>{say!(events.more)}</button>
            })}
            {left_out.collect_view()}
        })
    };
    view! {
        <div class="card">
            <div class="filter">
                {boxes.into_iter().collect_view()}
                <input
                    type="search"
                    aria-label=say!(events.find_label)
                    placeholder=say!(events.find)
                    prop:value=move || words.get()
                    on:input=move |event| {
                        words.set(event_target_value(&event));
                        most.set(PAGE);
                    }
                />
                <button type="button" on:click=copy>{say!(events.copy)}</button>
                <span role="status">{move || copied.get()}</span>
            </div>
            {list}
        </div>
    }
}

fn class(topic: Topic) -> &'static str {
    match topic {
        Topic::Preemptions => "bad",
        Topic::Attempts => "poor",
        _ => "plain",
    }
}
