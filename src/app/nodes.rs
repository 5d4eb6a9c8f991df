//! The nodes over time: a row each, drawn where it is in sight; with play, pause, speed and scrub.

use super::browser::watch_width;
use super::state::State;
use super::words::say;
use crate::chart::{MOST_ROWS, Palette, heat, heat_height, row_height, rows};
use crate::scenario::words::{clock, number};
use crate::sim::Ms;
use crate::study::{Answer, BlockId};
use leptos::ev::{KeyboardEvent, MouseEvent};
use leptos::html::Div;
use leptos::prelude::*;
use std::sync::Arc;

/// Height of the part of the list that is in sight, at most, in CSS pixels.
const MOST_HEIGHT: u32 = 420;

/// The list and what the reader does with it; a handle that is copied around.
#[derive(Clone, Copy)]
struct List {
    state: State,
    width: RwSignal<u32>,
    scrolled: RwSignal<i32>,
    /// The block that the keyboard is at.
    chosen: RwSignal<Option<BlockId>>,
    /// What is said of the block that is pointed at.
    said: RwSignal<String>,
}

/// Space between two rows, in CSS pixels.
const GAP: u32 = 6;

impl List {
    /// Whether there are so many nodes that a heat map is shown.
    fn is_heat(self) -> bool {
        self.state.answer.with(|answer| answer.as_ref().is_some_and(|a| a.nodes.nodes() > MOST_ROWS))
    }

    /// Height of all of it.
    fn height(self) -> u32 {
        self.state.answer.with(|answer| {
            answer.as_ref().map_or(0, |answer| {
                let nodes = answer.nodes.nodes();
                if nodes > MOST_ROWS {
                    heat_height(nodes)
                } else {
                    nodes * row_height(answer.nodes.workers())
                }
            })
        })
    }

    /// The rows that are in sight: the first, the one after the last, and the height of each.
    fn in_sight(self, answer: &Answer) -> (u32, u32, u32) {
        let height = row_height(answer.nodes.workers());
        let first = self.scrolled.get() as u32 / height;
        (first, (first + MOST_HEIGHT / height + 2).min(answer.nodes.nodes()), height)
    }

    fn drawing(self) -> Option<String> {
        let (answer, width) = (self.state.answer.get()?, self.width.get());
        if width == 0 {
            return None;
        }
        let palette = if self.state.dark.get() { Palette::DARK } else { Palette::LIGHT };
        let window = self.state.moment.window.get();
        let drawn = if self.is_heat() {
            heat(&answer.nodes, window, width, &palette)
        } else {
            let (first, after, _) = self.in_sight(&answer);
            rows(&answer.nodes, first..after, window, width, &palette)
        };
        Some(drawn.unwrap_or_else(|error| error.to_string()))
    }

    /// Where the drawing of what is in sight begins.
    fn top(self) -> String {
        let top = self.state.answer.get().filter(|_| !self.is_heat()).map_or(0, |answer| {
            let (first, _, height) = self.in_sight(&answer);
            first * height
        });
        format!("top:{top}px")
    }

    /// What the pointer is at: node, worker and moment.
    fn place(self, event: &MouseEvent) -> Option<(Arc<Answer>, u32, u32, Ms)> {
        let answer = self.state.answer.get_untracked()?;
        let height = row_height(answer.nodes.workers());
        let element: web_sys::Element = event_target(event);
        let list = element.closest(".rows").ok().flatten()?;
        let corner = list.get_bounding_client_rect();
        let x = f64::from(event.client_x()) - corner.left();
        let y = f64::from(event.client_y()) - corner.top() + f64::from(list.scroll_top());
        let y = y.max(0.0) as u32;
        let at = self.state.moment.moment_at(x, self.width.get_untracked());
        let node = (y / height).min(answer.nodes.nodes().saturating_sub(1));
        let workers = answer.nodes.workers().max(1);
        let inside = f64::from(y % height) / f64::from(height - GAP);
        let worker = ((inside * f64::from(workers)) as u32).min(workers - 1);
        Some((answer, node, worker, at))
    }

