//! The cheapest settings that hold the deadline.

use super::figure::figure;
use super::state::State;
use crate::chart::{front, front_text};
use crate::scenario::words::{duration, number, percent};
use crate::sim::Tier;
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
                "Other VM sizes that a plan may take"
                <input
                    data-testid="plan-sizes"
                    placeholder="Standard_D4s_v3, Standard_F8s_v2"
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
                "Deadline and how sure it should be stand in the form, under Goal. On another size a core is taken to \
                 be as fast as on this one."
            </p>
        </div>
        <div class:stale=move || plans.stale.get()>
            {move || plans.result.get().map(|found| view(state, &found))}
        </div>
    }
}

fn view(state: State, plans: &Arc<Plans>) -> impl IntoView + use<> {
    let drawn = plans.clone();
    let goal = match plans.deadline_ms {
        Some(deadline) => {
            format!("done by {} in {} of the runs", duration(deadline), percent(plans.confidence))
        }
        None => format!(
            "completed in {} of the runs, however late: there is no deadline",
            percent(plans.confidence)
        ),
    };
    let tried = format!(
        "{} settings tried, {} left out as too slow even undisturbed",
        number(plans.tried as u64),
        number(plans.left_out as u64)
    );
    let reasons = plans.reasons.iter().map(|reason| view! { <li>{reason.clone()}</li> }).collect_view();
    let present = plans.present.candidate.clone();
    let rows = plans.best.iter().enumerate();
    let rows = rows.map(|(i, rated)| row(state, rated, &present, i == 0 && plans.finished));
    let on_front = plans.front.iter().map(|rated| row(state, rated, &present, false));
    let heads = || {
        view! {
            <thead>
                <tr>
                    <th scope="col">"settings"</th>
                    <th scope="col">"cost"</th>
                    <th scope="col">{format!("{} take less than", percent(plans.confidence))}</th>
                    <th scope="col">"hold"</th>
                    <th scope="col"></th>
                </tr>
            </thead>
        }
    };
    let (best_head, front_head) = (heads(), heads());
    view! {
        <div class="card prose">
            <p>"Wanted: "{goal}". "{tried}"."</p>
            <ul>{reasons}</ul>
            {move || state.undo.get().map(|_| view! {
                <p>
                    "The plan stands in your files. "
                    <button type="button" data-testid="undo-plan" on:click=move |_| state.undo_plan()>"Undo"</button>
                </p>
            })}
        </div>
        <div class="card">
            <h2>"Cheapest first" <small>"all money for each completed run"</small></h2>
            <div class="scroll" tabindex="0" role="group" aria-label="Table, may scroll">
                <table class="plans">{best_head}<tbody>{rows.collect_view()}</tbody></table>
            </div>
        </div>
        <div class="card">
            {figure(state, "chart-front", front_text(plans), move |look| front(&drawn, look))}
            <h2>"Dearer is faster" <small>"none of these is both dearer and slower than another"</small></h2>
            <div class="scroll" tabindex="0" role="group" aria-label="Table, may scroll">
                <table class="plans">{front_head}<tbody>{on_front.collect_view()}</tbody></table>
            </div>
        </div>
    }
}

fn row(state: State, rated: &Rated, present: &Candidate, wins: bool) -> impl IntoView + use<> {
    let candidate = rated.candidate.clone();
    let is_present = candidate == *present;
    let cost = rated.usd_per_completed.map(|usd| amount(&usd)).unwrap_or_default();
    let within = rated.surely_within_ms.map_or_else(|| "never that many".to_owned(), duration);
    let mark = if wins && rated.standing <= Standing::Perhaps { " ★" } else { "" };
    let note = match rated.standing {
        Standing::Holds => "",
        Standing::Perhaps => " perhaps",
        Standing::Misses => " too few",
        Standing::Dearer => " dropped: dearer",
    };
    let words = settings_words(&candidate, present);
    let apply = (!is_present).then(|| {
        let label = format!("Apply: {words}");
        view! {
            <button type="button" class="fix" aria-label=label on:click=move |_| state.apply_plan(&candidate)>"apply"</button>
        }
    });
    view! {
        <tr class:winner=wins>
            <th scope="row">{words.clone()}{if is_present { " (present)" } else { "" }}{mark}</th>
            <td title=format!("{} runs", rated.runs)>{cost}</td>
            <td>{within}</td>
            <td>{share(&rated.held)}{note}</td>
            <td>{apply}</td>
        </tr>
    }
}

fn settings_words(candidate: &Candidate, present: &Candidate) -> String {
    let tier = match candidate.tier {
        Tier::LowPriority => "low priority",
        Tier::Dedicated => "dedicated",
    };
    let nodes = if candidate.instance_count == 1 { "node" } else { "nodes" };
    let workers = if candidate.max_concurrency_per_instance == 1 { "worker" } else { "workers" };
    let size = if candidate.size == present.size { String::new() } else { format!(" {}", candidate.size) };
    format!(
        "{} {tier} {nodes}{size} × {} {workers}, {} a mini-batch",
        candidate.instance_count,
        candidate.max_concurrency_per_instance,
        files(candidate.mini_batch_size)
    )
}

fn files(count: i64) -> String {
    if count == 1 { "1 file".to_owned() } else { format!("{count} files") }
}
