//! The form: a new instance, and the life that is assumed.

use super::held::Held;
use crate::app::words::say;
use crate::azure::Zone;
use crate::scenario::instance::{DEFAULT_SIZE, FRESH_NAME, Life, LifeField, LifeKind, life_fields};
use crate::scenario::words::price;
use leptos::prelude::*;

/// Makes a document of a name and a size.
#[component]
pub fn Fresh(held: Held) -> impl IntoView {
    let name = RwSignal::new(FRESH_NAME.to_owned());
    let size = RwSignal::new(DEFAULT_SIZE.to_owned());
    let region = Memo::new(move |_| held.document.with(|scenario| scenario.life.prices.region.clone()));
    let sizes = move || {
        let Some(catalogue) = held.catalogue.get() else { return Vec::new() };
        let region = region.get();
        let priced = catalogue.sizes().iter().filter_map(|size| {
            let usd = catalogue.dedicated_price(&size.name, &region)?;
            let label =
                [say!(form.size_vcpus, vcpus = size.vcpus), say!(form.size_price, price = price(usd))]
                    .join(", ");
            Some(view! { <option value=size.name.clone()>{label}</option> }.into_any())
        });
        priced.collect::<Vec<_>>()
    };
    view! {
        <details class="card">
            <summary>{say!(instance.fresh)}" "<small>{say!(instance.fresh_note)}</small></summary>
            <div class="form">
                <label>
                    <span>{say!(instance.name)}</span>
                    <input
                        data-testid="fresh-name"
                        autocomplete="off"
                        spellcheck="false"
                        prop:value=move || name.get()
                        on:input=move |event| name.set(event_target_value(&event))
                    />
                </label>
                <label>
                    <span>{say!(instance.size)}</span>
                    <input
                        data-testid="fresh-size"
                        list="instance-sizes"
                        autocomplete="off"
                        spellcheck="false"
                        prop:value=move || size.get()
                        on:input=move |event| size.set(event_target_value(&event))
                    />
                    <datalist id="instance-sizes">{sizes}</datalist>
                </label>
                <button
                    type="button"
                    class="across"
                    data-testid="fresh-instance"
                    on:click=move |_| held.fresh(&name.get_untracked(), &size.get_untracked())
                >
                    {say!(instance.make)}
                </button>
            </div>
        </details>
    }
}

/// The assumptions, group by group.
#[component]
pub fn LifeForm(held: Held) -> impl IntoView {
    let groups = life_fields().chunk_by(|a, b| a.group == b.group).map(|group| {
        let fields = group.iter().map(|field| view! { <FieldView field held/> }).collect_view();
        view! {
            <div class="card">
                <h2>{group[0].group}</h2>
                <div class="form">{fields}</div>
            </div>
        }
    });
    let zones = Zone::all().map(|(name, description)| view! { <option value=name>{description}</option> });
    view! {
        {groups.collect_view()}
        <datalist id="time-zones">{zones.collect_view()}</datalist>
        {move || {
            let known = |id: &String| life_fields().iter().any(|field| field.id == id);
            let others = held.problems.get().into_iter().filter(|(id, _)| !known(id));
            let lines = others.map(|(id, message)| format!("{id}: {message}")).collect::<Vec<_>>().join("\n");
            (!lines.is_empty()).then(|| view! { <p class="card problem" role="alert">{lines}</p> })
        }}
    }
}

#[component]
fn FieldView(field: &'static LifeField, held: Held) -> impl IntoView {
    let typed = held.typed(field);
    let wrong = move || held.problems.with(|problems| problems.contains_key(field.id)).to_string();
    let unit = (!field.unit.is_empty()).then(|| view! { <small>", "{field.unit}</small> });
    let edit = move |event| held.field_edited(field, event_target_value(&event));
    let placeholder = move || match field.id {
        "life.prices.compute_per_hour" => held.answer.with(|answer| {
            answer.as_ref().map_or_else(String::new, |answer| answer.prepared.rate.usd_per_hour.to_string())
        }),
        _ => String::new(),
    };
    let input = match field.kind {
        LifeKind::Choice(choices) => {
            let options = choices.iter().map(|&(value, label)| {
                view! { <option value=value selected=move || typed.get() == value>{label}</option> }
            });
            view! {
                <select data-field=field.id prop:value=move || typed.get() on:change=edit>
                    {options.collect_view()}
                </select>
            }
            .into_any()
        }
        LifeKind::Region => {
            let options = move || {
                let regions = held.catalogue.with(|known| known.as_ref().map(|c| c.regions().to_vec()));
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
            view! {
                <select data-field=field.id prop:value=move || typed.get() on:change=edit>{options}</select>
            }
            .into_any()
        }
        LifeKind::Time => view! {
            <input
                type="datetime-local"
                data-field=field.id
                aria-invalid=wrong
                prop:value=move || typed.get()
                on:input=edit
            />
        }
        .into_any(),
        LifeKind::Number | LifeKind::Optional | LifeKind::Text | LifeKind::Zone => {
            let mode = matches!(field.kind, LifeKind::Number | LifeKind::Optional).then_some("decimal");
            view! {
                <input
                    inputmode=mode
                    autocomplete="off"
                    spellcheck="false"
                    data-field=field.id
                    list=(field.kind == LifeKind::Zone).then_some("time-zones")
                    aria-invalid=wrong
                    placeholder=placeholder
                    prop:value=move || typed.get()
                    on:input=edit
                />
            }
            .into_any()
        }
    };
    let default = field.text(&Life::default());
    let known = default.clone();
    let changed = move || {
        let text = held.document.with(|scenario| field.text(&scenario.life));
        text != known
    };
    let is_changed = changed.clone();
    let reset = move || {
        changed().then(|| {
            let label = say!(instance.reset, label = field.label, default = default.as_str());
            let default = default.clone();
            view! {
                <button
                    type="button"
                    class="reset"
                    title=label.clone()
                    aria-label=label
                    on:click=move |_| held.field_edited(field, default.clone())
                >
                    "↺"
                </button>
            }
        })
    };
    let is_wide = matches!(field.kind, LifeKind::Text | LifeKind::Zone | LifeKind::Time);
    view! {
        <div class="field" class:changed=is_changed class:across=is_wide>
            <label title=field.hint>
                <span>{field.label} {unit}</span>
                {input}
                {move || {
                    let problem = held.problems.with(|problems| problems.get(field.id).cloned());
                    problem.map(|problem| view! { <span class="problem" role="alert">{problem}</span> })
                }}
            </label>
            {reset}
        </div>
    }
}
