//! What happened in the run, and why: filtered, copied, and a click goes to the moment.
//!
//! Only the entries in sight are in the document, however many there are; those that are say which of how many they are.
//! One entry is in the tab order, and keys go from there to all others.

use super::browser::{self, watch_width};
use super::state::State;
use super::studies::Tab;
use super::words::say;
use crate::chart::ListLayout;
use crate::scenario::words::{clock, number};
use crate::sim::Ms;
use crate::study::Topic;
use leptos::ev::{Event, KeyboardEvent};
use leptos::html::Div;
use leptos::prelude::*;
use std::sync::Arc;
use wasm_bindgen::JsCast;
use web_sys::HtmlElement;

/// Room for the moment of an entry, as in the style sheet, in CSS pixels.
const MOMENT: u32 = 82;
/// How wide a letter is taken to be at first, in CSS pixels.
const LETTER: f64 = 7.4;

/// What the reader looks for, and what that is.
#[derive(Clone, PartialEq)]
struct Found {
    /// Which search this is: entries of another are other entries.
    search: u64,
    /// Places in the story.
    entries: Arc<[usize]>,
    /// How many letters each sentence has.
    lengths: Arc<[u32]>,
}

/// The list; a handle that is copied around.
#[derive(Clone, Copy)]
struct List {
    state: State,
    found: Memo<Found>,
    layout: Memo<ListLayout>,
    frame: NodeRef<Div>,
    scrolled: RwSignal<u32>,
    height: RwSignal<u32>,
    letter: RwSignal<f64>,
    /// The entry that is in the tab order.
    current: RwSignal<usize>,
}

/// An entry that is in the document.
#[derive(Clone)]
struct Row {
    search: u64,
    place: usize,
    of: usize,
    at: Ms,
    topic: Topic,
    sentence: String,
}

impl List {
    /// The entries in sight, and the current one wherever it is.
    fn rows(self) -> Vec<Row> {
        let Some(answer) = self.state.answer.get() else { return Vec::new() };
        let Found { search, entries, .. } = self.found.get();
        let shown = self.layout.with(|layout| layout.in_sight(self.scrolled.get(), self.height.get()));
        let current = self.current.get().min(entries.len().saturating_sub(1));
        let before = (current < shown.start).then_some(current);
        let after = (current >= shown.end).then_some(current);
        let places = before.into_iter().chain(shown).chain(after);
        let row = |place: usize| {
            let entry = answer.story.entry(*entries.get(place)?)?;
            let (of, at, topic, sentence) = (entries.len(), entry.at, entry.topic, entry.sentence());
            Some(Row { search, place, of, at, topic, sentence })
        };
        places.filter_map(row).collect()
    }

    fn scroll(self, event: &Event) {
        let frame: web_sys::Element = event_target(event);
        self.height.set(frame.client_height().max(0) as u32);
        self.scrolled.set(frame.scroll_top().max(0) as u32);
        self.widen();
    }

    /// A sentence that needs more rows than it has shows that letters are wider than they were taken to be.
    fn widen(self) {
        // It may be gone by the time that this is done.
        let Some(Some(frame)) = self.frame.try_get_untracked() else { return };
        request_animation_frame(move || {
            let Ok(rows) = frame.query_selector_all(".event") else { return };
            let mut rows = (0..rows.length()).filter_map(|i| rows.get(i)?.dyn_into::<HtmlElement>().ok());
            let is_cut = |row: HtmlElement| row.scroll_height() > row.client_height() + 1;
            // Wider than this no letter is.
            let letter = self.letter.try_get_untracked();
            if let Some(letter) = letter.filter(|letter| *letter < 16.0 && rows.any(is_cut)) {
                self.letter.set(letter * 1.05);
                self.widen();
            }
        });
    }

    /// A key goes to another entry, which comes into sight and has the focus.
    fn key(self, event: &KeyboardEvent) {
        let (now, height) = (self.current.get_untracked(), self.height.get_untracked());
        let next = self.layout.with_untracked(|layout| layout.step(now, &event.key(), height));
        let (Some(next), Some(frame)) = (next, self.frame.get_untracked()) else { return };
        event.prevent_default();
        self.current.set(next);
        let scrolled = self.scrolled.get_untracked();
        let scrolled = self.layout.with_untracked(|layout| layout.scrolled_to(next, scrolled, height));
        self.scrolled.set(scrolled);
        frame.set_scroll_top(scrolled as i32);
        // Once it is there.
        request_animation_frame(move || {
            let button = frame.query_selector(".event>[tabindex='0']").ok().flatten();
            if let Some(button) = button.and_then(|button| button.dyn_into::<HtmlElement>().ok()) {
                let _ = button.focus();
            }
        });
    }

