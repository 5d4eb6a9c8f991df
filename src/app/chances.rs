//! Many runs: how they end, how long they take, what they cost.

use super::figure::{figure, parts_table};
use super::state::State;
use super::words::say;
use crate::chart::{Mark, Quantity, distribution, distribution_readings, distribution_text};
use crate::scenario::fields;
use crate::scenario::words::{duration, exact_duration, fine_money, number, percent};
use crate::sim::Ms;
use crate::study::sentences::{amount, share, time};
use crate::study::{Chances, QUANTILES, Run};
use leptos::prelude::*;
use std::sync::Arc;

#[component]
pub fn ChancesView(state: State) -> impl IntoView {
    let chances = state.studies.chances;
    view! {
        <div class:stale=move || chances.stale.get()>
            {move || chances.result.get().map(|found| view(state, &found))}
        </div>
    }
}

fn view(state: State, chances: &Arc<Chances>) -> impl IntoView + use<> {
    let sentences = [Some(chances.outcome_sentence()), chances.spread_sentence(), chances.saving_sentence()];
    let sentences = sentences.into_iter().flatten().map(|sentence| view! { <p>{sentence}</p> });
    view! {
        <div class="card prose">{sentences.collect_view()}</div>
        {distributions(state, chances)}
        {deadline(state, chances)}
        <div class="columns">
            {endings(chances)}
            {quantiles(state, chances)}
        </div>
        {means(chances)}
    }
}

/// How time and cost of the completed runs spread, with the run on the page, the deadline and dedicated nodes marked.
fn distributions(state: State, chances: &Chances) -> impl IntoView + use<> {
    let dedicated = chances.dedicated.as_ref();
    let mark = |value: Option<f64>, label: &str| Some(Mark { value: value?, label: label.to_owned() });
    let this = state.answer.with_untracked(|answer| {
        let run = Run::of(&answer.as_ref()?.run.outcome);
        Some((run.taken? as f64, answer.as_ref()?.run.outcome.total_usd()))
    });
    let times = [
        mark(this.map(|(taken, _)| taken), say!(chances.this_run)),
        mark(
            dedicated.and_then(|dedicated| dedicated.taken_ms).map(|taken| taken.value),
            say!(chances.dedicated),
        ),
        mark(chances.deadline.map(|deadline| deadline.deadline_ms as f64), say!(chances.deadline)),
    ];
    let costs = [
        mark(this.map(|(_, cost)| cost), say!(chances.this_run)),
        mark(
            dedicated.and_then(|dedicated| dedicated.cost_usd).map(|cost| cost.value),
            say!(chances.dedicated),
        ),
    ];
    let pictures = [
        (
            "distribution-time",
            Quantity::Time,
            chances.taken_ms.clone(),
            times.into_iter().flatten().collect::<Vec<_>>(),
        ),
        (
            "distribution-cost",
            Quantity::Money,
            chances.cost_usd.clone(),
            costs.into_iter().flatten().collect(),
        ),
    ];
    let pictures = pictures.into_iter().filter_map(|(testid, quantity, spread, marks)| {
        let spread = spread?;
        let text = distribution_text(&spread, quantity, &marks);
        let (spread, marks) = (Arc::new(spread), Arc::new(marks));
        let (read, marked) = (spread.clone(), marks.clone());
        Some(view! {
            <div class="card">
                {figure(
                    state,
                    testid,
                    text,
                    move |look| distribution(&spread, quantity, &marks, look),
                    move |width| distribution_readings(&read, quantity, &marked, width),
                )}
            </div>
        })
    });
    view! { <div class="columns">{pictures.collect_view()}</div> }
}

/// A deadline to drag: what share of the runs is done by then is said at once; let go of, it becomes the goal.
fn deadline(state: State, chances: &Arc<Chances>) -> impl IntoView + use<> {
    let taken = chances.taken_ms.as_ref()?;
    let (least, most) = (taken.sorted().first().copied()?, taken.sorted().last().copied()?);
    // Half a range beyond both ends, in whole minutes.
    let minute = 60_000.0;
    let room = ((most - least) / 2.0).max(10.0 * minute);
    let from = ((least - room).max(0.0) / minute).floor() as u64;
    let to = ((most + room) / minute).ceil() as u64;
    let now = chances.deadline.map_or(taken.quantiles[3] as Ms, |deadline| deadline.deadline_ms);
    let at = RwSignal::new((now as f64 / minute).round() as u64);
    let of = chances.clone();
    let said = move || of.deadline_sentence(at.get() * 60_000);
    let words = said.clone();
    let typed = |event| event_target_value(&event).parse::<u64>().unwrap_or(0);
    let set = move |event| {
        if let Some(field) = fields().iter().find(|field| field.id == "goal.deadline_seconds") {
            state.field_edited(field, exact_duration(typed(event).max(1) as f64 * 60.0));
        }
    };
    Some(view! {
        <div class="card deadline">
            <label class="line">
                {say!(chances.deadline_to_drag)}
                <input
                    type="range"
                    data-testid="deadline"
                    min=from.to_string()
                    max=to.to_string()
                    step="1"
                    aria-valuetext=words
                    prop:value=move || at.get().to_string()
                    on:input=move |event| at.set(typed(event))
                    on:change=set
                />
            </label>
            <p>{said}"."</p>
        </div>
    })
}

