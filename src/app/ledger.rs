//! The ledger of quotas: limits to type, cores over time, and what the service answers to each document.

use super::figure::{figure, scrolling};
use super::state::State;
use super::words::say;
use crate::chart::{pool, pool_readings, pool_text};
use crate::scenario::words::number;
use crate::scenario::{Limits, QuotaMode};
use crate::study::{Ledger, PoolName, PoolUse, RegionLedger};
use leptos::prelude::*;
use std::sync::Arc;

/// Events after which a run of the ledger is given up.
const EVENT_LIMIT: u64 = 20_000_000;

/// All documents side by side.
#[component]
pub fn LedgerView(state: State) -> impl IntoView {
    let quota = state.documents.quota;
    let ledger = Memo::new(move |_| {
        let catalogue = state.catalogue.get()?;
        let documents = state.documents_now();
        let documents = documents.iter().map(|other| &other.document);
        let ledger = quota.with(|quota| Ledger::new(documents, quota, &catalogue, EVENT_LIMIT));
        Some(ledger.map(Arc::new).map_err(|too_many| too_many.to_string()))
    });
    let set_mode = move |event| {
        if let Some(mode) = QuotaMode::of(&event_target_value(&event)) {
            quota.update(|quota| quota.mode = mode);
            state.follow();
        }
    };
    let modes = [(QuotaMode::Live, say!(ledger.live)), (QuotaMode::Reserved, say!(ledger.reserved))];
    let modes = modes.map(|(mode, label)| {
        let is_on = move || quota.with(|quota| quota.mode == mode);
        view! { <option value=mode.word() selected=is_on>{label}</option> }
    });
    let regions = move || match ledger.get() {
        None => ().into_any(),
        Some(Err(why)) => view! { <p class="card trouble" role="alert">{why}</p> }.into_any(),
        Some(Ok(ledger)) => {
            let left_out = (!ledger.left_out.is_empty()).then(|| {
                let names = ledger.left_out.iter().map(|&place| state.document_name(place));
                let names = names.collect::<Vec<_>>().join(", ");
                view! { <p class="card" role="status">{say!(ledger.left_out, names)}</p> }
            });
            let regions = ledger.regions.iter().map(|region| region_view(state, region));
            view! { {left_out} {regions.collect_view()} }.into_any()
        }
    };
    view! {
        <section class="ledger" aria-label=say!(ledger.title) data-testid="ledger">
            <div class="card">
                <h2>{say!(ledger.title)}</h2>
                <p>{say!(ledger.intro)}</p>
                <label>
                    {say!(ledger.mode)} " "
                    <select data-testid="quota-mode" on:change=set_mode>{modes.into_iter().collect_view()}</select>
                </label>
                <p class="note">{say!(ledger.mode_note)}</p>
            </div>
            {regions}
        </section>
    }
}

/// One region.
fn region_view(state: State, region: &RegionLedger) -> AnyView {
    let end = region.end;
    let charts = region.pools.iter().filter(|pool| pool.most_allocated() > 0).map(|used| {
        let used = used.clone();
        let text = pool_text(&used, end);
        let drawn = used.clone();
        figure(
            state,
            "quota-chart",
            text,
            move |look| pool(&drawn, end, look),
            move |width| pool_readings(&used, end, width),
        )
    });
    let charts = charts.collect_view();
    let rows = region.holders.iter().map(|holder| {
        let answer = &holder.answer;
        let code = answer.code().map(|code| view! { <code>{code}</code> " " });
        view! {
            <tr class:trouble=answer.is_refusal()>
                <th scope="row">{holder.name.clone()}</th>
                <td>{holder.pools_words()}</td>
                <td class="amount">{number(holder.allocated)}</td>
                <td class="amount">{number(holder.peak)}</td>
                <td class="what">{code}{answer.sentence()}</td>
            </tr>
        }
    });
    let rows = rows.collect_view();
    let computes = say!(
        ledger.computes,
        count = number(region.computes),
        limit = region.limits.computes.map_or_else(|| say!(ledger.unknown).to_owned(), number)
    );
    view! {
        <div class="card" data-testid=format!("ledger-{}", region.region)>
            <h2>{region.region.clone()}</h2>
            <p data-testid="ledger-sentence">{region.sentence()}</p>
            {scrolling(view! {
                <table>
                    <thead>
                        <tr>
                            <th scope="col">{say!(ledger.document)}</th>
                            <th scope="col">{say!(ledger.takes_from)}</th>
                            <th scope="col" class="amount">{say!(ledger.allocated)}</th>
                            <th scope="col" class="amount">{say!(ledger.peak)}</th>
                            <th scope="col">{say!(ledger.answer)}</th>
                        </tr>
                    </thead>
                    <tbody>{rows}</tbody>
                </table>
            })}
            <p class="note">{computes}</p>
            {limits_form(state, region)}
            {charts}
        </div>
    }
    .into_any()
}

