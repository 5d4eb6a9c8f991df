//! The answer: verdict, charts, and what the money went into.

use super::break_even::BreakEvenView;
use super::browser::watch_width;
use super::calibration::CalibrationView;
use super::chances::ChancesView;
use super::compare::CompareView;
use super::events::EventsView;
use super::figure::{numbers, parts_table, reading_box};
use super::mend::to_mend;
use super::nodes::{NodesView, Overlay};
use super::plans::PlansView;
use super::sensitivity::SensitivityView;
use super::state::State;
use super::studies::Tab;
use super::tabs::Tabs;
use super::words::say;
use crate::chart::{ChartKind, Look, Palette, chart, chart_text, legend, read_aloud, summary, values_at};
use crate::sim::Ms;
use crate::study::{Answer, Bands, CostParts, FixedCharges, Verdict};
use leptos::ev::{KeyboardEvent, MouseEvent, PointerEvent};
use leptos::prelude::*;
use std::sync::Arc;

#[component]
pub fn AnswerView(state: State) -> impl IntoView {
    let is_answered = move || state.answer.with(Option::is_some);
    let is_stale = move || state.stale.get() && is_answered();
    let is_pasted = move || {
        [state.cluster, state.deployment].into_iter().all(|text| text.with(|text| !text.trim().is_empty()))
    };
    let is_wrong = move || state.stale.get() && !state.embedded && (is_answered() || is_pasted());
    view! {
        {move || state.trouble.get().map(|trouble| view! { <p class="card problem" role="alert">{trouble}</p> })}
        <div class="result" class:stale=is_stale class:blank=move || !is_answered()>
            <div class="verdict" data-testid="verdict" aria-live="polite">
                {move || to_mend(is_wrong(), is_answered())}
                {move || match state.answer.get() {
                    Some(answer) => Some(verdict(&answer).into_any()),
                    None => (!is_wrong()).then(|| view! { <p>{say!(answer.nothing)}</p> }.into_any()),
                }}
                <p class="chances" class:stale=move || state.studies.chances.stale.get()>{move || {
                    state.studies.chances.result.get().map(|chances| chances.outcome_sentence())
                }}</p>
            </div>
            {(!state.embedded).then(|| view! { <Tabs state/> })}
            <div id="panel" role="tabpanel" aria-labelledby=move || panel_label(state)>
                {move || match state.studies.tab.get() {
                    Tab::Timeline => view! {
                        <Charts state/>
                        {(!state.embedded).then(|| view! { <CalibrationView state/> })}
                        <NodesView state/>
                        {move || state.answer.get().map(|answer| money_table(state, &answer))}
                    }.into_any(),
                    Tab::Chances => view! { <ChancesView state/> }.into_any(),
                    Tab::BreakEven => view! { <BreakEvenView state/> }.into_any(),
                    Tab::Plans => view! { <PlansView state/> }.into_any(),
                    Tab::Compare => view! { <CompareView state/> }.into_any(),
                    Tab::Sensitivity => view! { <SensitivityView state/> }.into_any(),
                    Tab::Events => view! { <EventsView state/> }.into_any(),
                }}
            </div>
        </div>
    }
}

fn panel_label(state: State) -> &'static str {
    let tab = state.studies.tab.get();
    Tab::ALL.iter().find(|(known, _)| *known == tab).map_or("", |(_, testid)| *testid)
}

fn verdict(answer: &Answer) -> impl IntoView + use<> {
    let Verdict { headline, comparison, detail, note } = Verdict::new(answer);
    let states = answer.run.outcome.jobs.iter().map(|job| job.state);
    let mut states = states.collect::<Vec<_>>();
    states.dedup();
    view! {
        <p><strong>{headline}</strong> " " {comparison}</p>
        <p>
            <span class="state">{states.join(", ")}</span>
            " "
            {detail}
        </p>
        {(!note.is_empty()).then(|| view! { <p class="note" data-testid="locked">{note}</p> })}
    }
}

