//! Which assumption moves the answer most, as a tornado: bars to both sides of the answer as it is.

use super::figure::{estimate, scrolling};
use super::state::State;
use super::words::say;
use crate::scenario::words::{number, signed_fine_percent};
use crate::study::sentences::{amount, signed_duration};
use crate::study::{End, Influence, Sensitivity};
use leptos::prelude::*;

#[component]
pub fn SensitivityView(state: State) -> impl IntoView {
    let sensitivity = state.studies.sensitivity;
    view! {
        <div class:stale=move || sensitivity.stale.get()>
            {move || sensitivity.result.get().map(|found| view(&found))}
        </div>
    }
}

fn view(found: &Sensitivity) -> impl IntoView + use<> {
    let furthest = found.influences.iter().flat_map(|influence| &influence.ends);
    let furthest = furthest.filter_map(|end| end.usd).map(|usd| usd.value.abs()).fold(0.0, f64::max);
    let rows = found.influences.iter().map(|influence| row(influence, furthest));
    let base = found.usd_per_completed.map(|usd| amount(&usd)).unwrap_or_default();
    view! {
        <div class="card prose">
            {found.sentence().map(|sentence| view! { <p>{sentence}</p> })}
            <p class="note">
                {say!(sensitivity.note, runs = number(found.runs), money = base)}
            </p>
        </div>
        <div class="card">
            {scrolling(view! {
                <table class="tornado">
                    <thead>
                        <tr>
                            <th scope="col">{say!(sensitivity.assumption)}</th>
                            <th scope="col">{say!(sensitivity.from)}</th>
                            <th scope="col">{say!(sensitivity.bars)}</th>
                            <th scope="col">{say!(sensitivity.cost)}</th>
                            <th scope="col">{say!(sensitivity.time)}</th>
                            <th scope="col">{say!(sensitivity.completed)}</th>
                        </tr>
                    </thead>
                    <tbody>{rows.collect_view()}</tbody>
                </table>
            })}
        </div>
    }
}

fn row(influence: &Influence, furthest: f64) -> impl IntoView + use<> {
    let [low, high] = influence.ends.clone();
    let head = view! {
        <th scope="rowgroup" rowspan="2" title=influence.source>
            {influence.label}<small>{influence.source}</small>
        </th>
    };
    view! {
        <tr>{head}{cells(&low, furthest)}</tr>
        <tr>{cells(&high, furthest)}</tr>
    }
}

fn cells(end: &End, furthest: f64) -> impl IntoView + use<> {
    let usd = end.usd.map_or_else(|| say!(page.no_run_completed).to_owned(), |usd| amount(&usd));
    // A difference of money less: how much cheaper it gets.
    let width = end.usd.map_or(0.0, |usd| if furthest > 0.0 { usd.value / furthest * 50.0 } else { 0.0 });
    let bar = if width < 0.0 {
        format!("right:50%;width:{:.1}%", -width)
    } else {
        format!("left:50%;width:{width:.1}%")
    };
    let later = end.later_ms.map(|later| signed_duration(later.value)).unwrap_or_default();
    let completed = end.completed.map(|share| signed_fine_percent(share.value)).unwrap_or_default();
    view! {
        <td>{end.value.clone()}</td>
        <td class="spread"><span style=bar></span></td>
        <td class="estimate">{estimate(&usd)}</td>
        <td>{later}</td>
        <td>{completed}</td>
    }
}