    /// Where an entry is.
    fn place(self, place: usize) -> String {
        let (top, bottom) = self.layout.with(|layout| layout.edges(place));
        format!("top:{top}px;height:{}px", bottom - top)
    }

    fn row(self, row: Row) -> impl IntoView {
        let Row { place, of, at, topic, sentence, .. } = row;
        let (state, current) = (self.state, self.current);
        let go = move |_| {
            current.set(place);
            state.moment.go(at);
            state.studies.show(Tab::Timeline);
        };
        view! {
            <li
                class=format!("event {}", class(topic))
                aria-posinset=(place + 1).to_string()
                aria-setsize=of.to_string()
                style=move || self.place(place)
            >
                <button
                    type="button"
                    title=say!(events.go)
                    tabindex=move || if current.get() == place { "0" } else { "-1" }
                    on:focus=move |_| current.set(place)
                    on:click=go
                >
                    {clock(at)}
                </button>
                <span>{sentence}</span>
            </li>
        }
    }
}

#[component]
pub fn EventsView(state: State) -> impl IntoView {
    let topics = RwSignal::new(Vec::<Topic>::new());
    let words = RwSignal::new(String::new());
    let copied = RwSignal::new("");
    let copy = move |_| {
        let Some(answer) = state.answer.get_untracked() else { return };
        browser::copy(&answer.story.as_text(), move |done| {
            copied.set(if done { say!(events.copied) } else { say!(events.not_copied) });
        });
    };
    let left_out = move || {
        let answer = state.answer.get()?;
        let notes = answer.story.left_out().map(|left| view! { <p class="note">{left.to_string()}"."</p> });
        Some(notes.collect_view())
    };
    let found = Memo::new(move |before: Option<&Found>| {
        let search = before.map_or(0, |before| before.search + 1);
        let Some(answer) = state.answer.get() else {
            return Found { search, entries: Arc::new([]), lengths: Arc::new([]) };
        };
        let topics = topics.get();
        let found = words.with(|words| {
            let found = answer.story.filter(&topics, words);
            found.map(|entry| (entry.index, entry.sentence().chars().count() as u32)).collect::<Vec<_>>()
        });
        let (entries, lengths): (Vec<_>, Vec<_>) = found.into_iter().unzip();
        Found { search, entries: entries.into(), lengths: lengths.into() }
    });
    let (width, letter) = (RwSignal::new(0), RwSignal::new(LETTER));
    let layout = Memo::new(move |_| {
        let Found { lengths, .. } = found.get();
        let room = u32::saturating_sub(width.get(), MOMENT);
        ListLayout::new(lengths.iter().copied(), letter.get(), room)
    });
    let frame = NodeRef::new();
    let (scrolled, height, current) = (RwSignal::new(0), RwSignal::new(1000), RwSignal::new(0));
    let list = List { state, found, layout, frame, scrolled, height, letter, current };
    frame.on_load(move |frame| {
        watch_width(&frame, move |now| {
            width.set(now);
            list.widen();
        });
    });
    // Another search begins at its beginning.
    Effect::new(move |_| {
        found.track();
        current.set(0);
        scrolled.set(0);
        if let Some(frame) = frame.get_untracked() {
            frame.set_scroll_top(0);
        }
        list.widen();
    });
    view! {
        <div class="card">
            <div class="filter">
                {boxes(state, topics)}
                <input
                    type="search"
                    aria-label=say!(events.find_label)
                    placeholder=say!(events.find)
                    prop:value=move || words.get()
                    on:input=move |event| words.set(event_target_value(&event))
                />
                <button type="button" on:click=copy>{say!(events.copy)}</button>
                <small role="status">
                    {move || say!(events.found, count = number(found.with(|found| found.entries.len() as u64)))}
                    " "
                    {move || copied.get()}
                </small>
            </div>
            <div class="scroller" node_ref=frame on:scroll=move |event| list.scroll(&event)>
                <ol
                    class="events"
                    data-testid="event-list"
                    role="list"
                    aria-label=say!(events.list)
                    style=move || format!("height:{}px", layout.with(ListLayout::height))
                    on:keydown=move |event| list.key(&event)
                >
                    <For each=move || list.rows() key=|row| (row.search, row.place) children=move |row| list.row(row)/>
                </ol>
            </div>
            {left_out}
        </div>
    }
}

/// A box for each topic; with none ticked all are listed.
fn boxes(state: State, topics: RwSignal<Vec<Topic>>) -> impl IntoView {
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
        };
        view! {
            <label class="check">
                <input type="checkbox" on:change=change/>
                {topic.name()}<small>{move || number(count())}</small>
            </label>
        }
    });
    boxes.into_iter().collect_view()
}

fn class(topic: Topic) -> &'static str {
    match topic {
        Topic::Preemptions => "bad",
        Topic::Attempts => "poor",
        _ => "plain",
    }
}