/// The charts of the run with what can be done on them: point, drag to zoom, click to go to a moment, hide a line.
#[component]
fn Charts(state: State) -> impl IntoView {
    let frame = NodeRef::<leptos::html::Div>::new();
    let width = RwSignal::new(0);
    let hidden = RwSignal::new(Vec::<&'static str>::new());
    frame.on_load(move |frame| watch_width(&frame, move |now| width.set(now)));
    let charts = ChartKind::ALL.map(|kind| view! { <ChartView kind state width hidden/> });
    let moment = state.moment;
    let place = move |event: &MouseEvent| {
        let element: web_sys::Element = event_target(event);
        let frame = element.closest(".charts").ok().flatten();
        let left = frame.map_or(0.0, |frame| frame.get_bounding_client_rect().left());
        moment.moment_at(f64::from(event.client_x()) - left, width.get_untracked())
    };
    let begun = RwSignal::new(None::<Ms>);
    let end = move |event: MouseEvent| {
        let (from, to) = (begun.get_untracked(), place(&event));
        begun.set(None);
        if let Some(from) = from {
            // A drag of some pixels shows that part; less is a click.
            let few = moment.window.with_untracked(|window| (window.end - window.start) / 100);
            if from.abs_diff(to) > few { moment.show(from, to) } else { moment.go(to) }
        }
    };
    let dragged = move || {
        let (from, to) = (begun.get()?, moment.pointed.get()?);
        let (from, to) = (moment.x(from.min(to), width.get())?, moment.x(from.max(to), width.get())?);
        Some(format!("left:{from:.0}px;width:{:.0}px", to - from))
    };
    let values = move || {
        let (answer, at) = (state.answer.get()?, moment.pointed.get()?);
        let values = values_at(&answer, shown_bands(state).as_deref(), at).into_iter();
        Some(values.map(|(name, text)| (name.to_owned(), text)).collect::<Vec<_>>())
    };
    let reading = move || {
        let x = moment.x(moment.pointed.get()?, width.get())?;
        Some(reading_box(x, width.get(), values()?))
    };
    // A pointer sees what is read; of a key it is said.
    let said = RwSignal::new(String::new());
    let key = move |event: KeyboardEvent| {
        let on: web_sys::Element = event_target(&event);
        if !on.class_list().contains("charts") {
            // A key for an entry of a legend.
            return;
        }
        let step = if event.shift_key() { 10 } else { 1 };
        match event.key().as_str() {
            "ArrowRight" => moment.point_on(step),
            "ArrowLeft" => moment.point_on(-step),
            "+" | "=" => moment.zoom(0.5),
            "-" => moment.zoom(2.0),
            "0" => moment.show_all(),
            "Enter" => moment.go(moment.pointed.get_untracked().unwrap_or_else(|| moment.at.get_untracked())),
            "Escape" => moment.pointed.set(None),
            _ => return,
        }
        event.prevent_default();
        let read = untrack(values).unwrap_or_default();
        said.set(read_aloud(&read));
    };
    view! {
        <div class="card">
            <div
                class="charts"
                node_ref=frame
                tabindex="0"
                role="group"
                aria-label=say!(answer.charts)
                on:keydown=key
                on:blur=move |_| moment.pointed.set(None)
                on:mousemove=move |event| moment.pointed.set(Some(place(&event)))
                on:mouseleave=move |_| {
                    moment.pointed.set(None);
                    begun.set(None);
                }
                on:mousedown=move |event| begun.set(Some(place(&event)))
                on:mouseup=end
                on:dblclick=move |_| moment.show_all()
            >
                {charts.into_iter().collect_view()}
                <Overlay state width/>
                <Grip state width/>
                {move || dragged().map(|style| view! { <div class="dragged" style=style></div> })}
                {reading}
            </div>
            <p class="unseen" role="status">{move || said.get()}</p>
            <p class="note zoom">
                {move || if moment.is_part() {
                    view! {
                        <button type="button" class="fix" data-testid="show-all" on:click=move |_| moment.show_all()>
                            {say!(answer.show_all)}
                        </button>
                    }.into_any()
                } else {
                    view! { <span>{say!(answer.hint)}</span> }.into_any()
                }}
            </p>
            {ChartKind::ALL.map(|kind| numbers(kind.title().to_owned(), move || {
                let answer = state.answer.get()?;
                Some(chart_text(kind, &answer, shown_bands(state).as_deref()).table)
            })).into_iter().collect_view()}
        </div>
    }
}

/// The handle of the playhead above the charts: dragged, it takes the playhead along, and everything that shows it.
/// For the keyboard there is the slider of the player.
#[component]
fn Grip(state: State, width: RwSignal<u32>) -> impl IntoView {
    let moment = state.moment;
    let held = RwSignal::new(false);
    let take = move |event: PointerEvent| {
        // No zoom begins here.
        event.prevent_default();
        event.stop_propagation();
        let grip: web_sys::Element = event_target(&event);
        // Without capture it is dragged as long as the pointer stays on it.
        let _ = grip.set_pointer_capture(event.pointer_id());
        moment.pause();
        moment.pointed.set(None);
        held.set(true);
    };
    let drag = move |event: PointerEvent| {
        if !held.get_untracked() {
            return;
        }
        let grip: web_sys::Element = event_target(&event);
        if let Some(charts) = grip.closest(".charts").ok().flatten() {
            let x = f64::from(event.client_x()) - charts.get_bounding_client_rect().left();
            moment.go(moment.moment_at(x, width.get_untracked()));
        }
    };
    let style = move || {
        moment.x(moment.at.get(), width.get()).map_or("display:none".to_owned(), |x| format!("left:{x:.1}px"))
    };
    view! {
        <div
            class="grip"
            data-testid="playhead"
            aria-hidden="true"
            title=say!(answer.grip)
            style=style
            on:pointerdown=take
            on:pointermove=drag
            on:pointerup=move |_| held.set(false)
            on:pointercancel=move |_| held.set(false)
            on:mousedown=|event| event.stop_propagation()
            on:mouseup=|event| event.stop_propagation()
            on:mousemove=|event| event.stop_propagation()
            on:dblclick=|event| event.stop_propagation()
        ></div>
    }
}

/// The bands of many runs, if they are about the question as it is.
fn shown_bands(state: State) -> Option<Arc<Bands>> {
    (!state.studies.chances.stale.get()).then(|| state.studies.bands.get()).flatten()
}

/// One chart, with a button over each entry of its legend.
#[component]
fn ChartView(
    kind: ChartKind,
    state: State,
    width: RwSignal<u32>,
    hidden: RwSignal<Vec<&'static str>>,
) -> impl IntoView {
    let testid = match kind {
        ChartKind::Throughput => "chart-throughput",
        ChartKind::Cost => "chart-cost",
        ChartKind::PreemptedCores => "chart-preempted-cores",
        ChartKind::Nodes => "chart-nodes",
    };
    let drawing = move || {
        let (answer, width) = (state.answer.get()?, width.get());
        let palette = if state.dark.get() { Palette::DARK } else { Palette::LIGHT };
        (width > 0).then(|| {
            let hidden = hidden.get();
            let look = Look { hidden: &hidden, ..Look::new(width, &palette) };
            let bands = shown_bands(state);
            let drawn = chart(kind, &answer, bands.as_deref(), state.moment.view(), &look);
            drawn.unwrap_or_else(|error| error.to_string())
        })
    };
    let words = move || state.answer.get().map(|answer| summary(kind, &answer)).unwrap_or_default();
    // Made anew only when there are other entries, so that the focus stays where it is.
    let entries = Memo::new(move |_| {
        let answer = state.answer.get()?;
        Some(legend(kind, &answer, shown_bands(state).as_deref(), width.get()))
    });
    let buttons = move || {
        entries
            .get()
            .unwrap_or_default()
            .into_iter()
            .map(|entry| {
                let key = entry.key;
                let style = format!(
                    "left:{}px;top:{}px;width:{}px;height:{}px",
                    entry.left, entry.top, entry.width, entry.height
                );
                let toggle = move |_| {
                    hidden.update(|hidden| {
                        if hidden.contains(&key) {
                            hidden.retain(|known| *known != key);
                        } else {
                            hidden.push(key);
                        }
                    });
                };
                view! {
                    <button
                        type="button"
                        class="entry"
                        style=style
                        aria-label=say!(answer.show, name = entry.name)
                        aria-pressed=move || (!hidden.with(|hidden| hidden.contains(&key))).to_string()
                        on:mousedown=|event| event.stop_propagation()
                        on:mouseup=|event| event.stop_propagation()
                        on:click=toggle
                    ></button>
                }
            })
            .collect_view()
    };
    // The drawing holds words and numbers of this program only, nothing that was pasted.
    view! {
        <div class="plot">
            <div
                class="chart"
                data-testid=testid
                role="img"
                aria-label=words
                style=move || format!("height:{}px", kind.height(width.get()))
                inner_html=move || drawing().unwrap_or_default()
            ></div>
            {buttons}
        </div>
    }
}

fn money_table(state: State, answer: &Arc<Answer>) -> impl IntoView + use<> {
    let run = &answer.run;
    let parts = CostParts::new(&run.model, &run.outcome);
    let as_of = state.catalogue.with(|known| known.as_ref().map_or(String::new(), |c| c.as_of().to_owned()));
    let price = answer.rate.describe(&as_of);
    let fixed = FixedCharges::new(&run.model, &run.timeline).describe();
    view! {
        <div class="card">
            <h2>{say!(answer.money)} <small>{price}</small></h2>
            {parts_table(&parts, run.outcome.total_usd())}
            <p class="note">{fixed}</p>
        </div>
    }
}