    fn hover(self, event: &MouseEvent) {
        if let Some((answer, node, worker, at)) = self.place(event).filter(|_| !self.is_heat()) {
            self.state.moment.pointed.set(Some(at));
            self.said.set(describe(&answer, node, worker, at));
        }
    }

    fn click(self, event: &MouseEvent) {
        if let Some((answer, node, worker, at)) = self.place(event) {
            self.state.moment.go(at);
            self.chosen.set(answer.nodes.nearest(node, worker, at).filter(|_| !self.is_heat()));
        }
    }

    fn key(self, event: &KeyboardEvent) {
        let Some(answer) = self.state.answer.get_untracked() else { return };
        let (nodes, moment) = (&answer.nodes, self.state.moment);
        let next = match (event.key().as_str(), self.chosen.get_untracked()) {
            ("ArrowRight" | "ArrowLeft" | "ArrowUp" | "ArrowDown", None) => {
                (0..nodes.nodes()).find_map(|node| nodes.nearest(node, 0, moment.at.get_untracked()))
            }
            ("ArrowRight", Some(id)) => nodes.next(id),
            ("ArrowLeft", Some(id)) => nodes.previous(id),
            ("ArrowDown", Some(id)) => nodes.below(id),
            ("ArrowUp", Some(id)) => nodes.above(id),
            (" ", _) => {
                event.prevent_default();
                return moment.toggle();
            }
            _ => return,
        };
        event.prevent_default();
        if let Some((id, block)) = next.and_then(|id| Some((id, nodes.block(id)?))) {
            self.chosen.set(Some(id));
            moment.go(block.from);
            let what = nodes.describe(&block);
            self.said.set(say!(nodes.block, node = block.node, worker = block.worker, what));
        }
    }

    /// Where the chosen block is.
    fn mark(self) -> Option<String> {
        let (answer, id) = (self.state.answer.get()?, self.chosen.get()?);
        let block = answer.nodes.block(id)?;
        let (height, width) = (row_height(answer.nodes.workers()), self.width.get());
        let moment = self.state.moment;
        let (left, right) = (moment.x(block.from, width)?, moment.x(block.to, width)?);
        let lane = f64::from(height - GAP) / f64::from(answer.nodes.workers().max(1));
        let top = f64::from(block.node * height) + lane * f64::from(block.worker);
        let wide = (right - left).max(3.0);
        Some(format!("left:{left:.0}px;width:{wide:.0}px;top:{top:.0}px;height:{lane:.0}px"))
    }
}

#[component]
pub fn NodesView(state: State) -> impl IntoView {
    let frame = NodeRef::<Div>::new();
    let list = List {
        state,
        width: RwSignal::new(0),
        scrolled: RwSignal::new(0),
        chosen: RwSignal::new(None),
        said: RwSignal::new(String::new()),
    };
    frame.on_load(move |frame| watch_width(&frame, move |now| list.width.set(now)));
    // Another run, other blocks.
    Effect::new(move |_| {
        state.answer.track();
        list.chosen.set(None);
        list.said.set(String::new());
    });
    let scroll = move |event| {
        let element: web_sys::Element = event_target(&event);
        list.scrolled.set(element.scroll_top().max(0));
    };
    let said = move || {
        let said = list.said.get();
        if said.is_empty() {
            return say!(nodes.hint).to_owned();
        }
        said
    };
    let left_out = move || {
        let answer = state.answer.get()?;
        let notes = answer.nodes.left_out().map(|left| view! { <p class="note">{left.to_string()}"."</p> });
        Some(notes.collect_view())
    };
    view! {
        <div class="card">
            <Player state/>
            <div
                class="rows"
                data-testid="node-timeline"
                tabindex="0"
                role="group"
                aria-label=move || label(state)
                style=move || format!("height:{}px", list.height().min(MOST_HEIGHT))
                on:scroll=scroll
                on:mousemove=move |event| list.hover(&event)
                on:mouseleave=move |_| state.moment.pointed.set(None)
                on:click=move |event| list.click(&event)
                on:keydown=move |event| list.key(&event)
            >
                <div class="all" node_ref=frame style=move || format!("height:{}px", list.height())>
                    <div class="drawn" style=move || list.top() inner_html=move || list.drawing().unwrap_or_default()></div>
                    {move || list.mark().map(|style| view! { <div class="chosen" style=style></div> })}
                    <Overlay state width=list.width/>
                </div>
            </div>
            <p class="note said" role="status">{said}</p>
            {left_out}
        </div>
    }
}

