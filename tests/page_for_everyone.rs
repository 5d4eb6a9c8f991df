//! The page for everyone: axe-core finds nothing serious on any tab, light and dark; the keyboard is enough.
#![allow(clippy::unwrap_used, clippy::expect_used)]
#![cfg(not(target_arch = "wasm32"))]

#[allow(dead_code)]
mod browser;

use browser::Page;
use fantoccini::key::Key;
use serde_json::{Value, json};

const TABS: [&str; 7] = [
    "tab-timeline",
    "tab-chances",
    "tab-break-even",
    "tab-plans",
    "tab-compare",
    "tab-sensitivity",
    "tab-events",
];

#[tokio::test]
#[ignore = "needs a built page and Chromium: ./dev test"]
async fn nothing_serious_stands_in_anyones_way_on_any_tab_light_and_dark() {
    for (theme, width) in [("light", 1440), ("dark", 1440), ("light", 390)] {
        let page = Page::open_at(&format!("?theme={theme}"), "").await;
        page.resize(width, 900).await;
        page.wait_for_text("progress", "1,000 runs").await;
        for tab in TABS {
            page.click(tab).await;
            page.wait_for_script("return document.querySelector('[aria-selected=true]').id", &json!(tab))
                .await;
            page.wait_for_script(
                "return document.querySelector('[data-testid=cancel]').style.display",
                &json!("none"),
            )
            .await;
            assert_eq!(page.barriers().await, json!([]), "{theme}, {width} pixels, {tab}");
        }
        page.close_and_complain().await;
    }
}

#[tokio::test]
#[ignore = "needs a built page and Chromium: ./dev test"]
async fn arrow_keys_reach_every_tab_and_every_block() {
    let page = Page::open().await;
    page.wait_for_text("progress", "1,000 runs").await;
    let press = "const on = document.activeElement;
        on.dispatchEvent(new KeyboardEvent('keydown', {key: arguments[0], bubbles: true, cancelable: true}));";
    page.script("document.querySelector('[data-testid=tab-timeline]').focus()").await;
    for tab in TABS.into_iter().skip(1).chain(["tab-timeline"]) {
        page.script_with(press, vec![json!("ArrowRight")]).await;
        page.wait_for_script("return document.activeElement.id", &json!(tab)).await;
        assert_eq!(page.script("return document.activeElement.ariaSelected").await, json!("true"));
    }
    page.script("document.querySelector('[data-testid=node-timeline]').focus()").await;
    page.script_with(press, vec![json!("ArrowRight")]).await;
    let said = "return document.querySelector('.said').innerText";
    page.wait_for_script(&format!("{said}.startsWith('Node 0, worker 0. Mini-batch')"), &json!(true)).await;
    for key in ["ArrowRight", "ArrowDown"] {
        let before = page.script(said).await;
        page.script_with(press, vec![json!(key)]).await;
        page.wait_for_script(
            &format!("return document.querySelector('.said').innerText !== {before}"),
            &json!(true),
        )
        .await;
    }
    page.close_and_complain().await;
}

/// What has the focus: its test id, its field, or else its name.
const FOCUS: &str = "const on = document.activeElement;
    return on.dataset.testid ?? on.dataset.field ?? on.ariaLabel ?? on.innerText?.slice(0, 40) ?? on.tagName";

/// Presses Tab until something has the focus; whatever has it on the way can be seen to have it.
async fn tab_to(page: &Page, wanted: &str) {
    let mut way: Vec<Value> = Vec::new();
    for _ in 0..120 {
        page.press(&Key::Tab).await;
        let now = page.script(FOCUS).await;
        let shown = "const style = getComputedStyle(document.activeElement);
            const box = document.activeElement.getBoundingClientRect();
            const seen = document.activeElement.matches(':focus-visible') || document.activeElement === document.body;
            return seen && (style.outlineStyle !== 'none' || document.activeElement.closest('.editor') !== null
                || document.activeElement === document.body) && box.width > 0";
        assert_eq!(page.script(shown).await, json!(true), "the focus is seen on {now}");
        if now == json!(wanted) {
            return;
        }
        way.push(now);
    }
    panic!("Tab does not reach {wanted}: {way:?}");
}

