//! What is pasted or typed stays text: markup in every field of both documents and of the form, in a real browser.
#![allow(clippy::unwrap_used, clippy::expect_used)]
#![cfg(not(target_arch = "wasm32"))]

#[allow(dead_code)]
mod browser;

use browser::Page;
use fantoccini::key::Key;
use lowpri::azure::{Catalogue, CompletionKind, Kind, Place, complete};
use lowpri::scenario::documented_example;
use serde_json::json;

/// Markup that would be seen if it became elements: it says so in the window, and asks for a file.
const MARKUP: [&str; 3] = [
    "<img src=x onerror=hit=1>",
    "<script>hit=2</script>",
    "<svg onload=hit=3><a href=javascript:hit=4>click</a></svg>",
];

/// Keys that may stand at the end of a text.
fn keys(text: &str, column: usize, kind: Kind) -> Vec<String> {
    let place = Place { line: text.lines().count() + 1, column };
    let found =
        complete(&format!("{text}{}", " ".repeat(column - 1)), place, kind, Some(Catalogue::compiled_in()));
    let keys = found.options.into_iter().filter(|option| option.kind == CompletionKind::Key);
    keys.map(|option| option.label).collect()
}

/// A document in which every key that there is has a text for its value, once at the top and once below each key.
fn documents(kind: Kind, value: &str) -> Vec<String> {
    let top = keys("", 1, kind);
    assert!(top.len() > 8, "{top:?}");
    let flat = top.iter().map(|key| format!("{key}: {value}\n")).collect::<Vec<_>>().concat();
    let mut all = vec![flat];
    for key in &top {
        let below = keys(&format!("{key}:\n"), 3, kind);
        if !below.is_empty() {
            let below = below.iter().map(|key| format!("  {key}: {value}\n")).collect::<Vec<_>>().concat();
            all.push(format!("{key}:\n{below}"));
        }
    }
    all
}

/// A document with one scalar after the other replaced; the rest stays, so that much of it is read and shown.
fn one_by_one(text: &str, value: &str) -> Vec<String> {
    let lines: Vec<&str> = text.lines().collect();
    let scalars = lines.iter().enumerate().filter_map(|(i, line)| {
        let (key, old) = line.split_once(": ")?;
        (!old.trim().is_empty()).then(|| (i, format!("{key}: {value}")))
    });
    let replaced = |(i, line): (usize, String)| {
        let mut lines: Vec<String> = lines.iter().map(|line| (*line).to_owned()).collect();
        lines[i] = line;
        lines.join("\n") + "\n"
    };
    scalars.map(replaced).collect()
}

/// What must not be there: elements of the markup, and traces of its having run.
const TRACES: &str = "return [
    window.hit === undefined ? [] : ['it ran: ' + window.hit],
    [...document.querySelectorAll('img, main script, footer script, [onerror], [onload], a[href^=\"javascript\" i]')]
        .map(found => found.outerHTML),
].flat()";

async fn check(page: &Page, what: &str) {
    assert_eq!(page.script(TRACES).await, json!([]), "{what}");
}

/// Types a document and waits until the page has read it, which shows in what is said of it.
async fn read(page: &Page, editor: &str, text: &str) {
    page.type_into(editor, text).await;
    // Longer than the page waits for the next keystroke; two frames later what was said is drawn.
    let wait = "return new Promise(done => setTimeout(() => requestAnimationFrame(() => requestAnimationFrame(done)), 120))";
    page.script(wait).await;
}

