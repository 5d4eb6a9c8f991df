//! The cheapest settings that hold the deadline.

use super::figure::{estimate, figure, scrolling};
use super::state::State;
use super::words::say;
use crate::chart::{front, front_readings, front_text};
use crate::scenario::words::{duration, number, percent};
use crate::study::sentences::{amount, share};
use crate::study::{Candidate, Plans, Rated, Standing};
use leptos::prelude::*;
use std::sync::Arc;

#[component]
pub fn PlansView(state: State) -> impl IntoView {
    let plans = state.studies.plans;
    let sizes = state.studies.sizes;
    view! {
        <div class="card">
            <label class="line">
                {say!(plans.sizes)}
                <input
                    data-testid="plan-sizes"
                    placeholder=say!(plans.sizes_example)
                    autocomplete="off"
                    spellcheck="false"
                    prop:value=move || sizes.get()
                    on:change=move |event| {
                        sizes.set(event_target_value(&event));
                        state.studies.replan();
                    }
                />
            </label>
            <p class="note">
                {say!(plans.note)}
            </p>
        </div>
        <div class:stale=move || plans.stale.get()>
            {move || plans.result.get().map(|found| view(state, &found))}
        </div>
    }
}

fn view(state: State, plans: &Arc<Plans>) -> impl IntoView + use<> {
    let (drawn, read) = (plans.clone(), plans.clone());
    let reasons = plans.reasons.iter().map(|reason| view! { <li>{reason.clone()}</li> }).collect_view();
    let present = plans.present.candidate.clone();
    let rows = plans.best.iter().enumerate();
    let rows = rows.map(|(i, rated)| row(state, rated, &present, i == 0 && plans.finished));
    let on_front = plans.front.iter().map(|rated| row(state, rated, &present, false));
    let heads = || {
        view! {
            <thead>
                <tr>
                    <th scope="col">{say!(plans.settings)}</th>
                    <th scope="col">{say!(plans.cost)}</th>
                    <th scope="col">{say!(plans.take_less, share = percent(plans.confidence))}</th>
                    <th scope="col">{say!(plans.hold)}</th>
                </tr>
            </thead>
        }
    };
    let (best_head, front_head) = (heads(), heads());
    view! {
        <div class="card prose">
            <p>{plans.wanted_sentence()}</p>
            <ul>{reasons}</ul>
            {move || state.undo.get().map(|_| view! {
                <p>
                    {say!(plans.applied)}
                    " "
                    <button type="button" data-testid="undo-plan" on:click=move |_| state.undo_plan()>{say!(plans.undo)}</button>
                </p>
            })}
        </div>
        <div class="card">
            <h2>{say!(plans.cheapest)} <small>{say!(page.per_completed_run)}</small></h2>
            {scrolling(view! {
                <table class="plans">{best_head}<tbody>{rows.collect_view()}</tbody></table>
            })}
        </div>
        <div class="card">
            {figure(state, "chart-front", front_text(plans), move |look| front(&drawn, look), move |width| {
                front_readings(&read, width)
            })}
            <h2>{say!(plans.front)} <small>{say!(plans.front_note)}</small></h2>
            {scrolling(view! {
                <table class="plans">{front_head}<tbody>{on_front.collect_view()}</tbody></table>
            })}
        </div>
    }
}

fn row(state: State, rated: &Rated, present: &Candidate, wins: bool) -> impl IntoView + use<> {
    let candidate = rated.candidate.clone();
    let is_present = candidate == *present;
    let cost = rated.usd_per_completed.map(|usd| amount(&usd)).unwrap_or_default();
    let within = match rated.surely_within_ms {
        Some(within) => view! { <span>{duration(within)}</span> }.into_any(),
        None => say!(plans.never).into_any(),
    };
    let mark = if wins && rated.standing <= Standing::Perhaps { " ★" } else { "" };
    let note = match rated.standing {
        Standing::Holds => "",
        Standing::Perhaps => say!(plans.perhaps),
        Standing::Misses => say!(plans.misses),
        Standing::Dearer => say!(plans.dropped),
    };
    let words = candidate.words(present);
    let apply = (!is_present).then(|| {
        let label = say!(plans.apply_label, settings = words.as_str());
        view! {
            <button type="button" class="fix" aria-label=label on:click=move |_| state.apply_plan(&candidate)>{say!(plans.apply)}</button>
        }
    });
    view! {
        <tr class:winner=wins>
            <th scope="row">
                {words.clone()} " " {if is_present { say!(plans.present) } else { "" }} {mark} " " {apply}
            </th>
            <td class="estimate" title=say!(plans.runs, runs = number(rated.runs))>{estimate(&cost)}</td>
            <td class="estimate">{within}</td>
            <td class="estimate">{estimate(&share(&rated.held))}" "{note}</td>
        </tr>
    }
}
