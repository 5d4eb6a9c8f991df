//! What the page weighs and how fast it is, measured in a real browser and printed. Figures depend on the machine and
//! decide nothing; that they can be taken does.
//!
//! `LOWPRI_DIST=dist cargo test --test page_speed -- --ignored --nocapture` shows them.
#![allow(clippy::unwrap_used, clippy::expect_used)]
#![cfg(not(target_arch = "wasm32"))]

#[allow(dead_code)]
mod browser;

use browser::Page;
use lowpri::scenario::documented_example;
use serde_json::{Value, json};

/// How many bytes a file has for a browser that knows brotli, compressed as well as can be.
fn brotli_size(file: &[u8]) -> usize {
    let params = brotli::enc::BrotliEncoderParams { quality: 11, lgwin: 24, ..Default::default() };
    let mut packed = Vec::new();
    brotli::BrotliCompress(&mut &*file, &mut packed, &params).expect("it can be compressed");
    packed.len()
}

/// Numbers that a script gave.
fn numbers(value: &Value) -> Vec<f64> {
    let all: Vec<f64> =
        serde_json::from_value(value.clone()).unwrap_or_else(|_| panic!("no figures: {value}"));
    assert!(!all.is_empty() && all.iter().all(|ms| ms.is_finite() && *ms >= 0.0), "{value}");
    all
}

/// The value below which a share of them lies.
fn quantile(mut all: Vec<f64>, share: f64) -> f64 {
    all.sort_by(f64::total_cmp);
    let rank = (share * all.len() as f64).ceil() as usize;
    all[rank.clamp(1, all.len()) - 1]
}

#[tokio::test]
#[ignore = "needs a built page and Chromium: ./dev test"]
async fn the_first_visit_is_weighed() {
    let page = Page::open().await;
    page.wait_for_text("progress", "1,000 runs, ").await;
    let names = page.own_requests().await;
    let mut sum = 0;
    let mut raw = 0;
    for name in &names {
        let name = if name.is_empty() { "index.html" } else { name };
        let file = std::fs::read(Page::site().join(name)).unwrap_or_else(|error| panic!("{name}: {error}"));
        let packed = brotli_size(&file);
        println!("{:9.1} KB  {name}", packed as f64 / 1000.0);
        (sum, raw) = (sum + packed, raw + file.len());
    }
    println!("{:9.1} KB  in all with brotli; {:.1} KB without", sum as f64 / 1000.0, raw as f64 / 1000.0);
    for ending in ["", ".wasm", ".css", "catalogue.txt", "worker.js"] {
        assert!(names.iter().any(|name| name.ends_with(ending)), "{ending} was asked for: {names:?}");
    }
    assert!(!names.iter().any(|name| name.contains("licences")), "licences wait until somebody asks");

    // And that was all: working with the page asks for nothing more.
    page.type_into_field("workload.seconds_per_file", "9").await;
    page.click("tab-break-even").await;
    page.wait_for_script("return window.lowpri.studies().break_even !== null", &json!(true)).await;
    page.click("tab-events").await;
    assert_eq!(page.own_requests().await, Vec::<String>::new(), "no request after loading");
    page.close_and_complain().await;
}

/// Notes when the verdict stands there first.
const WATCH_VERDICT: &str = "new MutationObserver((_, observer) => {
        if (document.querySelector('[data-testid=verdict]')?.innerText.includes('Done in')) {
            window.ready = performance.now();
            observer.disconnect();
        }
    }).observe(document, {childList: true, subtree: true, characterData: true});";

#[tokio::test]
#[ignore = "needs a built page and Chromium: ./dev test"]
async fn first_paint_and_first_verdict_are_timed() {
    let mut paints = Vec::new();
    let mut readies = Vec::new();
    for _ in 0..3 {
        let page = Page::open_in(WATCH_VERDICT).await;
        page.wait_for_script("return window.ready !== undefined", &json!(true)).await;
        let paint =
            "return performance.getEntriesByName('first-contentful-paint').map(entry => entry.startTime)";
        page.wait_for_script(&format!("{paint}.length"), &json!(1)).await;
        paints.extend(numbers(&page.script(paint).await));
        readies.extend(numbers(&page.script("return [window.ready]").await));
        page.close_and_complain().await;
    }
    println!("first contentful paint after {paints:.0?} ms, verdict after {readies:.0?} ms");
    assert_eq!((paints.len(), readies.len()), (3, 3));
}

