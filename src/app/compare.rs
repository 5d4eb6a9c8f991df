//! Two scenarios under the same luck.

use super::state::State;
use crate::scenario::words::percent;
use crate::study::sentences::{signed_duration, signed_money};
use crate::study::{Comparison, Estimate, Figure, Unit};
use leptos::prelude::*;

#[component]
pub fn CompareView(state: State) -> impl IntoView {
    let studies = state.studies;
    let comparison = studies.comparison;
    let swap = move |_| state.show_pinned();
    view! {
        <div class="card prose">
            {move || match studies.pinned.get() {
                None => view! {
                    <p>"Pin what is on the page as A, then change something: B is read against A, with the same luck."</p>
                }.into_any(),
                Some(pinned) => view! {
                    <p><strong>"A, pinned: "</strong>{pinned.headline.clone()}</p>
                    <p><strong>"B, now: "</strong>{move || state.headline()}</p>
                }.into_any(),
            }}
            <p>
                <button type="button" data-testid="pin" on:click=move |_| state.pin()>"Pin this as A"</button>
                " "
                {move || studies.pinned.get().map(|_| view! {
                    <button type="button" on:click=swap title="A comes back into the editors, what is there becomes A">
                        "Swap A and B"
                    </button>
                })}
            </p>
        </div>
        <div class:stale=move || comparison.stale.get()>
            {move || studies.pinned.get().and_then(|_| comparison.result.get()).map(|found| view(&found))}
        </div>
    }
}

fn view(comparison: &Comparison) -> impl IntoView + use<> {
    let inputs = comparison.inputs.iter().map(|input| {
        view! {
            <tr>
                <th scope="row"><code>{input.field.clone()}</code></th>
                <td>{input.a.clone()}</td>
                <td>{input.b.clone()}</td>
            </tr>
        }
    });
    let same = comparison.inputs.is_empty();
    view! {
        <div class="card">
            <h2>"What differs in the question"</h2>
            {if same {
                view! { <p>"Nothing: A and B are the same question."</p> }.into_any()
            } else {
                view! {
                    <div class="scroll" tabindex="0" role="group" aria-label="Table, may scroll"><table>
                        <thead><tr><th scope="col">"setting"</th><th scope="col">"A"</th><th scope="col">"B"</th></tr></thead>
                        <tbody>{inputs.collect_view()}</tbody>
                    </table></div>
                }.into_any()
            }}
        </div>
        <div class="card">
            <h2>
                "What differs in the answer"
                <small>{format!("means of {} runs each, paired by seed", comparison.runs)}</small>
            </h2>
            <div class="scroll" tabindex="0" role="group" aria-label="Table, may scroll"><table data-testid="comparison">
                <thead>
                    <tr><th scope="col">"figure"</th><th scope="col">"A"</th><th scope="col">"B"</th>
                        <th scope="col">"B less A, 95 %"</th></tr>
                </thead>
                <tbody>{comparison.figures.iter().map(row).collect_view()}</tbody>
            </table></div>
        </div>
    }
}

fn row(figure: &Figure) -> impl IntoView + use<> {
    let unit = figure.unit;
    let value =
        |estimate: Option<Estimate>| estimate.map_or_else(|| "none".to_owned(), |e| shown(unit, e.value));
    let difference = figure.difference.map_or_else(String::new, |difference| {
        let [value, low, high] = [difference.value, difference.low, difference.high].map(|v| shown(unit, v));
        if difference.low == difference.high { value } else { format!("{value} ({low} to {high})") }
    });
    let clear = figure.difference.is_some_and(|difference| difference.low > 0.0 || difference.high < 0.0);
    view! {
        <tr>
            <th scope="row">{figure.name}</th>
            <td>{value(figure.a)}</td>
            <td>{value(figure.b)}</td>
            <td class:clear=clear>{difference}</td>
        </tr>
    }
}

fn shown(unit: Unit, value: f64) -> String {
    match unit {
        Unit::Share if value < 0.0 => format!("-{}", percent(-value)),
        Unit::Share => percent(value),
        Unit::Time => signed_duration(value),
        Unit::Money => signed_money(value),
        Unit::Count => format!("{value:.2}"),
    }
}
