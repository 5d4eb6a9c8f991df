//! What can be done on the timeline in a real browser: zoom, hide a line, drag the playhead, many nodes.
#![allow(clippy::unwrap_used, clippy::expect_used)]
#![cfg(not(target_arch = "wasm32"))]

#[allow(dead_code)]
mod browser;

use browser::Page;
use lowpri::chart::{View, heat_height, plot_area, row_height};
use lowpri::scenario::{Scenario, documented_example, words::clock};
use lowpri::sim::Ms;
use serde_json::{Value, json};

/// The page with all runs played, after which nothing changes by itself.
async fn settled() -> Page {
    let page = Page::open().await;
    page.wait_for_text("progress", "1,000 runs, ").await;
    page
}

async fn load(page: &Page, scenario: &Scenario) {
    page.script_with("return window.lowpri.load(arguments[0])", vec![json!(scenario.to_file())]).await;
}

/// The charts in the window, and the end of their time axis, which the player's slider has.
async fn charts(page: &Page) -> ([f64; 4], Ms) {
    let place = page.place("[data-testid=chart-cost]").await;
    let end = page.script("return +document.querySelector('.player [type=range]').max").await;
    (place, end.as_f64().expect("a moment") as Ms)
}

/// A column of the charts in the window, at a share of their plots.
fn column([left, _, width, _]: [f64; 4], share: f64) -> f64 {
    let (from, to) = plot_area(width as u32);
    (left + f64::from(from) + share * f64::from(to - from)).round()
}

const SHOW_ALL: &str = "return document.querySelector('[data-testid=show-all]') !== null";

#[tokio::test]
#[ignore = "needs a built page and Chromium: ./dev test"]
async fn a_drag_zooms_all_charts_and_a_double_click_shows_all_again() {
    let page = settled().await;
    let names = ["chart-throughput", "chart-cost", "chart-preempted-cores", "chart-nodes"];
    let mut before = Vec::new();
    for name in names {
        before.push(page.html(name).await);
    }
    let (place, _) = charts(&page).await;
    let y = place[1] + 70.0;
    page.drag((column(place, 0.3), y), (column(place, 0.6), y)).await;
    page.wait_for_script(SHOW_ALL, &json!(true)).await;
    for (name, before) in names.iter().zip(&before) {
        assert_ne!(&page.html(name).await, before, "{name} is zoomed");
    }
    // The ticks are those of the part: from 30 to 60 % of 1:10 or so.
    let axis = page.html("chart-nodes").await;
    assert!(axis.contains("0:32") && !axis.contains("0:10") && !axis.contains("1:00"), "{axis}");

    page.double_click((column(place, 0.5), y)).await;
    page.wait_for_script(SHOW_ALL, &json!(false)).await;
    for (name, before) in names.iter().zip(&before) {
        assert_eq!(&page.html(name).await, before, "{name} is as it was");
    }
    page.close_and_complain().await;
}

#[tokio::test]
#[ignore = "needs a built page and Chromium: ./dev test"]
async fn an_entry_of_a_legend_hides_its_line_in_all_charts_and_shows_it_again() {
    let page = settled().await;
    let dashes = "return ['chart-throughput', 'chart-cost'].map(name =>
        document.querySelector(`[data-testid=${name}]`).querySelectorAll('polyline').length)";
    let before = page.script(dashes).await;
    let press =
        "const entry = [...document.querySelectorAll('.entry')].find(e => e.ariaLabel === 'Show dedicated');
        entry.click();";
    let pressed = "return [...document.querySelectorAll('.entry')]
        .filter(e => e.ariaLabel === 'Show dedicated').map(e => e.ariaPressed)";
    assert_eq!(page.script(pressed).await, json!(["true", "true"]));
    page.script(press).await;
    page.wait_for_script(pressed, &json!(["false", "false"])).await;
    let after = page.script(dashes).await;
    for chart in 0..2 {
        // A dashed line is a stroke a dash.
        let (all, fewer) = (before[chart].as_u64().unwrap(), after[chart].as_u64().unwrap());
        assert!(fewer + 20 < all, "{before} {after}");
    }
    page.script(press).await;
    page.wait_for_script(dashes, &before).await;
    page.close_and_complain().await;
}