/// Types figures into a field one after the other, and says how many milliseconds each takes until all four charts are
/// drawn anew, and until that is on the screen.
const TYPE: &str = "const [selector, values] = arguments;
    const charts = ['throughput', 'cost', 'preempted-cores', 'nodes']
        .map(name => document.querySelector(`[data-testid=chart-${name}]`));
    const drawn = () => Promise.all(charts.map(chart => new Promise(done =>
        new MutationObserver((_, observer) => { observer.disconnect(); done(); })
            .observe(chart, {childList: true, subtree: true}))));
    const painted = () => new Promise(done => requestAnimationFrame(() => setTimeout(done)));
    return (async () => {
        const all = [];
        for (const value of values) {
            const field = document.querySelector(selector);
            field.focus();
            document.execCommand('selectAll');
            const redrawn = drawn();
            const begin = performance.now();
            document.execCommand('insertText', false, value);
            await redrawn;
            const end = performance.now();
            await painted();
            all.push([end - begin, performance.now() - begin]);
            await new Promise(done => setTimeout(done, 400));
        }
        return all;
    })()";

#[tokio::test]
#[ignore = "needs a built page and Chromium: ./dev test"]
async fn the_way_from_a_keystroke_to_redrawn_charts_is_timed() {
    let page = Page::open().await;
    page.wait_for_text("progress", "1,000 runs, ").await;
    // Each figure changes all of the charts.
    let values: Vec<String> = (0..20).map(|i| (10 + i % 10 * 2 + i / 10).to_string()).collect();
    let field = json!("[data-field='workload.seconds_per_file']");
    let times = page.script_with(TYPE, vec![field, json!(values)]).await;
    let times: Vec<[f64; 2]> = serde_json::from_value(times).expect("two times a keystroke");
    assert_eq!(times.len(), 20);
    for (i, what) in ["in the document", "on the screen"].into_iter().enumerate() {
        let all = numbers(&json!(times.iter().map(|time| time[i]).collect::<Vec<_>>()));
        println!(
            "from a keystroke to redrawn charts {what}: half within {:.0} ms, 95 % within {:.0} ms",
            quantile(all.clone(), 0.5),
            quantile(all, 0.95)
        );
    }
    page.close_and_complain().await;
}

/// Hides a line and shows it again, which draws all four charts each time; milliseconds of script for each, then those
/// with layout, style and paint.
const REDRAW: &str = "const entry = [...document.querySelectorAll('.entry')].find(e => e.ariaLabel === 'Show dedicated');
    const chart = document.querySelector('[data-testid=chart-throughput]');
    return (async () => {
        const all = [];
        for (let i = 0; i < 20; i++) {
            const before = chart.firstChild;
            await new Promise(done => requestAnimationFrame(() => setTimeout(done)));
            const begin = performance.now();
            entry.click();
            // Effects run as microtasks: they are through when the next task comes.
            await new Promise(done => { const {port1, port2} = new MessageChannel(); port1.onmessage = done; port2.postMessage(0); });
            const script = performance.now() - begin;
            if (chart.firstChild === before) throw new Error('nothing was drawn');
            document.body.getBoundingClientRect();
            all.push([script, performance.now() - begin]);
        }
        return all;
    })()";

#[tokio::test]
#[ignore = "needs a built page and Chromium: ./dev test"]
async fn a_redraw_of_all_charts_of_ten_thousand_mini_batches_is_timed() {
    let page = Page::open().await;
    page.wait_for_text("verdict", "Done in").await;
    let mut scenario = documented_example();
    scenario.cluster = scenario.cluster.replace("max_instances: 2", "max_instances: 20");
    scenario.deployment = scenario.deployment.replace("instance_count: 2", "instance_count: 20");
    scenario.assumptions.workload.jobs[0].files = 20_000;
    page.script_with("return window.lowpri.load(arguments[0])", vec![json!(scenario.to_file())]).await;
    page.wait_for_text("progress", "1,000 runs, ").await;
    let mini_batches = page.script("return window.lowpri.result().jobs[0].mini_batches").await;
    println!("mini-batches: {mini_batches}");
    let times: Vec<[f64; 2]> = serde_json::from_value(page.script(REDRAW).await).expect("two times a redraw");
    assert_eq!(times.len(), 20);
    for (i, what) in ["drawn", "drawn and laid out"].into_iter().enumerate() {
        let all = numbers(&json!(times.iter().map(|time| time[i]).collect::<Vec<_>>()));
        println!(
            "all charts {what}: half within {:.1} ms, 95 % within {:.1} ms",
            quantile(all.clone(), 0.5),
            quantile(all, 0.95)
        );
    }
    page.close_and_complain().await;
}
