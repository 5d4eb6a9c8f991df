//! Two scenarios under the same luck.

use super::figure::{estimate, scrolling};
use super::state::State;
use super::words::say;
use crate::scenario::words::number;
use crate::study::{Comparison, Estimate, Figure};
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
                    <p>{say!(compare.hint)}</p>
                }.into_any(),
                Some(pinned) => view! {
                    <p><strong>{say!(compare.pinned)}</strong> " " {pinned.headline.clone()}</p>
                    <p><strong>{say!(compare.now)}</strong> " " {move || state.headline()}</p>
                }.into_any(),
            }}
            <p>
                <button type="button" data-testid="pin" on:click=move |_| state.pin()>{say!(compare.pin)}</button>
                " "
                {move || studies.pinned.get().map(|_| view! {
                    <button type="button" on:click=swap title=say!(compare.swap_title)>
                        {say!(compare.swap)}
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
            <h2>{say!(compare.question)}</h2>
            {if same {
                view! { <p>{say!(compare.same)}</p> }.into_any()
            } else {
                view! {
                    {scrolling(view! {
                        <table>
                            <thead>
                                <tr>
                                    <th scope="col">{say!(compare.setting)}</th>
                                    <th scope="col">{say!(compare.a)}</th>
                                    <th scope="col">{say!(compare.b)}</th>
                                </tr>
                            </thead>
                            <tbody>{inputs.collect_view()}</tbody>
                        </table>
                    })}
                }.into_any()
            }}
        </div>
        <div class="card">
            <h2>
                {say!(compare.answer)}
                <small>{say!(compare.paired, runs = number(comparison.runs))}</small>
            </h2>
            {scrolling(view! {
                <table data-testid="comparison">
                    <thead>
                        <tr>
                            <th scope="col">{say!(compare.figure)}</th>
                            <th scope="col">{say!(compare.a)}</th>
                            <th scope="col">{say!(compare.b)}</th>
                            <th scope="col">{say!(compare.difference)}</th>
                        </tr>
                    </thead>
                    <tbody>{comparison.figures.iter().map(row).collect_view()}</tbody>
                </table>
            })}
        </div>
    }
}

fn row(figure: &Figure) -> impl IntoView + use<> {
    let value = |estimate: Option<Estimate>| {
        estimate.map_or_else(|| say!(compare.none).to_owned(), |estimate| figure.unit.words(estimate.value))
    };
    view! {
        <tr>
            <th scope="row">{figure.name}</th>
            <td>{value(figure.a)}</td>
            <td>{value(figure.b)}</td>
            <td class="estimate" class:clear=figure.is_clear()>{estimate(&figure.difference_words())}</td>
        </tr>
    }
}
