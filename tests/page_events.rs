//! The list of events in a real browser: any number of entries, few of them in the document.
#![allow(clippy::unwrap_used, clippy::expect_used)]
#![cfg(not(target_arch = "wasm32"))]

#[allow(dead_code)]
mod browser;

use browser::Page;
use lowpri::azure::Catalogue;
use lowpri::scenario::{Scenario, documented_example, words::clock, words::number};
use lowpri::sim::Eviction;
use lowpri::study::{Answer, Story, Topic};
use serde_json::{Value, json};

/// A run in which a lot happens.
fn eventful() -> (Scenario, Story) {
    let mut scenario = documented_example();
    scenario.cluster = scenario.cluster.replace("max_instances: 2", "max_instances: 200");
    scenario.deployment = scenario.deployment.replace("instance_count: 2", "instance_count: 200");
    scenario.assumptions.capacity.evictions = vec![Eviction::Exponential { per_node_hour: 1.5, daily: None }];
    scenario.assumptions.workload.jobs[0].files = 1_000_000;
    scenario.assumptions.workload.failure_probability = 0.2;
    let checked = scenario.check(Catalogue::compiled_in());
    let answer = Answer::new(&checked.prepared.expect("nothing is wrong"), 20_000_000).expect("few events");
    (scenario, answer.story)
}

async fn open(scenario: &Scenario) -> Page {
    let page = Page::open().await;
    page.wait_for_text("verdict", "Done in").await;
    page.script_with("return window.lowpri.load(arguments[0])", vec![json!(scenario.to_file())]).await;
    page.click("tab-events").await;
    page
}

const ROWS: &str = "return [...document.querySelectorAll('[data-testid=event-list] > li')]
    .map(row => [+row.ariaPosInSet, +row.ariaSetSize, row.querySelector('button').innerText, row.querySelector('span').innerText])";

/// Those of the rows that are in sight: place from 1, of how many, moment, sentence.
async fn rows(page: &Page) -> Vec<(usize, usize, String, String)> {
    serde_json::from_value(page.script(ROWS).await).expect("rows")
}

async fn wait_for_count(page: &Page, count: usize) {
    let size = "return +(document.querySelector('[data-testid=event-list] > li')?.ariaSetSize ?? 0)";
    page.wait_for_script(size, &json!(count)).await;
}

#[tokio::test]
#[ignore = "needs a built page and Chromium: ./dev test"]
async fn few_of_many_entries_are_in_the_document_and_scrolling_reaches_all() {
    let (scenario, story) = eventful();
    assert!(story.len() > 10_000, "{} entries", story.len());
    let page = open(&scenario).await;
    wait_for_count(&page, story.len()).await;
    let mut seen = 0;
    for share in [0.0, 0.13, 0.5, 0.77, 1.0] {
        let scroll = "const list = document.querySelector('.scroller');
            list.scrollTop = (list.scrollHeight - list.clientHeight) * arguments[0];";
        page.script_with(scroll, vec![json!(share)]).await;
        // What is in the middle of what is seen is an entry, of which the rows tell the truth.
        let middle = "const box = document.querySelector('.scroller').getBoundingClientRect();
            return document.elementFromPoint(box.left + 150, box.top + box.height / 2)?.closest('li') !== null";
        page.script("document.querySelector('.scroller').scrollIntoView({block: 'center'})").await;
        page.wait_for_script(middle, &json!(true)).await;
        let rows = rows(&page).await;
        assert!(rows.len() < 80, "{} rows in the document", rows.len());
        for (place, of, at, sentence) in &rows {
            let entry = story.entry(place - 1).expect("it is in the story");
            assert_eq!((*of, at, sentence), (story.len(), &clock(entry.at), &entry.sentence()));
        }
        seen = seen.max(rows.last().map_or(0, |row| row.0));
    }
    assert_eq!(seen, story.len());
    // No sentence is cut off, on a phone neither.
    for width in [1440, 390] {
        page.resize(width, 844).await;
        let cut = "return [...document.querySelectorAll('.event')].filter(row => row.scrollHeight > row.clientHeight + 1).length";
        page.wait_for_script(cut, &json!(0)).await;
        let apart =
            "const rows = [...document.querySelectorAll('.event')].map(row => row.getBoundingClientRect());
            rows.sort((a, b) => a.top - b.top);
            return rows.slice(1).every((row, i) => row.top >= rows[i].bottom - 0.5)";
        assert_eq!(page.script(apart).await, json!(true), "no row covers another at {width} pixels");
    }
    page.close_and_complain().await;
}