/// The limits of a region, to type.
fn limits_form(state: State, region: &RegionLedger) -> AnyView {
    let fields = region.pools.iter().map(|pool| {
        let note = match pool.name {
            PoolName::LowPriority => say!(ledger.low_priority_note),
            PoolName::Dedicated => say!(ledger.dedicated_note),
            PoolName::Family(_) => say!(ledger.family_note),
        };
        let name = pool.name.clone();
        limit_field(
            state,
            region,
            pool.name.words(),
            pool_id(pool),
            pool.limit,
            note,
            move |limits, limit| match &name {
                PoolName::LowPriority => limits.low_priority_cores = limit,
                PoolName::Dedicated => limits.dedicated_cores = limit,
                PoolName::Family(family) => {
                    limits.families.retain(|(name, _)| !name.eq_ignore_ascii_case(family));
                    limits.families.extend(limit.map(|limit| (family.clone(), limit)));
                    limits.families.sort();
                }
            },
        )
    });
    let fields = fields.collect_view();
    let computes = limit_field(
        state,
        region,
        say!(ledger.computes_label).to_owned(),
        "limit-computes".to_owned(),
        region.limits.computes,
        say!(ledger.computes_note),
        |limits, limit| limits.computes = limit,
    );
    view! { <fieldset class="limits"><legend>{say!(ledger.limits)}</legend>{fields}{computes}</fieldset> }
        .into_any()
}

fn pool_id(pool: &PoolUse) -> String {
    match &pool.name {
        PoolName::LowPriority => "limit-low-priority".to_owned(),
        PoolName::Dedicated => "limit-dedicated".to_owned(),
        PoolName::Family(family) => format!("limit-{family}"),
    }
}

/// A limit to type; empty: none is known.
fn limit_field(
    state: State,
    region: &RegionLedger,
    label: String,
    id: String,
    limit: Option<u64>,
    note: &'static str,
    set: impl Fn(&mut Limits, Option<u64>) + 'static,
) -> AnyView {
    let (region, limits) = (region.region.clone(), region.limits.clone());
    let wrong = RwSignal::new(false);
    let changed = move |event| {
        let typed = event_target_value(&event);
        let typed = typed.trim();
        let limit = if typed.is_empty() { Ok(None) } else { typed.replace(',', "").parse().map(Some) };
        wrong.set(limit.is_err());
        if let Ok(limit) = limit {
            let mut limits = limits.clone();
            set(&mut limits, limit);
            state.documents.quota.update(|quota| quota.set(&region, limits));
            state.follow();
        }
    };
    view! {
        <div class="field">
            <label for=id.clone()>{label}</label>
            <input
                id=id.clone()
                data-testid=id
                type="text"
                inputmode="numeric"
                placeholder=say!(ledger.no_limit)
                prop:value=limit.map(|limit| limit.to_string()).unwrap_or_default()
                aria-invalid=move || wrong.get().to_string()
                on:change=changed
            />
            <small class="note">{move || if wrong.get() { say!(ledger.wrong) } else { note }}</small>
        </div>
    }
    .into_any()
}