#[tokio::test]
#[ignore = "needs a built page and Chromium: ./dev test"]
async fn the_playhead_is_dragged_by_its_handle_and_nothing_is_zoomed() {
    let page = settled().await;
    let (place, end) = charts(&page).await;
    let before = page.html("chart-cost").await;
    let handle = "[data-testid=playhead]";
    let clock_shown = "return document.querySelector('.clock').innerText";
    assert_eq!(page.script(clock_shown).await, json!("0:00:00"));
    let mut share = 0.0;
    for to in [0.5, 0.8, 0.25] {
        let [left, top, width, height] = page.place(handle).await;
        let from = (left + width / 2.0, top + height / 2.0);
        assert!((from.0 - column(place, share)).abs() <= 1.5, "the handle is at the playhead");
        page.drag((from.0.round(), from.1.round()), (column(place, to), from.1 + 60.0)).await;
        let at = View::new(0, end).at(column(place, to) - place[0], place[2] as u32);
        page.wait_for_script(clock_shown, &json!(clock(at))).await;
        share = to;
    }
    let lines =
        "return [...document.querySelectorAll('.playhead')].map(line => line.getBoundingClientRect().left)";
    let lines: Vec<f64> = serde_json::from_value(page.script(lines).await).expect("places");
    assert_eq!(lines.len(), 2, "one through the charts, one through the nodes");
    assert!(lines.iter().all(|x| (x - column(place, share)).abs() < 3.0), "{lines:?}");
    assert_eq!(page.script(SHOW_ALL).await, json!(false));
    assert_eq!(page.html("chart-cost").await, before);
    page.close_and_complain().await;
}

const PRESS: &str = "const on = document.querySelector(arguments[0]); on.focus();
    on.dispatchEvent(new KeyboardEvent('keydown', {key: arguments[1], bubbles: true, cancelable: true}));";

async fn press(page: &Page, on: &str, key: &str) {
    page.script_with(PRESS, vec![json!(on), json!(key)]).await;
}

#[tokio::test]
#[ignore = "needs a built page and Chromium: ./dev test"]
async fn charts_over_time_are_read_zoomed_and_left_by_keys() {
    let page = settled().await;
    let (_, end) = charts(&page).await;
    let read = "return document.querySelector('.charts .reading dd')?.innerText ?? ''";
    press(&page, ".charts", "ArrowRight").await;
    press(&page, ".charts", "ArrowRight").await;
    let view = View::new(0, end);
    let at = view.stepped(view.stepped(0, 1), 1);
    page.wait_for_script(read, &json!(clock(at))).await;
    let said = page.script("return document.querySelector('.charts + [role=status]').innerText").await;
    assert!(said.as_str().is_some_and(|said| said.contains("throughput")), "{said}");
    press(&page, ".charts", "Enter").await;
    page.wait_for_script("return document.querySelector('.clock').innerText", &json!(clock(at))).await;
    press(&page, ".charts", "+").await;
    page.wait_for_script(SHOW_ALL, &json!(true)).await;
    press(&page, ".charts", "0").await;
    page.wait_for_script(SHOW_ALL, &json!(false)).await;
    press(&page, ".charts", "Escape").await;
    page.wait_for_script(read, &json!("")).await;
    page.close_and_complain().await;
}

/// What is read in a chart of a study: names and texts.
fn reading(testid: &str) -> String {
    format!(
        "const chart = document.querySelector('[data-testid={testid}]');
        return [...(chart?.parentElement.querySelectorAll('.reading > *') ?? [])].map(e => e.innerText)"
    )
}

