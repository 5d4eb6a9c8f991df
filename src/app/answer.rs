//! The answer: verdict, charts, and what the money went into.

use super::browser::watch_width;
use super::state::State;
use crate::chart::{ChartKind, Palette, chart, summary};
use crate::scenario::words::{exact_money, percent};
use crate::study::{Answer, CostParts, FixedCharges, Verdict};
use leptos::prelude::*;
use std::sync::Arc;

#[component]
pub fn AnswerView(state: State) -> impl IntoView {
    let is_stale = move || state.stale.get() && state.answer.with(Option::is_some);
    view! {
        {move || state.trouble.get().map(|trouble| view! { <p class="card problem" role="alert">{trouble}</p> })}
        <div class="result" class:stale=is_stale class:blank=move || state.answer.with(Option::is_none)>
            <div class="verdict" data-testid="verdict" aria-live="polite">
                {move || {
                    is_stale().then(|| view! {
                        <p class="note">"This is the last good result: mend what is marked and it is renewed."</p>
                    })
                }}
                {move || match state.answer.get() {
                    Some(answer) => verdict(&answer).into_any(),
                    None => view! { <p>"Paste a cluster and a deployment, or drop their files here."</p> }.into_any(),
                }}
            </div>
            <Charts state/>
            {move || state.answer.get().map(|answer| money_table(state, &answer))}
        </div>
    }
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
    view! { <div class="card"><div node_ref=frame>{charts.into_iter().collect_view()}</div></div> }
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