#[tokio::test]
#[ignore = "needs a built page and Chromium: ./dev test"]
async fn a_filter_finds_what_the_story_finds_and_a_click_goes_to_the_moment() {
    let (scenario, story) = eventful();
    let page = open(&scenario).await;
    wait_for_count(&page, story.len()).await;
    let tick =
        "[...document.querySelectorAll('.check')].find(c => c.innerText.startsWith(arguments[0])).click()";
    page.script_with(tick, vec![json!(Topic::Preemptions.name())]).await;
    let topics = [Topic::Preemptions];
    wait_for_count(&page, story.filter(&topics, "").count()).await;
    let find = "const field = document.querySelector('[type=search]'); field.focus();
        document.execCommand('selectAll'); document.execCommand('insertText', false, arguments[0]);";
    page.script_with(find, vec![json!("node 17 ")]).await;
    let found: Vec<_> = story.filter(&topics, "node 17 ").collect();
    assert!(found.len() > 1 && found.len() < story.filter(&topics, "").count());
    wait_for_count(&page, found.len()).await;
    let said = page.script("return document.querySelector('.filter [role=status]').innerText").await;
    assert!(said.as_str().is_some_and(|said| said.starts_with(&number(found.len() as u64))), "{said}");
    let shown = rows(&page).await;
    assert_eq!(shown[0].3, found[0].sentence());

    page.script("document.querySelector('.event:nth-child(2) button').click()").await;
    page.wait_for_script(
        "return document.querySelector('.clock')?.innerText ?? ''",
        &json!(clock(found[1].at)),
    )
    .await;
    assert_eq!(
        page.script("return document.querySelector('[aria-selected=true]').id").await,
        json!("tab-timeline")
    );
    page.close_and_complain().await;
}

#[tokio::test]
#[ignore = "needs a built page and Chromium: ./dev test"]
async fn keys_go_from_entry_to_entry_and_copying_takes_them_all() {
    let (scenario, story) = eventful();
    let page = open(&scenario).await;
    wait_for_count(&page, story.len()).await;
    let stops = "return document.querySelectorAll('.event button[tabindex=\"0\"]').length";
    assert_eq!(page.script(stops).await, json!(1), "the list is one stop of the tab order");
    page.script("document.querySelector('.event button[tabindex=\"0\"]').focus()").await;
    let press = "document.activeElement.dispatchEvent(
        new KeyboardEvent('keydown', {key: arguments[0], bubbles: true, cancelable: true}));";
    let on = "return +(document.activeElement.closest('li')?.ariaPosInSet ?? 0)";
    for (key, place) in [
        ("ArrowDown", 2),
        ("ArrowDown", 3),
        ("ArrowUp", 2),
        ("End", story.len()),
        ("ArrowUp", story.len() - 1),
        ("Home", 1),
    ] {
        page.script_with(press, vec![json!(key)]).await;
        page.wait_for_script(on, &json!(place)).await;
        let seen = "const row = document.activeElement.getBoundingClientRect();
            const box = document.querySelector('.scroller').getBoundingClientRect();
            return row.top >= box.top - 1 && row.bottom <= box.bottom + 1";
        page.wait_for_script(seen, &json!(true)).await;
    }
    page.script_with(press, vec![json!("PageDown")]).await;
    page.wait_for_script("return +document.activeElement.closest('li').ariaPosInSet > 5", &json!(true)).await;

    let take =
        "window.copied = null; navigator.clipboard.writeText = async text => { window.copied = text; };
        [...document.querySelectorAll('.filter button')].at(-1).click();";
    page.script(take).await;
    page.wait_for_script("return window.copied !== null", &json!(true)).await;
    let copied = page.script("return window.copied").await;
    assert_eq!(copied, Value::String(story.as_text()));
    page.close_and_complain().await;
}
