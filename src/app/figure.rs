//! A chart as it stands on the page: the drawing, what it shows in a sentence, and the table behind it.

use super::browser::watch_width;
use super::state::State;
use super::words::say;
use crate::chart::{DrawError, Look, Palette, Reading, Readings, STUDY_HEIGHT, Table, TextAlternative};
use crate::scenario::words::{exact_money, percent};
use crate::study::CostParts;
use leptos::ev::{KeyboardEvent, MouseEvent};
use leptos::html::Div;
use leptos::prelude::*;

/// A chart of a study, as wide as there is room. What is read in it at a width, by pointer or arrow keys, comes from
/// `read`.
pub fn figure(
    state: State,
    testid: &'static str,
    text: TextAlternative,
    draw: impl Fn(&Look) -> Result<String, DrawError> + Send + Sync + 'static,
    read: impl Fn(u32) -> Readings + Send + Sync + 'static,
) -> AnyView {
    // The view is compiled once for all charts.
    figure_of(state, testid, text, Box::new(draw), Box::new(read))
}

type Draw = Box<dyn Fn(&Look) -> Result<String, DrawError> + Send + Sync>;
type Read = Box<dyn Fn(u32) -> Readings + Send + Sync>;

fn figure_of(state: State, testid: &'static str, text: TextAlternative, draw: Draw, read: Read) -> AnyView {
    let frame = NodeRef::<Div>::new();
    let width = RwSignal::new(0);
    frame.on_load(move |frame| watch_width(&frame, move |now| width.set(now)));
    let drawing = move || {
        let width = width.get();
        let palette = if state.dark.get() { Palette::DARK } else { Palette::LIGHT };
        (width > 0).then(|| draw(&Look::new(width, &palette)).unwrap_or_else(|error| error.to_string()))
    };
    let readings = Memo::new(move |_| read(width.get()));
    let chosen = RwSignal::new(None::<usize>);
    let said = RwSignal::new(String::new());
    let point = move |event: MouseEvent| {
        let Some(frame) = frame.get_untracked() else { return };
        let corner = frame.get_bounding_client_rect();
        let (x, y) =
            (f64::from(event.client_x()) - corner.left(), f64::from(event.client_y()) - corner.top());
        chosen.set(readings.with_untracked(|readings| readings.nearest(x, y)));
    };
    let key = move |event: KeyboardEvent| {
        if event.key() == "Escape" {
            return chosen.set(None);
        }
        let next =
            readings.with_untracked(|readings| readings.step(chosen.get_untracked(), event.key().as_str()));
        if next.is_some() {
            event.prevent_default();
            chosen.set(next);
            // A pointer sees it; what a key reads is said.
            let reading = readings.with_untracked(|readings| next.and_then(|i| readings.get(i)).cloned());
            said.set(reading.as_ref().map(Reading::sentence).unwrap_or_default());
        }
    };
    let shown = move || readings.with(|readings| readings.get(chosen.get()?).cloned());
    let TextAlternative { summary, table } = text;
    let label = say!(answer.read, chart = table.caption.clone());
    // The drawing holds words and numbers of this program only, nothing that was pasted.
    view! {
        <div
            class="plot"
            tabindex="0"
            role="group"
            aria-label=label
            on:mousemove=point
            on:mouseleave=move |_| chosen.set(None)
            on:blur=move |_| chosen.set(None)
            on:keydown=key
        >
            <div
                class="chart"
                data-testid=testid
                role="img"
                aria-label=summary
                node_ref=frame
                style=format!("height:{STUDY_HEIGHT}px")
                inner_html=move || drawing().unwrap_or_default()
            ></div>
            {move || shown().map(|reading| crosshair(reading, width.get()))}
            <p class="unseen" role="status">{move || said.get()}</p>
        </div>
        {numbers(table.caption.clone(), move || Some(table.clone()))}
    }
    .into_any()
}

fn crosshair(reading: Reading, width: u32) -> AnyView {
    let Reading { x, y, values } = reading;
    view! {
        <div class="pointer" style=format!("left:{x:.1}px")></div>
        {y.map(|y| view! { <div class="spot" style=format!("left:{x:.1}px;top:{y:.1}px")></div> })}
        {reading_box(x, width, values)}
    }
    .into_any()
}

/// Narrower than this there is no room beside the crosshair, in CSS pixels.
const NARROW: u32 = 560;

/// What is read at a column of a drawing, at the side of it where there is more room; across a narrow drawing.
pub fn reading_box(x: f64, width: u32, values: Vec<(String, String)>) -> AnyView {
    const APART: f64 = 14.0;
    let right = f64::from(width) - x;
    let (side, room) = if x > right { ("right", x) } else { ("left", right) };
    let across = width < NARROW;
    let style = if across {
        String::new()
    } else {
        format!("{side}:{:.0}px;max-width:{:.0}px", f64::from(width) - room + APART, room - APART)
    };
    view! {
        <dl class="reading" class:across=across data-testid="reading" style=style>
            {values.into_iter().map(|(name, text)| view! { <dt>{name}</dt><dd>{text}</dd> }).collect_view()}
        </dl>
    }
    .into_any()
}

/// The table behind a chart, folded away; it is made when it is opened.
pub fn numbers(name: String, table: impl Fn() -> Option<Table> + Send + Sync + 'static) -> AnyView {
    numbers_of(name, Box::new(table))
}

fn numbers_of(name: String, table: Box<dyn Fn() -> Option<Table> + Send + Sync>) -> AnyView {
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
    .into_any()
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
        {scrolling(view! {
            <table>
                <caption>{table.caption}</caption>
                <thead><tr>{head}</tr></thead>
                <tbody>{rows.collect_view()}</tbody>
            </table>
        })}
    }
}

/// A table that may be wider than there is room: it scrolls by itself, by keys as well.
pub fn scrolling(table: impl IntoView) -> impl IntoView {
    view! {
        <div class="scroll" tabindex="0" role="group" aria-label=say!(page.table_may_scroll)>{table}</div>
    }
}

/// An estimate in a cell of a table; its interval goes to a line of its own where there is no room beside it.
pub fn estimate(words: &str) -> impl IntoView + use<> {
    let (value, interval) = words.split_once(" (").unwrap_or((words, ""));
    let (value, interval) = (value.to_owned(), (!interval.is_empty()).then(|| format!("({interval}")));
    view! {
        <span>{value}</span>
        {interval.map(|interval| view! { " " <small>{interval}</small> })}
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
