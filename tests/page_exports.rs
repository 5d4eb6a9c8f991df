//! Files that the page hands out are read back, and an export that is dropped on it goes into the form.
#![allow(clippy::unwrap_used, clippy::expect_used)]
#![cfg(not(target_arch = "wasm32"))]

#[allow(dead_code)]
mod browser;

use browser::Page;
use lowpri::azure::Catalogue;
use lowpri::azure::metrics::Export;
use lowpri::scenario::{Scenario, documented_example};
use lowpri::study::Answer;
use lowpri::study::export::{result_yaml, scenario_json, timeline_csv, trace};
use serde_json::{Value, json};

/// Keeps what is downloaded by its name instead of saving it: texts as they are, pictures as (width, height, a pixel of
/// the margin, how many colours).
const KEEP: &str = "
    window.saved = {};
    const blobs = new Map();
    const make = URL.createObjectURL;
    URL.createObjectURL = blob => { const url = make.call(URL, blob); blobs.set(url, blob); return url; };
    HTMLAnchorElement.prototype.click = async function () {
        const [name, blob] = [this.download, blobs.get(this.href)];
        if (blob.type !== 'image/png') return void (window.saved[name] = await blob.text());
        const bitmap = await createImageBitmap(blob);
        const canvas = new OffscreenCanvas(bitmap.width, bitmap.height);
        const context = canvas.getContext('2d');
        context.drawImage(bitmap, 0, 0);
        const {data} = context.getImageData(0, 0, bitmap.width, bitmap.height);
        const colours = new Set();
        for (let i = 0; i < data.length; i += 4) colours.add(data[i] << 16 | data[i + 1] << 8 | data[i + 2]);
        window.saved[name] = [bitmap.width, bitmap.height, [...data.slice(0, 4)], colours.size];
    };";

fn answer() -> Answer {
    let prepared = documented_example().check(Catalogue::compiled_in()).prepared.expect("nothing is wrong");
    Answer::new(&prepared, 20_000_000).expect("a small run")
}

async fn saved(page: &Page, name: &str) -> Value {
    let script = format!("return window.saved['{name}'] !== undefined");
    page.wait_for_script(&script, &json!(true)).await;
    page.script(&format!("return window.saved['{name}']")).await
}

#[tokio::test]
#[ignore = "needs the built page and a browser"]
async fn every_file_is_named_and_holds_what_the_library_makes() {
    let page = Page::open_in(KEEP).await;
    let answer = answer();
    page.wait_for_result(&serde_json::to_value(&answer.run.outcome).unwrap()).await;
    page.click("export").await;
    let cluster = documented_example().check(Catalogue::compiled_in()).question.unwrap().cluster;
    let begin = format!("{}_seed-32_", cluster.name.unwrap().value);
    let texts = [
        ("export-csv", "timeline.csv", timeline_csv(&answer.run.timeline, 0.0, None).unwrap()),
        ("export-trace", "trace.json", trace(&answer).json),
        ("export-events", "events.txt", answer.story.as_text()),
        ("export-yaml", "result.yml", result_yaml(&answer.run.outcome).unwrap()),
        ("export-scenario-json", "scenario.json", scenario_json(&documented_example()).unwrap()),
        ("export-scenario-yaml", "scenario.yml", documented_example().to_file()),
    ];
    for (button, ending, known) in texts {
        page.click(button).await;
        let name = format!("{begin}{ending}");
        let held = saved(&page, &name).await;
        assert_eq!(held.as_str().unwrap(), known, "{name}");
        page.wait_for_text("export-said", &name).await;
    }
    page.click("export-json").await;
    let result = saved(&page, &format!("{begin}result.json")).await;
    let result: Value = serde_json::from_str(result.as_str().unwrap()).unwrap();
    assert_eq!(result, serde_json::to_value(&answer.run.outcome).unwrap());

    // The day of an export that it is laid over.
    page.script(
        "const field = document.querySelector('[data-testid=export-start]'); field.value = '2026-11-03T16:05';
        field.dispatchEvent(new Event('input', {bubbles: true}));",
    )
    .await;
    page.script(&format!("delete window.saved['{begin}timeline.csv']")).await;
    page.click("export-csv").await;
    let csv = saved(&page, &format!("{begin}timeline.csv")).await;
    assert_eq!(Export::read(csv.as_str().unwrap(), None).unwrap().start(), "2026-11-03T16:05:00Z");
    page.close_and_complain().await;
}

