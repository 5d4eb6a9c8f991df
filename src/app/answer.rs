//! The answer: verdict, charts, and what the money went into.

use super::break_even::BreakEvenView;
use super::browser::watch_width;
use super::chances::ChancesView;
use super::compare::CompareView;
use super::events::EventsView;
use super::nodes::{NodesView, Overlay};
use super::plans::PlansView;
use super::sensitivity::SensitivityView;
use super::state::State;
use super::studies::Tab;
use super::tabs::Tabs;
use crate::chart::{ChartKind, Palette, chart, summary};
use crate::scenario::words::{exact_money, percent};
use crate::study::{Answer, CostParts, FixedCharges, Verdict};
use leptos::prelude::*;
use std::sync::Arc;

#[component]
pub fn AnswerView(state: State) -> impl IntoView {
    view! {
        {move || state.trouble.get().map(|trouble| view! { <p class="card problem" role="alert">{trouble}</p> })}
        <div class="result" class:stale=move || state.stale.get()>
            <div class="verdict" data-testid="verdict" aria-live="polite">
                {move || {
                    state.stale.get().then(|| view! {
                        <p class="note">"This is the last good result: mend what is marked and it is renewed."</p>
                    })
                }}
                {move || state.answer.get().map(|answer| verdict(&answer))}
                <p class="chances" class:stale=move || state.studies.chances.stale.get()>{move || {
                    state.studies.chances.result.get().map(|chances| chances.outcome_sentence())
                }}</p>
            </div>
            {(!state.embedded).then(|| view! { <Tabs state/> })}
            <div id="panel" role="tabpanel" aria-labelledby=move || panel_label(state)>
                {move || match state.studies.tab.get() {
                    Tab::Timeline => view! {
                        <Charts state/>
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
    Tab::ALL.iter().find(|(known, ..)| *known == tab).map_or("", |(_, testid, _)| *testid)
}

fn verdict(answer: &Answer) -> impl IntoView + use<> {
    let Verdict { headline, comparison, detail } = Verdict::new(answer);
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
    }
}

#[component]
fn Charts(state: State) -> impl IntoView {
    let frame = NodeRef::<leptos::html::Div>::new();
    let width = RwSignal::new(0);
    frame.on_load(move |frame| watch_width(&frame, move |now| width.set(now)));
    let charts = ChartKind::ALL.map(|kind| {
        let testid = match kind {
            ChartKind::Throughput => "chart-throughput",
            ChartKind::Cost => "chart-cost",
            ChartKind::PreemptedCores => "chart-preempted-cores",
        };
        let drawing = move || {
            let (answer, width) = (state.answer.get()?, width.get());
            let palette = if state.dark.get() { Palette::DARK } else { Palette::LIGHT };
            (width > 0)
                .then(|| chart(kind, &answer, width, &palette).unwrap_or_else(|error| error.to_string()))
        };
        let words = move || state.answer.get().map(|answer| summary(kind, &answer)).unwrap_or_default();
        // The drawing holds words and numbers of this program only, nothing that was pasted.
        view! {
            <div
                class="chart"
                data-testid=testid
                role="img"
                aria-label=words
                style=format!("height:{}px", kind.height())
                inner_html=move || drawing().unwrap_or_default()
            ></div>
        }
    });
    let moment = state.moment;
    let place = move |event: &leptos::ev::MouseEvent| {
        let element: web_sys::Element = event_target(event);
        let frame = element.closest(".charts").ok().flatten();
        let left = frame.map_or(0.0, |frame| frame.get_bounding_client_rect().left());
        moment.moment_at(f64::from(event.client_x()) - left, width.get_untracked())
    };
    let begun = StoredValue::new(None);
    view! {
        <div class="card">
            <div
                class="charts"
                node_ref=frame
                on:mousemove=move |event| moment.pointed.set(Some(place(&event)))
                on:mouseleave=move |_| moment.pointed.set(None)
                on:mousedown=move |event| begun.set_value(Some(place(&event)))
                on:mouseup=move |event| {
                    let (from, to) = (begun.get_value(), place(&event));
                    begun.set_value(None);
                    if let Some(from) = from {
                        // A drag of some pixels shows that part; less is a click.
                        let few = moment.window.with_untracked(|window| (window.end - window.start) / 100);
                        if from.abs_diff(to) > few { moment.show(from, to) } else { moment.go(to) }
                    }
                }
                on:dblclick=move |_| moment.show_all()
            >
                {charts.into_iter().collect_view()}
                <Overlay state width/>
            </div>
            {move || moment.is_part().then(|| view! {
                <button type="button" class="fix" data-testid="show-all" on:click=move |_| moment.show_all()>
                    "Show all of it"
                </button>
            })}
        </div>
    }
}

fn money_table(state: State, answer: &Arc<Answer>) -> impl IntoView + use<> {
    let run = &answer.run;
    let parts = CostParts::new(&run.model, &run.outcome);
    let whole = run.outcome.cost_usd;
    let rows = parts.named().into_iter().filter(|(_, _, usd)| *usd > 0.0).map(|(name, what, usd)| {
        view! {
            <tr>
                <th scope="row">{name}</th>
                <td class="what">{what}</td>
                <td>{exact_money(usd, whole)}</td>
                <td>{percent(usd / whole)}</td>
            </tr>
        }
    });
    let as_of = state.catalogue.with(|known| known.as_ref().map_or(String::new(), |c| c.as_of().to_owned()));
    let price = answer.rate.describe(&as_of);
    let fixed = FixedCharges::new(&run.model, &run.timeline).describe();
    view! {
        <div class="card">
            <h2>"Where the money went" <small>{price}</small></h2>
            <table>
                <tbody>{rows.collect_view()}</tbody>
                <tfoot>
                    <tr>
                        <th scope="row">"in all"</th>
                        <td class="what"></td>
                        <td>{exact_money(whole, whole)}</td>
                        <td></td>
                    </tr>
                </tfoot>
            </table>
            <p class="note">{fixed}</p>
        </div>
    }
}