fn endings(chances: &Chances) -> impl IntoView + use<> {
    let rows = chances.endings.iter().map(|ending| {
        let part = ending.share;
        view! {
            <tr>
                <th scope="row">{ending.ending.name()}</th>
                <td>{number(part.count)}</td>
                <td class="wide">{share(&part)}</td>
                <td class="bar"><span style=format!("width:{:.1}%", part.value * 100.0)></span></td>
            </tr>
        }
    });
    let deadline = chances.deadline.as_ref().map(|deadline| {
        view! {
            <tr>
                <th scope="row">{say!(chances.by, deadline = duration(deadline.deadline_ms))}</th>
                <td>{number(deadline.share.count)}</td>
                <td class="wide">{share(&deadline.share)}</td>
                <td class="bar"><span style=format!("width:{:.1}%", deadline.share.value * 100.0)></span></td>
            </tr>
        }
    });
    view! {
        <div class="card">
            <h2>{say!(chances.how_runs_end)} <small>{say!(chances.wilson, runs = number(chances.runs))}</small></h2>
            <table><tbody>{rows.collect_view()}{deadline}</tbody></table>
        </div>
    }
}

fn quantiles(state: State, chances: &Chances) -> impl IntoView + use<> {
    let (Some(taken), Some(cost)) = (chances.taken_ms.clone(), chances.cost_usd.clone()) else {
        return view! { <div class="card"><p>{say!(chances.none_completed)}</p></div> }.into_any();
    };
    let rows = QUANTILES.iter().enumerate().map(|(i, part)| {
        let seed = chances.seed_at(*part);
        let show = seed.map(|seed| {
            let label = say!(chances.show_slower, share = percent(*part));
            view! {
                <button type="button" class="fix" aria-label=label on:click=move |_| state.show_seed(seed)>{say!(chances.show)}</button>
            }
        });
        view! {
            <tr>
                <th scope="row">{percent(*part)}</th>
                <td>{duration(taken.quantiles[i].round() as Ms)}</td>
                <td>{fine_money(cost.quantiles[i])}</td>
                <td>{show}</td>
            </tr>
        }
    });
    view! {
        <div class="card">
            <h2>
                {say!(chances.time_and_cost)}
                <small>{say!(chances.of_completed, runs = number(taken.count as u64))}</small>
            </h2>
            <table>
                <thead>
                    <tr>
                        <th scope="col">{say!(chances.of_them)}</th>
                        <th scope="col">{say!(chances.take_less)}</th>
                        <th scope="col">{say!(chances.cost_less)}</th>
                        <th scope="col">{say!(chances.such_a_run)}</th>
                    </tr>
                </thead>
                <tbody>{rows.collect_view()}</tbody>
                <tfoot>
                    <tr>
                        <th scope="row">{say!(chances.mean)}</th>
                        <td>{time(&taken.mean)}</td>
                        <td>{amount(&cost.mean)}</td>
                        <td></td>
                    </tr>
                </tfoot>
            </table>
        </div>
    }
    .into_any()
}

fn means(chances: &Chances) -> impl IntoView + use<> {
    let whole = chances.parts.named().iter().map(|(_, _, usd)| usd).sum();
    let per_completed = chances.usd_per_completed.map(|usd| {
        view! { <p class="note">{say!(chances.per_completed, money = amount(&usd))}</p> }
    });
    view! {
        <div class="card">
            <h2>{say!(chances.money)} <small>{say!(chances.money_note)}</small></h2>
            {parts_table(&chances.parts, whole)}
            {per_completed}
            {chances.means_sentence().map(|sentence| view! { <p class="note">{sentence}</p> })}
        </div>
    }
}
