//! A chart as it stands on the page: the drawing, what it shows in a sentence, and the table behind it.

use super::browser::watch_width;
use super::state::State;
use super::words::say;
use crate::chart::{DrawError, Look, Palette, STUDY_HEIGHT, Table, TextAlternative};
use crate::scenario::words::{exact_money, percent};
use crate::study::CostParts;
use leptos::html::Div;
use leptos::prelude::*;

/// A chart of a study, as wide as there is room.
pub fn figure(
    state: State,
    testid: &'static str,
    text: TextAlternative,
    draw: impl Fn(&Look) -> Result<String, DrawError> + Send + Sync + 'static,
) -> impl IntoView {
    let frame = NodeRef::<Div>::new();
    let width = RwSignal::new(0);
    frame.on_load(move |frame| watch_width(&frame, move |now| width.set(now)));
    let drawing = move || {
        let width = width.get();
        let palette = if state.dark.get() { Palette::DARK } else { Palette::LIGHT };
        (width > 0).then(|| draw(&Look::new(width, &palette)).unwrap_or_else(|error| error.to_string()))
    };
    let TextAlternative { summary, table } = text;
    // The drawing holds words and numbers of this program only, nothing that was pasted.
    view! {
        <div
            class="chart"
            data-testid=testid
            role="img"
            aria-label=summary
            node_ref=frame
            style=format!("height:{STUDY_HEIGHT}px")
            inner_html=move || drawing().unwrap_or_default()
        ></div>
        {numbers(table.caption.clone(), move || Some(table.clone()))}
    }
}

/// The table behind a chart, folded away; it is made when it is opened.
pub fn numbers(name: String, table: impl Fn() -> Option<Table> + Send + Sync + 'static) -> impl IntoView {
    let open = RwSignal::new(false);
    view! {
        <details
            class="numbers-behind"
            on:toggle=move |event| {
                let details: web_sys::Element = event_target(&event);
                open.set(details.has_attribute("open"));
            }
        >
            <summary>{say!(answer.numbers, name)}</summary>
            {move || open.get().then(&table).flatten().map(rows)}
        </details>
    }
}

fn rows(table: Table) -> impl IntoView {
    let head = table.head.into_iter().map(|name| view! { <th scope="col">{name}</th> }).collect_view();
    let rows = table.rows.into_iter().map(|row| {
        let mut cells = row.into_iter();
        let first = cells.next().unwrap_or_default();
        view! {
            <tr>
                <th scope="row">{first}</th>
                {cells.map(|cell| view! { <td>{cell}</td> }).collect_view()}
            </tr>
        }
    });
    view! {
        <div class="scroll" tabindex="0" role="group" aria-label=say!(page.table_may_scroll)>
            <table>
                <caption>{table.caption}</caption>
                <thead><tr>{head}</tr></thead>
                <tbody>{rows.collect_view()}</tbody>
            </table>
        </div>
    }
}

/// What money went into, and the whole.
pub fn parts_table(parts: &CostParts, whole: f64) -> impl IntoView + use<> {
    let row = |(name, what, usd): (&'static str, &'static str, f64)| {
        view! {
            <tr>
                <th scope="row">{name}</th>
                <td class="what">{what}</td>
                <td>{exact_money(usd, whole)}</td>
                <td>{percent(usd / whole)}</td>
            </tr>
        }
    };
    // What is no node time stands apart, below the sum of what is.
    let (nodes, apart) = parts.groups();
    let rows = nodes.into_iter().map(row).collect_view();
    let apart = apart.map(|part| {
        view! {
            <tbody>
                {row((say!(answer.nodes), say!(answer.node_time), whole - part.2))}
                {row(part)}
            </tbody>
        }
    });
    view! {
        <table>
            <tbody>{rows}</tbody>
            {apart}
            <tfoot>
                <tr>
                    <th scope="row">{say!(answer.in_all)}</th>
                    <td class="what"></td>
                    <td>{exact_money(whole, whole)}</td>
                    <td></td>
                </tr>
            </tfoot>
        </table>
    }
}
