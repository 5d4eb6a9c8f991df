//! States, cost and disk over time.

use super::super::browser::watch_width;
use super::super::figure::numbers;
use super::held::Held;
use crate::app::words::say;
use crate::chart::{InstanceChart, Look, Palette, instance_chart, instance_chart_text};
use crate::sim::{HOUR, Ms};
use leptos::ev::MouseEvent;
use leptos::prelude::*;

const DAY: Ms = 24 * HOUR;

/// The charts on one time axis; a click sets the time of the next action.
#[component]
pub fn Timeline(held: Held) -> impl IntoView {
    let frame = NodeRef::<leptos::html::Div>::new();
    let width = RwSignal::new(0);
    frame.on_load(move |frame| watch_width(&frame, move |now| width.set(now)));
    let clicked = move |event: MouseEvent| {
        let element: web_sys::Element = event_target(&event);
        let Ok(Some(frame)) = element.closest(".charts") else { return };
        let x = f64::from(event.client_x()) - frame.get_bounding_client_rect().left();
        let at = untrack(|| held.view().at(x, width.get_untracked()));
        held.answer.with_untracked(|answer| {
            if let Some(answer) = answer {
                held.when.set(answer.prepared.clock.quarter(at));
            }
        });
    };
    let charts = InstanceChart::ALL.map(|kind| view! { <ChartView kind held width/> });
    let tables = InstanceChart::ALL.map(|kind| {
        numbers(kind.title().to_owned(), move || {
            Some(instance_chart_text(kind, held.answer.get()?.as_ref()).table)
        })
    });
    view! {
        <div class="card" data-testid="instance-timeline">
            <h2>{say!(instance.timeline)} <small>{say!(instance.click_note)}</small></h2>
            <Stretch held/>
            <div class="charts" node_ref=frame on:click=clicked>{charts.into_iter().collect_view()}</div>
            {tables.into_iter().collect_view()}
        </div>
    }
}

/// How much of the life is shown, and which part.
#[component]
fn Stretch(held: Held) -> impl IntoView {
    let span =
        move || held.answer.with_untracked(|answer| answer.as_ref().map_or(1, |answer| answer.run.span_ms));
    let lengths = [
        ("all", say!(instance.show_all)),
        ("week", say!(instance.show_week)),
        ("day", say!(instance.show_day)),
    ];
    let chosen = move || match held.shown.get() {
        None => "all",
        Some((from, to)) if to - from > 2 * DAY => "week",
        Some(_) => "day",
    };
    let choose = move |event| {
        let from = held.shown.get_untracked().map_or(0, |(from, _)| from);
        held.shown.set(match event_target_value(&event).as_str() {
            "week" => Some((from, (from + 7 * DAY).min(span()))),
            "day" => Some((from, (from + DAY).min(span()))),
            _ => None,
        });
    };
    let step = move |forward: bool| {
        held.shown.update(|shown| {
            if let Some((from, to)) = shown {
                let length = *to - *from;
                let next = if forward { *from + length } else { from.saturating_sub(length) };
                let next = next.min(span().saturating_sub(length));
                (*from, *to) = (next, next + length);
            }
        });
    };
    let options = lengths.map(|(value, label)| {
        view! { <option value=value selected=move || chosen() == value>{label}</option> }
    });
    view! {
        <div class="player">
            <label class="check">
                {say!(instance.show)}
                <select data-testid="instance-stretch" prop:value=chosen on:change=choose>
                    {options.into_iter().collect_view()}
                </select>
            </label>
            {move || held.shown.get().is_some().then(|| view! {
                <button type="button" aria-label=say!(instance.earlier) on:click=move |_| step(false)>"‹"</button>
                <button type="button" aria-label=say!(instance.later) on:click=move |_| step(true)>"›"</button>
            })}
        </div>
    }
}

#[component]
fn ChartView(kind: InstanceChart, held: Held, width: RwSignal<u32>) -> impl IntoView {
    let drawing = move || {
        let (answer, width) = (held.answer.get()?, width.get());
        let palette = if held.dark.get() { Palette::DARK } else { Palette::LIGHT };
        let look = Look::new(width, &palette);
        (width > 0).then(|| {
            instance_chart(kind, &answer, held.view(), &look).unwrap_or_else(|error| error.to_string())
        })
    };
    let words = move || {
        held.answer.get().map(|answer| instance_chart_text(kind, &answer).summary).unwrap_or_default()
    };
    // The drawing holds words and numbers of this program only, nothing that was pasted.
    view! {
        <div
            class="chart"
            role="img"
            aria-label=words
            style=move || format!("height:{}px", kind.height(width.get()))
            inner_html=move || drawing().unwrap_or_default()
        ></div>
    }
}
