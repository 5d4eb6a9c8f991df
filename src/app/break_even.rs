//! Where low priority stops being cheaper.

use super::figure::{estimate, figure, scrolling};
use super::state::State;
use super::words::say;
use crate::chart::{
    break_even_over_evictions, break_even_over_evictions_readings, break_even_over_evictions_text,
    break_even_over_price, break_even_over_price_readings, break_even_over_price_text, time_over_evictions,
    time_over_evictions_readings, time_over_evictions_text,
};
use crate::scenario::words::{duration, fine_money, fine_percent};
use crate::sim::Ms;
use crate::study::sentences::{amount, share};
use crate::study::{BreakEven, RatePoint};
use leptos::prelude::*;
use std::sync::Arc;

#[component]
pub fn BreakEvenView(state: State) -> impl IntoView {
    let break_even = state.studies.break_even;
    view! {
        <div class:stale=move || break_even.stale.get()>
            {move || break_even.result.get().map(|found| view(state, &found))}
        </div>
    }
}

fn view(state: State, found: &Arc<BreakEven>) -> impl IntoView + use<> {
    let (cost, time, price) = (found.clone(), found.clone(), found.clone());
    let (cost_read, time_read, price_read) = (found.clone(), found.clone(), found.clone());
    let sentences = found.sentences().into_iter().map(|sentence| view! { <p>{sentence}</p> });
    let dedicated = found.dedicated_usd.map(|usd| {
        let taken =
            found.dedicated_taken_ms.map(|taken| duration(taken[1].round() as Ms)).unwrap_or_default();
        view! {
            <tr><th scope="row">{say!(break_even.dedicated)}</th><td>{amount(&usd)}</td><td>{taken}</td><td></td></tr>
        }
    });
    view! {
        <div class="card prose">{sentences.collect_view()}</div>
        <div class="card">
            {figure(state, "chart-break-even", break_even_over_evictions_text(found), move |look| {
                break_even_over_evictions(&cost, look)
            }, move |width| break_even_over_evictions_readings(&cost_read, width))}
            {figure(state, "chart-time-over-evictions", time_over_evictions_text(found), move |look| {
                time_over_evictions(&time, look)
            }, move |width| time_over_evictions_readings(&time_read, width))}
        </div>
        <div class="card">
            {figure(state, "chart-break-even-price", break_even_over_price_text(found), move |look| {
                break_even_over_price(&price, look)
            }, move |width| break_even_over_price_readings(&price_read, width))}
        </div>
        <div class="card">
            <h2>{say!(break_even.rates)} <small>{say!(page.per_completed_run)}</small></h2>
            {scrolling(view! {
                <table>
                    <thead>
                        <tr>
                            <th scope="col">{say!(break_even.evicted)}</th>
                            <th scope="col">{say!(break_even.cost)}</th>
                            <th scope="col">{say!(break_even.half_take_less)}</th>
                            <th scope="col">{say!(break_even.completed)}</th>
                        </tr>
                    </thead>
                    <tbody>{found.over_evictions.iter().map(row).collect_view()}</tbody>
                    <tfoot>{dedicated}</tfoot>
                </table>
            })}
        </div>
    }
}

fn row(point: &RatePoint) -> impl IntoView + use<> {
    let cost = point
        .usd_per_completed
        .map_or_else(|| say!(page.no_run_completed).to_owned(), |usd| fine_money(usd.value));
    let taken = point.taken_ms.map(|taken| duration(taken[1].round() as Ms)).unwrap_or_default();
    view! {
        <tr>
            <th scope="row">{fine_percent(point.evicted_per_hour)}</th>
            <td>{cost}</td>
            <td>{taken}</td>
            <td class="estimate">{estimate(&share(&point.completed))}</td>
        </tr>
    }
}
