//! The form: workload, capacity, service, prices, seed.

use super::state::{SEED, State};
use super::words::say;
use crate::scenario::words::price;
use crate::scenario::{Assumptions, Field, Kind, fields, presets};
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
                    {(name == "Prices").then(|| view! { <SizeView state/> })}
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
            <h2>{say!(form.chance)} <small>{say!(form.chance_note)}</small></h2>
            <div class="seed">
                <label>
                    {say!(form.seed)}
                    <input
                        data-testid="seed"
                        inputmode="numeric"
                        autocomplete="off"
                        prop:value=move || state.seed.get()
                        on:input=move |event| state.seed_edited(event_target_value(&event))
                    />
                </label>
                <button type="button" data-testid="new-seed" on:click=move |_| state.new_seed()>{say!(form.new_seed)}</button>
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
        Kind::Number | Kind::Optional | Kind::Text => view! {
            <input
                inputmode=if field.kind == Kind::Text { "text" } else { "decimal" }
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
            let own = ("", say!(form.own_preset), say!(form.own_preset_title));
            let options = named.chain([own]).map(|(id, label, source)| {
                view! { <option value=id title=source selected=move || typed.get() == id>{label}</option> }
            });
            select(field, state, options.collect_view().into_any())
        }
        Kind::OtherRegion => {
            let options = move || {
                let regions = state.catalogue.with(|known| known.as_ref().map(|c| c.regions().to_vec()));
                let mut regions = regions.unwrap_or_default();
                let current = typed.get();
                if !current.is_empty() && !regions.contains(&current) {
                    regions.insert(0, current.clone());
                }
                let none = (String::new(), say!(form.same_region).to_owned());
                let named = regions.into_iter().map(|region| (region.clone(), region));
                let options = [none].into_iter().chain(named).map(|(region, label)| {
                    let selected = region == current;
                    view! { <option value=region selected=selected>{label}</option> }
                });
                options.collect_view()
            };
            select(field, state, options.into_any())
        }
        Kind::Region => {
            let size = Memo::new(move |_| state.question.get().map(|q| q.cluster.size.value.clone()));
            let options = move || {
                let size = size.get();
                let regions = state.catalogue.with(|known| known.as_ref().map(|c| c.regions().to_vec()));
                let mut regions = regions.unwrap_or_default();
                let current = typed.get();
                if !regions.contains(&current) {
                    regions.insert(0, current.clone());
                }
                let options = regions.into_iter().map(|region| {
                    let selected = region == current;
                    let label = priced_region(&region, size.as_deref(), state);
                    view! { <option value=region selected=selected>{label}</option> }
                });
                options.collect_view()
            };
            select(field, state, options.into_any())
        }
    };
    // What differs from the default stands out, and goes back by a click. Files have no default.
    let default = field.text(&Assumptions::default());
    let has_default = field.kind != Kind::Preset && !field.id.starts_with("workload.jobs");
    let known = default.clone();
    let changed = move || has_default && typed.get() != known;
    let is_changed = changed.clone();
    let shown = if default.is_empty() { say!(form.empty).to_owned() } else { default.clone() };
    let reset = move || {
        changed().then(|| {
            let (default, label) =
                (default.clone(), say!(form.reset, field = field.label, value = shown.as_str()));
            view! {
                <button
                    type="button"
                    class="reset"
                    title=label.clone()
                    aria-label=label
                    on:click=move |_| state.field_edited(field, default.clone())
                >
                    "↺"
                </button>
            }
        })
    };
    view! {
        <div class="field" class:across=field.kind == Kind::Text class:changed=is_changed>
            <label title=field.hint>
                <span>{field.label} {unit}</span>
                {input}
                <Problem id=field.id state/>
            </label>
            {reset}
        </div>
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
    let (Some(question), Some(catalogue)) = (state.question.get(), state.catalogue.get()) else {
        return String::new();
    };
    let rate = match field.id {
        "prices.dedicated_per_hour" => question.dedicated_rate(&catalogue),
        "prices.low_priority_per_hour" => question.low_priority_rate(&catalogue),
        _ => None,
    };
    rate.map_or(String::new(), |rate| rate.usd_per_hour.to_string())
}

/// A region with what a node of the cluster's size costs there.
fn priced_region(region: &str, size: Option<&str>, state: State) -> String {
    let (Some(size), Some(catalogue)) = (size, state.catalogue.get()) else { return region.to_owned() };
    let usd = |usd: Option<f64>| usd.map_or_else(|| say!(form.unknown_price).to_owned(), price);
    let (spot, list) = (catalogue.spot_price(size, region), catalogue.dedicated_price(size, region));
    say!(form.region, region, spot = usd(spot), dedicated = usd(list))
}

/// Picks a VM size, which is written into the file of the cluster.
#[component]
fn SizeView(state: State) -> impl IntoView {
    let shown = move || state.question.get().map(|question| question.cluster.size.value.clone());
    // There are many: they are made anew only for another region.
    let region = Memo::new(move |_| state.question.get().map(|q| q.assumptions.prices.region.clone()));
    let sizes = move || {
        let (Some(region), Some(catalogue)) = (region.get(), state.catalogue.get()) else {
            return Vec::new();
        };
        let region = &region;
        let sizes =
            catalogue.sizes().iter().filter(|size| catalogue.dedicated_price(&size.name, region).is_some());
        let options = sizes.map(|size| {
            let label = [
                Some(say!(form.size_vcpus, vcpus = size.vcpus)),
                catalogue
                    .dedicated_price(&size.name, region)
                    .map(|usd| say!(form.size_price, price = price(usd))),
                catalogue.spot_price(&size.name, region).map(|usd| say!(form.size_spot, price = price(usd))),
            ];
            let label = label.into_iter().flatten().collect::<Vec<_>>().join(", ");
            view! { <option value=size.name.clone()>{label}</option> }.into_any()
        });
        options.collect::<Vec<_>>()
    };
    view! {
        <label class="across" title=say!(form.size_title)>
            <span>{say!(form.size)}</span>
            <input
                data-testid="size"
                list="sizes"
                autocomplete="off"
                spellcheck="false"
                prop:value=move || shown().unwrap_or_default()
                on:change=move |event| state.size_picked(event_target_value(&event))
            />
            <datalist id="sizes">{sizes}</datalist>
        </label>
    }
}