#[tokio::test]
#[ignore = "needs the built page and a browser"]
async fn every_chart_is_svg_that_stands_alone_and_png_of_twice_its_size() {
    let page = Page::open_in(KEEP).await;
    page.click("tab-chances").await;
    page.wait_for_script("return document.querySelectorAll('#panel .chart svg').length > 0", &json!(true))
        .await;
    page.click("export").await;
    let names = page
        .script("return [...document.querySelectorAll('[data-testid^=export-svg-]')].map(b => b.dataset.testid.slice(11))")
        .await;
    let names: Vec<&str> = names.as_array().unwrap().iter().map(|name| name.as_str().unwrap()).collect();
    for wanted in ["throughput", "cost", "preempted-cores", "nodes", "node-timeline"] {
        assert!(names.contains(&wanted), "{names:?}");
    }
    // Those of the tab that is shown.
    assert!(names.len() > 5, "{names:?}");
    let begin = page.script("return Object.keys(window.saved).length").await;
    assert_eq!(begin, 0);
    for name in names {
        page.click(&format!("export-svg-{name}")).await;
        page.click(&format!("export-png-{name}")).await;
        let ending = format!("_{name}.");
        let find = format!("return Object.keys(window.saved).filter(n => n.includes('{ending}')).length");
        page.wait_for_script(&find, &json!(2)).await;
        let get = |kind: &str| {
            format!("return window.saved[Object.keys(window.saved).find(n => n.endsWith('{ending}{kind}'))]")
        };
        let svg = page.script(&get("svg")).await;
        let svg = svg.as_str().unwrap();
        // A picture by itself is loaded as strictly as any XML.
        let parsed = page
            .script_with(
                "const parsed = new DOMParser().parseFromString(arguments[0], 'image/svg+xml');
                const root = parsed.documentElement;
                return [parsed.querySelector('parsererror') === null, +root.getAttribute('width'), +root.getAttribute('height'),
                    parsed.querySelector('title')?.textContent.length > 3]",
                vec![json!(svg)],
            )
            .await;
        let [whole, width, height, titled] = [0, 1, 2, 3].map(|i| parsed[i].clone());
        assert_eq!((whole, titled), (json!(true), json!(true)), "{name}");
        let png = page.script(&get("png")).await;
        let twice = |side: &Value| json!(side.as_u64().unwrap() * 2);
        assert_eq!((&png[0], &png[1]), (&twice(&width), &twice(&height)), "{name}");
        // The card is white, and there is something on it.
        assert_eq!(png[2], json!([255, 255, 255, 255]), "{name}");
        assert!(png[3].as_u64().unwrap() > 3, "{name}: {png}");
    }
    page.close_and_complain().await;
}

/// A script that gives what a field of the form says.
fn field(id: &str) -> String {
    format!("return document.querySelector(\"[data-field='{id}']\").value")
}

#[tokio::test]
#[ignore = "needs the built page and a browser"]
async fn an_export_that_is_dropped_is_drawn_and_applied_and_taken_back() {
    let page = Page::open().await;
    let scenario = || async {
        let text = page.script("return window.lowpri.scenario()").await;
        Scenario::from_file(text.as_str().unwrap()).unwrap().assumptions.capacity
    };
    page.wait_for_text("verdict", "Completed").await;
    let before = scenario().await;

    // A file that is none, then one that is.
    page.drop_named("main", "costs.csv", "day,amount\n1,2\n").await;
    page.wait_for_text("calibration-problem", "costs.csv, line 1: no line names a column of times").await;
    let csv = timeline_csv(&answer().run.timeline, 0.0, None).unwrap();
    page.drop_named("main", "portal.csv", &csv).await;
    page.wait_for_text("calibration", "1 preempted node").await;
    assert!(page.html("chart-measured-preempted").await.contains("measured"));
    assert!(page.html("chart-measured-live").await.contains("<svg"));
    assert_eq!(
        page.script("return document.querySelector('[data-testid=calibration-problem]')").await,
        Value::Null
    );
    // No link has it.
    assert_eq!(scenario().await, before);

    page.click("apply-eviction-rate").await;
    page.wait_for_script(&field("capacity.evictions.shock.per_hour"), &json!("0")).await;
    let shown = page.script(&field("capacity.evictions.exponential.per_node_hour")).await;
    let rate: f64 = shown.as_str().unwrap().parse().unwrap();
    assert!((0.2..1.5).contains(&rate), "{rate}");
    page.click("apply-return-rate").await;
    let shown = page.script(&field("capacity.regrant_seconds")).await;
    let seconds: f64 = shown.as_str().unwrap().parse().unwrap();
    assert!((1100.0..1300.0).contains(&seconds), "{seconds}");
    page.click("apply-trace").await;
    let applied = scenario().await;
    assert_eq!(applied.regrant_seconds, Some(seconds));
    assert!(
        matches!(&applied.evictions[..], [lowpri::sim::Eviction::Trace { available, .. }] if available.len() > 60)
    );
    page.click("undo-calibration").await;
    assert_eq!(scenario().await, before);

    // Moved beyond the run there is nothing of it.
    let drawn = page.html("chart-measured-live").await;
    page.script(
        "const field = document.querySelector('[data-testid=calibration-moved]'); field.value = '30 min';
        field.dispatchEvent(new Event('input', {bubbles: true}));",
    )
    .await;
    let moved = page.html("chart-measured-live").await;
    assert_ne!(drawn, moved);
    page.close_and_complain().await;
}
