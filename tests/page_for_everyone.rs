//! The page for everyone: axe-core finds nothing serious on any tab, light and dark; the keyboard is enough.
#![allow(clippy::unwrap_used, clippy::expect_used)]
#![cfg(not(target_arch = "wasm32"))]

#[allow(dead_code)]
mod browser;

use browser::Page;
use serde_json::json;

const TABS: [&str; 7] = [
    "tab-timeline",
    "tab-chances",
    "tab-break-even",
    "tab-plans",
    "tab-compare",
    "tab-sensitivity",
    "tab-events",
];

/// What axe-core finds serious or critical on the page as it is, with the first places.
const FOUND: &str = "return axe.run(document, {resultTypes: ['violations']}).then(result => result.violations
    .filter(found => ['serious', 'critical'].includes(found.impact))
    .map(found => `${found.id}: ${found.nodes.slice(0, 3).map(node => node.target + ' ' + node.failureSummary)}`))";

#[tokio::test]
#[ignore = "needs a built page and Chromium: ./dev test"]
async fn nothing_serious_stands_in_anyones_way_on_any_tab_light_and_dark() {
    let axe = std::fs::read_to_string("assets/editor/node_modules/axe-core/axe.min.js").expect("npm ci ran");
    for (theme, width) in [("light", 1440), ("dark", 1440), ("light", 390)] {
        let page = Page::open_at(&format!("?theme={theme}"), "").await;
        page.resize(width, 900).await;
        page.wait_for_text("progress", "1,000 runs").await;
        page.script(&format!("{axe}; window.axe = axe;")).await;
        for tab in TABS {
            page.click(tab).await;
            page.wait_for_script("return document.querySelector('[aria-selected=true]').id", &json!(tab))
                .await;
            page.wait_for_script(
                "return document.querySelector('[data-testid=cancel]').style.display",
                &json!("none"),
            )
            .await;
            let found = page.script(FOUND).await;
            assert_eq!(found, json!([]), "{theme}, {width} pixels, {tab}");
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
