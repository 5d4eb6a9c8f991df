//! The form: workload, capacity, service, prices, seed.

use super::state::{SEED, State};
use crate::scenario::{Field, Kind, fields, presets};
use leptos::prelude::*;

#[component]
pub fn Form(state: State) -> impl IntoView {
    let mut groups: Vec<(&'static str, Vec<&'static Field>)> = Vec::new();
    for field in fields() {
        match groups.last_mut() {
            Some((name, group)) if *name == field.group => group.push(field),
            _ => groups.push((field.group, vec![field])),
        }
    }
    let groups = groups.into_iter().map(|(name, group)| {
        view! {
            <div class="card">
                <h2>{name}</h2>
                <div class="form">
                    {group.into_iter().map(|field| view! { <FieldView field state/> }).collect_view()}
                </div>
            </div>
        }
    });
    view! {
        <SeedView state/>
        {groups.collect_view()}
        {move || {
            let other = state.form_problems.with(|problems| problems.get("").cloned());
            other.map(|problem| view! { <p class="card problem" role="alert">{problem}</p> })
        }}
    }
}

#[component]
fn SeedView(state: State) -> impl IntoView {
    view! {
        <div class="card">
            <h2>"Chance" <small>"the same seed gives the same run"</small></h2>
            <div class="seed">
                <label>
                    "Seed"
                    <input
                        data-testid="seed"
                        inputmode="numeric"
                        autocomplete="off"
                        prop:value=move || state.seed.get()
                        on:input=move |event| state.seed_edited(event_target_value(&event))
                    />
                </label>
                <button type="button" data-testid="new-seed" on:click=move |_| state.new_seed()>"New seed"</button>
            </div>
            <Problem id=SEED state/>
        </div>
    }
}

/// What is wrong with a field.
#[component]
fn Problem(id: &'static str, state: State) -> impl IntoView {
    move || {
        let problem = state.form_problems.with(|problems| problems.get(id).cloned());
        problem.map(|problem| view! { <span class="problem" role="alert">{problem}</span> })
    }
}

#[component]
fn FieldView(field: &'static Field, state: State) -> impl IntoView {
    let typed = state.typed(field);
    let wrong = move || state.form_problems.with(|problems| problems.contains_key(field.id)).to_string();
    let unit = (!field.unit.is_empty()).then(|| view! { <small>", " {field.unit}</small> });
    let input = match field.kind {
        Kind::Number | Kind::Optional => view! {
            <input
                inputmode="decimal"
                autocomplete="off"
                data-field=field.id
                aria-invalid=wrong
                placeholder=move || placeholder(field, state)
                prop:value=move || typed.get()
                on:input=move |event| state.field_edited(field, event_target_value(&event))
            />
        }
        .into_any(),
        Kind::Choice(choices) => {
            let options = choices.iter().map(|&(value, label)| {
                view! { <option value=value selected=move || typed.get() == value>{label}</option> }
            });
            select(field, state, options.collect_view().into_any())
        }
        Kind::Preset => {
            let named = presets().iter().map(|preset| (preset.id, preset.label, preset.source));
            let own = ("", "your own, below", "What the fields below say.");
            let options = named.chain([own]).map(|(id, label, source)| {
                view! { <option value=id title=source selected=move || typed.get() == id>{label}</option> }
            });
            select(field, state, options.collect_view().into_any())
        }
        Kind::Region => {
            let options = move || {
                let regions = state.catalogue.with(|known| known.as_ref().map(|c| c.regions().to_vec()));
                let mut regions = regions.unwrap_or_default();
                let current = typed.get();
                if !regions.contains(&current) {
                    regions.insert(0, current.clone());
                }
                let options = regions.into_iter().map(|region| {
                    let selected = region == current;
                    view! { <option value=region.clone() selected=selected>{region.clone()}</option> }
                });
                options.collect_view()
            };
            select(field, state, options.into_any())
        }
    };
    view! {
        <label title=field.hint>
            <span>{field.label} {unit}</span>
            {input}
            <Problem id=field.id state/>
        </label>
    }
}

fn select(field: &'static Field, state: State, options: AnyView) -> AnyView {
    let typed = state.typed(field);
    view! {
        <select
            data-field=field.id
            prop:value=move || typed.get()
            on:change=move |event| state.field_edited(field, event_target_value(&event))
        >
            {options}
        </select>
    }
    .into_any()
}

/// What an empty field stands for.
fn placeholder(field: &Field, state: State) -> String {
    let answer = state.answer.get();
    let rate = match field.id {
        "prices.dedicated_per_hour" => answer.and_then(|answer| answer.dedicated_rate),
        "prices.low_priority_per_hour" => answer.map(|answer| answer.rate),
        _ => None,
    };
    rate.map_or(String::new(), |rate| rate.usd_per_hour.to_string())
}