fn label(state: State) -> String {
    state.answer.with(|answer| {
        answer
            .as_ref()
            .map_or(String::new(), |answer| say!(nodes.label, nodes = number(answer.nodes.nodes().into())))
    })
}

fn describe(answer: &Answer, node: u32, worker: u32, at: Ms) -> String {
    let nodes = &answer.nodes;
    let block = nodes.nearest(node, worker, at).and_then(|id| nodes.block(id));
    if let Some(block) = block.filter(|block| (block.from..=block.to).contains(&at)) {
        return say!(nodes.block, node, worker, what = nodes.describe(&block));
    }
    let span = nodes.spans(node, at..at + 1).last();
    span.map_or_else(String::new, |span| nodes.describe_span(node, &span))
}

/// Play, pause, speed, scrub, and what the colours mean.
#[component]
fn Player(state: State) -> impl IntoView {
    let moment = state.moment;
    let scrub = move |event| {
        if let Ok(at) = event_target_value(&event).parse::<f64>() {
            moment.go(at as Ms);
        }
    };
    // In the order of `SPEEDS`.
    let speeds = [
        say!(nodes.minute_a_second),
        say!(nodes.five_minutes_a_second),
        say!(nodes.half_an_hour_a_second),
        say!(nodes.two_hours_a_second),
    ];
    let speeds = speeds.into_iter().enumerate().map(|(i, name)| {
        view! { <option value=i.to_string() selected=move || moment.speed.get() == i>{name}</option> }
    });
    let keys = [
        ("preparing", say!(nodes.preparing)),
        ("running", say!(nodes.running)),
        ("idle", say!(nodes.idle)),
        ("leaving", say!(nodes.leaving)),
        ("preempted", say!(nodes.preempted)),
        ("lost", say!(nodes.lost)),
    ];
    let keys = keys.map(|(class, name)| {
        view! { <span class="key"><i class=format!("swatch {class}") aria-hidden="true"></i>{name}</span> }
    });
    view! {
        <div class="player">
            <button
                type="button"
                aria-label=move || if moment.playing.get() { say!(nodes.pause) } else { say!(nodes.play) }
                on:click=move |_| moment.toggle()
            >
                {move || if moment.playing.get() { "❚❚" } else { "▶" }}
            </button>
            <input
                type="range"
                aria-label=say!(nodes.moment)
                aria-valuetext=move || clock(moment.at.get())
                min="0"
                max=move || moment.end().to_string()
                step="1000"
                prop:value=move || moment.at.get().to_string()
                on:input=scrub
            />
            <span class="clock">{move || clock(moment.at.get())}</span>
            <select
                aria-label=say!(nodes.speed)
                on:change=move |event| moment.speed.set(event_target_value(&event).parse().unwrap_or(1))
            >
                {speeds.collect_view()}
            </select>
            <span class="keys">{keys.into_iter().collect_view()}</span>
        </div>
    }
}

/// A line through every chart at the playhead and at the pointer.
#[component]
pub fn Overlay(state: State, width: RwSignal<u32>) -> impl IntoView {
    let moment = state.moment;
    let line =
        move |at: Option<Ms>| at.and_then(|at| moment.x(at, width.get())).map(|x| format!("left:{x:.1}px"));
    view! {
        {move || line(Some(moment.at.get())).map(|style| view! { <div class="playhead" style=style></div> })}
        {move || line(moment.pointed.get()).map(|style| view! { <div class="pointer" style=style></div> })}
    }
}