#[tokio::test]
#[ignore = "needs a built page and Chromium: ./dev test"]
async fn charts_of_studies_are_read_by_pointer_and_by_keys() {
    let page = settled().await;
    for (tab, chart, first, name) in [
        ("tab-chances", "distribution-time", "time", "up to there"),
        ("tab-chances", "distribution-cost", "cost", "up to there"),
        ("tab-break-even", "chart-break-even", "evicted in an hour", "low priority"),
        ("tab-break-even", "chart-time-over-evictions", "evicted in an hour", "dedicated"),
        ("tab-break-even", "chart-break-even-price", "share of the dedicated price", "low priority"),
        ("tab-plans", "chart-front", "plan", "a completed run"),
    ] {
        page.click(tab).await;
        page.wait_for_script(
            "const study = document.querySelector('[data-testid=cancel]'); return study.style.display",
            &json!("none"),
        )
        .await;
        let there = format!("return document.querySelector('[data-testid={chart}] svg') !== null");
        page.wait_for_script(&there, &json!(true)).await;
        let selector = format!("[data-testid={chart}]");
        let [left, top, width, _] = page.place(&selector).await;
        page.move_to(((left + width * 0.4).round(), (top + 140.0).round())).await;
        let read = reading(chart);
        page.wait_for_script(&format!("{read}.length > 0"), &json!(true)).await;
        let by_pointer = page.script(&read).await;
        let words: Vec<String> = serde_json::from_value(by_pointer.clone()).expect("texts");
        assert!(words[0] == first && words.iter().any(|word| word == name), "{chart}: {words:?}");

        // Elsewhere something else is read.
        page.move_to(((left + width * 0.85).round(), (top + 140.0).round())).await;
        assert_ne!(page.script(&read).await, by_pointer, "{chart}");
        page.move_to((5.0, 5.0)).await;
        page.wait_for_script(&read, &json!([])).await;

        let on = format!("[data-testid={chart}]");
        let plot = "const chart = document.querySelector(arguments[0]).parentElement; chart.focus();
            chart.dispatchEvent(new KeyboardEvent('keydown', {key: arguments[1], bubbles: true, cancelable: true}));
            return document.activeElement === chart";
        let mut seen: Vec<Value> = Vec::new();
        for key in ["Home", "ArrowRight", "End"] {
            let focused = page.script_with(plot, vec![json!(on), json!(key)]).await;
            assert_eq!(focused, json!(true), "{chart} can have the focus");
            let now = page.script(&read).await;
            assert!(now != json!([]) && !seen.contains(&now), "{chart}, {key}: {now}");
            seen.push(now);
        }
        let said = "return document.querySelector(arguments[0]).parentElement.querySelector('[role=status]').innerText";
        let said = page.script_with(said, vec![json!(on)]).await;
        let last = seen.last().and_then(|last| last[1].as_str()).expect("a text");
        assert!(said.as_str().is_some_and(|said| said.contains(last)), "{said} lacks {last}");
    }
    page.close_and_complain().await;
}

fn of_nodes(nodes: u32) -> Scenario {
    let mut scenario = documented_example();
    scenario.cluster = scenario.cluster.replace("max_instances: 2", &format!("max_instances: {nodes}"));
    scenario.deployment =
        scenario.deployment.replace("instance_count: 2", &format!("instance_count: {nodes}"));
    scenario.assumptions.workload.jobs[0].files = 20_000;
    scenario
}

#[tokio::test]
#[ignore = "needs a built page and Chromium: ./dev test"]
async fn a_thousand_nodes_are_drawn_as_far_as_they_are_in_sight_and_more_are_a_heat_map() {
    let page = settled().await;
    load(&page, &of_nodes(1000)).await;
    let label = "return document.querySelector('[data-testid=node-timeline]').ariaLabel";
    page.wait_for_script(&format!("{label}.startsWith('1,000 nodes')"), &json!(true)).await;
    let height = "return document.querySelector('.rows .all').clientHeight";
    page.wait_for_script(height, &json!(1000 * row_height(2))).await;
    let marks = "return document.querySelectorAll('.rows .drawn *').length";
    assert!(page.script(marks).await.as_u64().expect("a number") < 6000);
    let names =
        "return [...document.querySelectorAll('.rows .drawn text')].map(text => text.textContent.trim())";
    let first = page.script(names).await.to_string();
    assert!(first.contains('0') && !first.contains("999"), "{first}");
    page.script("const list = document.querySelector('.rows'); list.scrollTop = list.scrollHeight").await;
    page.wait_for_script(&format!("{names}.some(name => name.includes('999'))"), &json!(true)).await;
    assert!(page.script(marks).await.as_u64().expect("a number") < 6000);

    load(&page, &of_nodes(1500)).await;
    page.wait_for_script(&format!("{label}.startsWith('1,500 nodes')"), &json!(true)).await;
    page.wait_for_script(height, &json!(heat_height(1500))).await;
    assert!(heat_height(1500) <= 400);
    assert!(page.html("node-timeline").await.contains("<svg"));
    // A click goes to a moment there, too.
    let [left, top, width, _] = page.place("[data-testid=node-timeline]").await;
    let at = ((left + width / 2.0).round(), top + 50.0);
    page.drag(at, at).await;
    let clock_shown = "return document.querySelector('.clock').innerText === '0:00:00'";
    page.wait_for_script(clock_shown, &json!(false)).await;
    page.close_and_complain().await;
}
