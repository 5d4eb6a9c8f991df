//! What it costs a month, what would save money, and what the money goes into.

use super::held::Held;
use crate::app::figure::scrolling;
use crate::app::mend::to_mend;
use crate::app::words::say;
use crate::scenario::words::exact_money;
use crate::study::instance::{Change, InstanceAnswer, InstanceVerdict};
use leptos::prelude::*;
use std::sync::Arc;

/// The answer in sentences, with a button to each change that would save money.
#[component]
pub fn VerdictView(held: Held) -> impl IntoView {
    view! {
        <div class="verdict" data-testid="instance-verdict" aria-live="polite">
            {move || to_mend(held.is_wrong(), held.answer.with(Option::is_some))}
            {move || match held.answer.get() {
                Some(answer) => Some(sentences(held, &answer).into_any()),
                None => (!held.is_wrong()).then(|| view! { <p>{say!(instance.nothing)}</p> }.into_any()),
            }}
        </div>
    }
}

fn sentences(held: Held, answer: &Arc<InstanceAnswer>) -> impl IntoView + use<> {
    let InstanceVerdict { headline, parts, savings, advice, detail } = InstanceVerdict::new(answer);
    let savings = savings.into_iter().map(|(change, sentence)| {
        let (testid, label) = match change {
            Change::IdleShutdown => ("add-idle-shutdown", say!(instance.add_idle)),
            Change::Schedule => ("add-schedule", say!(instance.add_schedule)),
        };
        view! {
            <p class="saving">
                {sentence}
                " "
                <button type="button" class="fix" data-testid=testid on:click=move |_| held.apply(change)>{label}</button>
            </p>
        }
    });
    let advice = advice.into_iter().map(|sentence| view! { <p class="problem">{sentence}</p> });
    view! {
        <p><strong>{headline}</strong></p>
        <p>{parts}</p>
        {advice.collect_view()}
        {savings.collect_view()}
        <p>{detail}</p>
    }
}

/// The parts of the money, a month and in this life.
#[component]
pub fn Money(held: Held) -> impl IntoView {
    move || {
        let answer = held.answer.get()?;
        let (month, spent) = (answer.month, answer.spent);
        let sum = month.total();
        let rows =
            month.named().into_iter().zip(spent.named()).map(|((name, what, usd), (_, _, in_life))| {
                view! {
                    <tr>
                        <th scope="row">{name}</th>
                        <td class="what">{what}</td>
                        <td>{exact_money(usd, sum)}</td>
                        <td>{exact_money(in_life, sum)}</td>
                    </tr>
                }
            });
        let as_of =
            held.catalogue.with(|known| known.as_ref().map_or_else(String::new, |c| c.as_of().to_owned()));
        Some(view! {
            <div class="card" data-testid="instance-money">
                <h2>{say!(instance.money)}</h2>
                {scrolling(view! {
                    <table>
                        <thead>
                            <tr>
                                <th scope="col"></th>
                                <th scope="col" class="what"></th>
                                <th scope="col">{say!(instance.a_month)}</th>
                                <th scope="col">{say!(instance.in_life)}</th>
                            </tr>
                        </thead>
                        <tbody>{rows.collect_view()}</tbody>
                        <tfoot>
                            <tr>
                                <th scope="row">{say!(instance.in_all)}</th>
                                <td class="what"></td>
                                <td>{exact_money(sum, sum)}</td>
                                <td>{exact_money(spent.total(), sum)}</td>
                            </tr>
                        </tfoot>
                    </table>
                })}
                <p class="note">{answer.prices(&as_of)}</p>
            </div>
        })
    }
}
