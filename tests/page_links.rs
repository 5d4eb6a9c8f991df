//! Links, presets and embedding in a real browser.
#![allow(clippy::unwrap_used, clippy::expect_used)]
#![cfg(not(target_arch = "wasm32"))]

#[allow(dead_code)]
mod browser;

use browser::Page;
use lowpri::azure::Catalogue;
use lowpri::scenario::{Kept, Link, Scenario, documented_example, scenario_presets};
use lowpri::study::{Answer, Verdict};
use serde_json::json;

fn headline(scenario: &Scenario) -> String {
    let checked = scenario.check(Catalogue::compiled_in());
    let answer = Answer::new(&checked.prepared.expect("nothing is wrong"), 20_000_000).expect("few events");
    Verdict::new(&answer).headline
}

async fn scenario(page: &Page) -> Scenario {
    let text = page.script("return window.lowpri.scenario()").await;
    Scenario::from_file(text.as_str().expect("text")).expect("a scenario file")
}

const FRAGMENT: &str = "return location.hash";

#[tokio::test]
#[ignore = "needs a built page and Chromium: ./dev test"]
async fn the_address_follows_what_is_typed_and_opens_to_it_again() {
    let page = Page::open().await;
    page.wait_for_text("verdict", "Done in").await;
    let example = Link::new(&documented_example(), &Kept::default());
    page.wait_for_script(FRAGMENT, &json!(example.fragment)).await;
    let whole = page.script("return location.href.length").await.as_u64().expect("a length");
    assert!(whole < 120, "{whole} characters");

    page.type_into_field("workload.seconds_per_file", "17").await;
    let mut changed = documented_example();
    changed.assumptions.workload.seconds_per_file = 17.0;
    let link = Link::new(&changed, &Kept::default());
    page.wait_for_script(FRAGMENT, &json!(link.fragment)).await;
    assert_eq!(page.script("return history.length").await, json!(2), "no step to go back to");

    // Another window, another browser: the link is all there is.
    let other = Page::open_at("", &link.fragment).await;
    other.wait_for_text("verdict", &headline(&changed)).await;
    assert_eq!(scenario(&other).await, changed);
    // A link that is put into the address of an open page opens, too.
    other.script_with("location.hash = arguments[0]", vec![json!(example.fragment)]).await;
    other.wait_for_text("verdict", &headline(&documented_example())).await;
    other.close_and_complain().await;
    page.close_and_complain().await;
}

#[tokio::test]
#[ignore = "needs a built page and Chromium: ./dev test"]
async fn what_is_left_of_a_damaged_link_is_shown_with_the_reason() {
    let mut changed = documented_example();
    changed.assumptions.workload.seconds_per_file = 17.0;
    let good = Link::new(&changed, &Kept::default()).fragment;
    for bad in [&good[..good.len() - 14], "#1.", "#1.AAAA", "#2.what-is-to-come", "#nonsense", "#1.%00<b>"] {
        let page = Page::open_at("", bad).await;
        page.wait_for_text("link-notes", "could not be opened as it was sent").await;
        page.wait_for_script("return window.lowpri.result() !== null", &json!(true)).await;
        page.close_and_complain().await;
    }
}

#[tokio::test]
#[ignore = "needs a built page and Chromium: ./dev test"]
async fn sharing_shows_the_link_its_length_and_what_it_leaves_out() {
    let page = Page::open().await;
    page.wait_for_text("verdict", "Done in").await;
    let cluster = format!(
        "{}ssh_public_access_enabled: true\nssh_settings:\n  admin_username: ann\n  admin_password: hunter2hunter2\n",
        documented_example().cluster
    );
    page.type_into("cluster-editor", &cluster).await;
    page.wait_for_text("verdict", "Done in").await;
    page.click("share").await;
    let link = page.script("return document.querySelector('[data-testid=share-link]').value").await;
    let link = link.as_str().expect("text");
    let (_, fragment) = link.split_once('#').expect("a fragment");
    let opened = lowpri::scenario::open(fragment);
    assert!(opened.scenario.cluster.contains("admin_username: ann"));
    assert!(!opened.scenario.cluster.contains("hunter2"));
    let dialog = page.script("return document.querySelector('dialog').innerText").await.to_string();
    assert!(dialog.contains("admin_password") && dialog.contains("characters"), "{dialog}");
    let snippet = page.script("return document.querySelector('[data-testid=share-embed]').value").await;
    assert!(snippet.as_str().is_some_and(|snippet| snippet.contains("?embed=1#1.")), "{snippet}");
    page.close_and_complain().await;
}

#[tokio::test]
#[ignore = "needs a built page and Chromium: ./dev test"]
async fn every_preset_tells_its_story_and_says_what_it_says_headless() {
    let page = Page::open().await;
    page.wait_for_text("verdict", "Done in").await;
    for preset in scenario_presets() {
        let choose = "const menu = document.querySelector('[data-testid=preset-menu]');
            menu.value = arguments[0]; menu.dispatchEvent(new Event('change', {bubbles: true}));";
        page.script_with(choose, vec![json!(preset.id)]).await;
        page.wait_for_text("verdict", &headline(&preset.scenario())).await;
        let shown = page.script("return document.querySelector('.question').innerText").await.to_string();
        assert!(shown.contains(preset.title()), "{}", preset.id);
        assert_eq!(scenario(&page).await, preset.scenario(), "{}", preset.id);
    }
    page.close_and_complain().await;
}

#[tokio::test]
#[ignore = "needs a built page and Chromium: ./dev test"]
async fn an_embedded_page_shows_the_answer_only_and_the_way_to_the_rest() {
    let mut changed = documented_example();
    changed.assumptions.workload.seconds_per_file = 17.0;
    let fragment = Link::new(&changed, &Kept::default()).fragment;
    let page = Page::open_at("?embed=1&theme=dark", &fragment).await;
    page.wait_for_text("verdict", &headline(&changed)).await;
    let editors = "return document.querySelectorAll('[data-testid=cluster-editor], header, form').length";
    assert_eq!(page.script(editors).await, json!(0));
    assert_eq!(page.script("return document.documentElement.dataset.theme").await, json!("dark"));
    let whole =
        "return document.querySelector('[data-testid=whole]').getAttribute('href').endsWith(arguments[0])";
    let ends = page.script_with(whole, vec![json!(fragment)]).await;
    assert_eq!(ends, json!(true));
    page.close_and_complain().await;
}

#[tokio::test]
#[ignore = "needs a built page and Chromium: ./dev test"]
async fn the_browser_keeps_theme_and_last_scenario_and_nothing_else_until_it_is_told_to_forget() {
    let page = Page::open().await;
    page.wait_for_text("verdict", "Done in").await;
    page.type_into_field("workload.seconds_per_file", "17").await;
    page.script("document.querySelector('[aria-label=\"Light or dark\"]').click()").await;
    let keys = "return Object.keys(localStorage).sort()";
    page.wait_for_script(keys, &json!(["lowpri.scenario", "lowpri.theme"])).await;
    page.wait_for_script("return localStorage['lowpri.scenario'] === location.hash", &json!(true)).await;
    page.script("history.replaceState(null, '', location.pathname); location.reload()").await;
    page.wait_for_text("verdict", "Done in").await;
    assert_eq!(scenario(&page).await.assumptions.workload.seconds_per_file, 17.0);
    page.click("forget").await;
    assert_eq!(page.script(keys).await, json!([]));
    page.close_and_complain().await;
}