#[tokio::test]
#[ignore = "needs a built page and Chromium: ./dev test"]
async fn markup_in_any_field_of_the_documents_stays_text() {
    let page = Page::open().await;
    page.wait_for_text("verdict", "Done in").await;
    let example = documented_example();
    for (editor, kind, text) in [
        ("cluster-editor", Kind::AmlCompute, &example.cluster),
        ("deployment-editor", Kind::BatchDeployment, &example.deployment),
    ] {
        // As it is, and all in quotes, which is valid in more places.
        for value in MARKUP.map(str::to_owned).into_iter().chain([format!("'{}'", MARKUP.concat())]) {
            for document in one_by_one(text, &value).into_iter().chain(documents(kind, &value)) {
                read(&page, editor, &document).await;
                check(&page, &document).await;
            }
        }
        // It is not only that nothing is read: what is said of the last of them quotes it.
        let said =
            page.script("return document.querySelector('[data-testid=diagnostics]')?.innerText ?? ''").await;
        assert!(said.as_str().is_some_and(|said| said.contains("line ")), "{said}");
        // As a key, and where marks say what is wrong when they are pointed at.
        let keys = MARKUP.iter().map(|markup| format!("'{markup}': 1\n")).collect::<Vec<_>>().concat();
        read(&page, editor, &format!("{text}{keys}")).await;
        page.wait_for_text("diagnostics", MARKUP[0]).await;
        // What could be written is offered, and lies above it.
        page.press(&Key::Escape).await;
        let [left, top, _, height] = page.place(".cm-lintRange-error").await;
        page.move_to((left + 20.0, top + height / 2.0)).await;
        let tip = "return document.querySelector('.cm-tooltip-lint')?.innerText.includes('<') ?? false";
        page.wait_for_script(tip, &json!(true)).await;
        check(&page, &keys).await;
        page.type_into(editor, text).await;
        page.wait_for_text("verdict", "Done in").await;
    }

    // Where any text is good, it goes on into links, comparisons and the shared dialog.
    let tagged = format!(
        "{}description: \"{}\"\ntags:\n  \"{}\": \"{}\"\n",
        example.cluster, MARKUP[0], MARKUP[1], MARKUP[2]
    );
    page.click("tab-compare").await;
    page.click("pin").await;
    page.type_into("cluster-editor", &tagged).await;
    let secret = format!(
        "{tagged}ssh_public_access_enabled: true\nssh_settings:\n  admin_username: '{}'\n  admin_password: '{}'\n",
        MARKUP[0], MARKUP[1]
    );
    read(&page, "cluster-editor", &secret).await;
    for tab in ["tab-timeline", "tab-chances", "tab-plans", "tab-compare", "tab-sensitivity", "tab-events"] {
        page.click(tab).await;
        check(&page, tab).await;
    }
    page.click("share").await;
    page.wait_for_script("return document.querySelector('dialog').open", &json!(true)).await;
    check(&page, "the dialog").await;
    page.close_and_complain().await;
}

#[tokio::test]
#[ignore = "needs a built page and Chromium: ./dev test"]
async fn markup_in_any_field_of_the_page_stays_text() {
    let page = Page::open().await;
    page.wait_for_text("verdict", "Done in").await;
    let fill = "const [tab, markup] = arguments;
        const fields = [...document.querySelectorAll('input:not([type]), input[type=text], input[type=search], textarea')]
            .filter(field => !field.readOnly && field.offsetParent !== null && !field.closest('.cm-editor'));
        for (const field of fields) {
            field.focus();
            document.execCommand('selectAll');
            document.execCommand('insertText', false, markup);
            field.dispatchEvent(new Event('change', {bubbles: true}));
        }
        return fields.length";
    for tab in [
        "tab-timeline",
        "tab-chances",
        "tab-break-even",
        "tab-plans",
        "tab-compare",
        "tab-sensitivity",
        "tab-events",
    ] {
        page.click(tab).await;
        for markup in MARKUP {
            let filled = page.script_with(fill, vec![json!(tab), json!(markup)]).await;
            assert!(filled.as_u64().is_some_and(|fields| fields > 15), "{tab}: {filled} fields");
            page.wait_for_text("verdict", "last good result").await;
            check(&page, tab).await;
        }
        let problems = page.script("return document.querySelectorAll('.form .problem').length").await;
        assert!(problems.as_u64().is_some_and(|count| count > 10), "{problems} complaints");
    }
    // What a file holds that is none of ours is said, too.
    for markup in MARKUP {
        page.drop_file("body", &format!("{markup}\n")).await;
        page.drop_file("body", &format!("cluster: \"{markup}\"\nnonsense: \"{markup}\"\n")).await;
        let wait = "return new Promise(done => setTimeout(done, 120))";
        page.script(wait).await;
        check(&page, "a file").await;
    }
    page.close_and_complain().await;
}
