//! Many runs: how they end, how long they take, what they cost.

use super::state::State;
use crate::scenario::words::{duration, exact_money, fine_money, number, percent};
use crate::sim::Ms;
use crate::study::sentences::{amount, share, time};
use crate::study::{Chances, QUANTILES};
use leptos::prelude::*;

#[component]
pub fn ChancesView(state: State) -> impl IntoView {
    let chances = state.studies.chances;
    view! {
        <div class:stale=move || chances.stale.get()>
            {move || chances.result.get().map(|found| view(state, &found))}
        </div>
    }
}

fn view(state: State, chances: &Chances) -> impl IntoView + use<> {
    let sentences = [Some(chances.outcome_sentence()), chances.spread_sentence(), chances.saving_sentence()];
    let sentences = sentences.into_iter().flatten().map(|sentence| view! { <p>{sentence}</p> });
    view! {
        <div class="card prose">{sentences.collect_view()}</div>
        <div class="columns">
            {endings(chances)}
            {quantiles(state, chances)}
        </div>
        {means(chances)}
    }
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
                <th scope="row">{format!("by {}", duration(deadline.deadline_ms))}</th>
                <td>{number(deadline.share.count)}</td>
                <td class="wide">{share(&deadline.share)}</td>
                <td class="bar"><span style=format!("width:{:.1}%", deadline.share.value * 100.0)></span></td>
            </tr>
        }
    });
    view! {
        <div class="card">
            <h2>"How runs end" <small>{format!("{} runs, Wilson intervals of 95 %", number(chances.runs))}</small></h2>
            <table><tbody>{rows.collect_view()}{deadline}</tbody></table>
        </div>
    }
}

fn quantiles(state: State, chances: &Chances) -> impl IntoView + use<> {
    let (Some(taken), Some(cost)) = (chances.taken_ms.clone(), chances.cost_usd.clone()) else {
        return view! { <div class="card"><p>"No run is completed: there is neither time nor cost of one."</p></div> }
            .into_any();
    };
    let rows = QUANTILES.iter().enumerate().map(|(i, part)| {
        let seed = chances.seed_at(*part);
        let show = seed.map(|seed| {
            let label = format!("Show a run that is slower than {}", percent(*part));
            view! {
                <button type="button" class="fix" aria-label=label on:click=move |_| state.show_seed(seed)>"show"</button>
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
                "Time and cost"
                <small>{format!("of the {} runs that are completed", number(taken.count as u64))}</small>
            </h2>
            <table>
                <thead>
                    <tr><th scope="col">"of them"</th><th scope="col">"take less than"</th>
                        <th scope="col">"cost less than"</th><th scope="col">"such a run"</th></tr>
                </thead>
                <tbody>{rows.collect_view()}</tbody>
                <tfoot>
                    <tr><th scope="row">"mean"</th><td>{time(&taken.mean)}</td><td>{amount(&cost.mean)}</td><td></td></tr>
                </tfoot>
            </table>
        </div>
    }
    .into_any()
}

fn means(chances: &Chances) -> impl IntoView + use<> {
    let parts = chances.parts.named();
    let whole: f64 = parts.iter().map(|(_, _, usd)| usd).sum();
    let rows = parts.into_iter().filter(|(_, _, usd)| *usd > 0.0).map(|(name, what, usd)| {
        view! {
            <tr>
                <th scope="row">{name}</th>
                <td class="what">{what}</td>
                <td>{exact_money(usd, whole)}</td>
                <td>{percent(usd / whole)}</td>
            </tr>
        }
    });
    let per_completed = chances.usd_per_completed.map(|usd| {
        let note = "All money, that of runs which are not completed too, for each completed run: ";
        view! { <p class="note">{note}{amount(&usd)}"."</p> }
    });
    let counts = [
        ("nodes preempted", chances.preemptions),
        ("attempts lost", chances.attempts_lost),
        ("jobs submitted again", chances.resubmissions),
    ];
    let counts = counts.into_iter().filter_map(|(name, mean)| {
        let mean = mean.filter(|mean| mean.value > 0.0)?;
        Some(format!("{:.2} {name}", mean.value))
    });
    let counts = counts.collect::<Vec<_>>().join(", ");
    view! {
        <div class="card">
            <h2>"Where the money goes" <small>"mean of all runs, those that are not completed too"</small></h2>
            <table>
                <tbody>{rows.collect_view()}</tbody>
                <tfoot>
                    <tr><th scope="row">"in all"</th><td class="what"></td><td>{exact_money(whole, whole)}</td><td></td></tr>
                </tfoot>
            </table>
            {per_completed}
            {(!counts.is_empty()).then(|| view! { <p class="note">"In a run on the mean: "{counts}"."</p> })}
        </div>
    }
}