#[tokio::test]
#[ignore = "needs a built page and Chromium: ./dev test"]
async fn the_whole_way_can_be_gone_with_the_keyboard_alone() {
    let page = Page::open().await;
    page.wait_for_text("progress", "1,000 runs, ").await;
    // Into the editor, and something is typed.
    page.press(&Key::Tab).await;
    tab_to(&page, "cluster-editor").await;
    let control = |key: char| format!("{}{key}{}", char::from(Key::Control), char::from(Key::Null));
    let end = format!("{}{}{}", char::from(Key::Control), char::from(Key::End), char::from(Key::Null));
    page.press(&end).await;
    page.press("de").await;
    let open = "return document.querySelector('.cm-tooltip-autocomplete') !== null";
    page.wait_for_script(open, &json!(true)).await;
    // Escape closes what is offered, undo takes back what was typed, and Tab leaves.
    page.press(&Key::Escape).await;
    page.wait_for_script(open, &json!(false)).await;
    page.wait_for_text("verdict", "last good result").await;
    page.press(&control('z')).await;
    page.wait_for_text("verdict", "Done in").await;
    tab_to(&page, "deployment-editor").await;
    tab_to(&page, "seed").await;
    tab_to(&page, "workload.jobs[0].files").await;
    let files = "return document.activeElement.value";
    page.press(&control('a')).await;
    page.press("500").await;
    page.wait_for_script(files, &json!("500")).await;
    page.wait_for_script("return window.lowpri.result().jobs[0].mini_batches", &json!(250)).await;

    // Through the form to the tabs, and with arrows along them.
    tab_to(&page, "tab-timeline").await;
    for tab in TABS.into_iter().skip(1) {
        page.press(&Key::Right).await;
        page.wait_for_script(FOCUS, &json!(tab)).await;
        page.wait_for_script("return document.querySelector('[aria-selected=true]').id", &json!(tab)).await;
    }
    page.wait_for_script("return document.querySelectorAll('.event').length > 5", &json!(true)).await;
    page.press(&Key::Home).await;
    page.wait_for_script(FOCUS, &json!("tab-timeline")).await;

    // Charts, legends and the blocks of nodes.
    let charts = page.script("return document.querySelector('.charts').ariaLabel").await;
    tab_to(&page, charts.as_str().expect("a name")).await;
    page.press(&Key::Right).await;
    page.wait_for_script("return document.querySelector('.charts .reading') !== null", &json!(true)).await;
    tab_to(&page, "Show dedicated").await;
    page.press(" ").await;
    page.wait_for_script("return document.activeElement.ariaPressed", &json!("false")).await;
    tab_to(&page, "node-timeline").await;
    page.press(&Key::Right).await;
    let said = "return document.querySelector('.said').innerText.startsWith('Node 0, worker 0. Mini-batch')";
    page.wait_for_script(said, &json!(true)).await;

    // Back at the top: the dialog opens, keeps the focus, closes with Escape and gives it back.
    page.script("document.querySelector('[data-testid=preset-menu]').focus()").await;
    tab_to(&page, "share").await;
    page.press(&Key::Enter).await;
    let dialog = "return document.querySelector('[data-testid=share-link]').closest('dialog').open";
    page.wait_for_script(dialog, &json!(true)).await;
    for _ in 0..8 {
        page.press(&Key::Tab).await;
        let inside = "return document.activeElement === document.body || document.activeElement.closest('dialog') !== null";
        assert_eq!(page.script(inside).await, json!(true), "the focus stays in the dialog");
    }
    page.press(&Key::Escape).await;
    page.wait_for_script(dialog, &json!(false)).await;
    page.wait_for_script(FOCUS, &json!("share")).await;
    page.close_and_complain().await;
}

#[tokio::test]
#[ignore = "needs a built page and Chromium: ./dev test"]
async fn licences_of_all_that_the_page_is_made_of_are_one_link_away() {
    let page = Page::open().await;
    page.wait_for_text("verdict", "Done in").await;
    let fetched = page
        .script("return fetch(document.querySelector('footer a').href).then(answer => answer.text())")
        .await;
    let text = fetched.as_str().expect("a text");
    for name in ["@codemirror/view ", "leptos ", "plotters ", "Permission is hereby granted"] {
        assert!(text.contains(name), "{name} is not among the licences");
    }
    page.close_and_complain().await;
}
