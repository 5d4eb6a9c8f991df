//! The words of the page: every key of `assets/locales/en.json` is said somewhere, and no view holds a word of its own.
#![allow(clippy::unwrap_used, clippy::expect_used)]

use serde_json::Value;
use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

/// Attributes whose value people read or hear.
const READ_ATTRIBUTES: [&str; 9] = [
    "alt",
    "aria-description",
    "aria-label",
    "aria-roledescription",
    "aria-valuetext",
    "hint",
    "label",
    "placeholder",
    "title",
];

/// What looks like words and is none where it stands in code: keys that are pressed, what the browser calls files and
/// themes, a group of the form, and what goes into the console or into another page.
const NAMES: [&str; 13] = [
    "ArrowDown",
    "ArrowLeft",
    "ArrowRight",
    "ArrowUp",
    "End",
    "Enter",
    "Escape",
    "Files",
    "Home",
    "Prices",
    "(prefers-color-scheme: dark)",
    "the editor: {error:?}",
    r#"<iframe src=\"{address}?embed=1{fragment}\" title=\"{title}\" width=\"100%\" height=\"760\" style=\"border:0\"></iframe>"#,
];

fn sources(folder: &Path, found: &mut Vec<PathBuf>) {
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            sources(&path, found);
        } else if path.extension().is_some_and(|end| end == "rs") {
            found.push(path);
        }
    }
}

/// The files of the room `app`, with what stands in them.
fn app() -> Vec<(String, String)> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let mut found = vec![root.join("src/app.rs")];
    sources(&root.join("src/app"), &mut found);
    let named = found.into_iter().map(|path| {
        let name = path.strip_prefix(root).unwrap().display().to_string();
        (name, fs::read_to_string(&path).unwrap())
    });
    named.collect()
}

/// A piece of a source: a string literal, or one other character. Comments are left out.
#[derive(Debug, PartialEq)]
enum Piece {
    Text(String),
    Other(char),
}

/// The pieces of a source, each with its line.
fn pieces(source: &str) -> Vec<(usize, Piece)> {
    let mut found = Vec::new();
    let mut line = 1;
    let mut rest = source.chars().peekable();
    while let Some(c) = rest.next() {
        let begin = line;
        match c {
            '/' if rest.peek() == Some(&'/') => while rest.next_if(|c| *c != '\n').is_some() {},
            // The character of a quote or a brace is neither.
            '\'' if matches!(rest.peek(), Some('"')) => {
                rest.next();
                rest.next();
            }
            '"' => {
                let mut text = String::new();
                while let Some(c) = rest.next().filter(|c| *c != '"') {
                    line += usize::from(c == '\n');
                    text.push(c);
                    if c == '\\'
                        && let Some(escaped) = rest.next()
                    {
                        line += usize::from(escaped == '\n');
                        text.push(escaped);
                    }
                }
                found.push((begin, Piece::Text(text)));
            }
            other => {
                line += usize::from(other == '\n');
                found.push((begin, Piece::Other(other)));
            }
        }
    }
    found
}

/// Two letters one after the other: a word, not `◐`, `h` or `, `.
fn has_word(text: &str) -> bool {
    let letters: Vec<bool> = text.chars().map(char::is_alphabetic).collect();
    letters.windows(2).any(|pair| pair[0] && pair[1])
}

/// A blank beside a word, or a capital at its beginning, as opposed to names of classes, events, properties and files.
fn is_prose(text: &str) -> bool {
    let is_constant = text.chars().all(|c| c.is_uppercase() || c == '_');
    has_word(text) && !is_constant && (text.contains(' ') || text.starts_with(char::is_uppercase))
}

/// The words that stand in a source instead of in the file of words, each with its line.
fn bare_words(source: &str) -> Vec<(usize, String)> {
    let pieces = pieces(source);
    let mut code = String::new();
    let mut bare = Vec::new();
    for (i, (line, piece)) in pieces.iter().enumerate() {
        match piece {
            Piece::Other(c) => code.push(*c),
            Piece::Text(text) => {
                let next = pieces[i + 1..].iter().find_map(|(_, piece)| match piece {
                    Piece::Other(c) if c.is_whitespace() => None,
                    Piece::Other(c) => Some(*c),
                    Piece::Text(_) => Some('"'),
                });
                if is_bare(&code, text, next) {
                    bare.push((*line, text.clone()));
                }
                code.push_str("\"\"");
            }
        }
    }
    bare
}

/// Whether a literal after `code` and before `next` is something that people read.
fn is_bare(code: &str, text: &str, next: Option<char>) -> bool {
    // What a gap of `format!` holds is no word.
    let outside = text.split('{').map(|part| part.split_once('}').map_or(part, |(_, after)| after));
    let outside = outside.collect::<String>();
    let code = code.trim_end();
    let is_after = |name: &str| {
        let before = code.strip_suffix('=').and_then(|code| code.strip_suffix(name));
        before.is_some_and(|before| before.ends_with(char::is_whitespace))
    };
    let is_class = is_after("class") || code.ends_with("class=format!(");
    let after_tag = code.ends_with('>') && !code.ends_with("=>") && !code.ends_with("->");
    let is_text = after_tag || next == Some('<') && !code.ends_with('=');
    // A single word in small letters, in code, may be the name of anything.
    has_word(&outside)
        && !is_class
        && (is_text
            || READ_ATTRIBUTES.iter().any(|name| is_after(name))
            || is_prose(&outside) && !NAMES.contains(&text))
}

/// The keys of a file of words, as `say!` names them; those of a plural are one.
fn keys(value: &Value, path: &str, found: &mut BTreeSet<String>) {
    let Some(group) = value.as_object() else {
        found.insert(path.to_owned());
        return;
    };
    for (name, value) in group {
        let forms = ["_zero", "_one", "_two", "_few", "_many", "_other"];
        let name = forms.iter().find_map(|form| name.strip_suffix(form)).unwrap_or(name);
        let path = if path.is_empty() { name.to_owned() } else { format!("{path}.{name}") };
        keys(value, &path, found);
    }
}

fn english() -> Value {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("assets/locales/en.json");
    serde_json::from_str(&fs::read_to_string(path).unwrap()).unwrap()
}

/// Every key that a source says.
fn said(source: &str) -> impl Iterator<Item = String> {
    source.split("say!(").skip(1).map(|rest| {
        let is_key = |c: &char| c.is_alphanumeric() || ['_', '.'].contains(c);
        rest.trim_start().chars().take_while(is_key).collect()
    })
}

#[test]
fn every_word_is_said_somewhere() {
    let mut known = BTreeSet::new();
    keys(&english(), "", &mut known);
    let said: BTreeSet<String> =
        app().iter().flat_map(|(_, source)| said(source).collect::<Vec<_>>()).collect();
    let silent: Vec<&String> = known.difference(&said).collect();
    assert!(known.len() > 100 && silent.is_empty(), "no view says {silent:?}");
}

#[test]
fn no_view_holds_a_word_of_its_own() {
    let bare = app().into_iter().flat_map(|(name, source)| {
        bare_words(&source).into_iter().map(move |(line, text)| format!("{name}:{line}: {text:?}"))
    });
    let bare: Vec<String> = bare.collect();
    assert!(bare.is_empty(), "these belong into assets/locales/en.json:\n{}", bare.join("\n"));
}

#[test]
fn a_bare_word_is_found_wherever_people_would_read_it() {
    for bare in [
        r#"<h2>"Chance"</h2>"#,
        r#"<button type="button">"show"</button>"#,
        "<p>\n  {number}\n  \" runs\"\n</p>",
        r#"<small>{unit} "an hour"</small>"#,
        r#"<b>"Home"</b>"#,
        r#"<input aria-label="moment"/>"#,
        r#"<input placeholder="find" />"#,
        r#"<Editor title="Cluster"/>"#,
        r#"state.trouble.set(Some("This cannot be done.".to_owned()))"#,
        r#"let label = format!("Show {}", name);"#,
        r#"None => "no run is completed".to_owned(),"#,
        r#"return "Point at a block.".to_owned();"#,
        r#"let text = if done { "Copied." } else { "" };"#,
    ] {
        assert_eq!(bare_words(bare).len(), 1, "{bare}");
    }
    for fine in [
        r#"// "Chance""#,
        r#"<button class="fix primary" data-testid="new-seed">"◐"</button>"#,
        r#"<p>{say!(answer.hint)} " " {value} ", "</p>"#,
        r#"style=format!("left:{x:.0}px;width:{y}px")"#,
        r#""ArrowRight" => (now + 1) % all,"#,
        "aria-label=say!(nodes.moment)",
        r#"Keep::Theme.set(if dark { "dark" } else { "light" });"#,
    ] {
        assert_eq!(bare_words(fine), [], "{fine}");
    }
    let one =
        serde_json::json!({ "page": { "runs_one": "a run", "runs_other": "{{ count }} runs", "name": "x" } });
    let mut known = BTreeSet::new();
    keys(&one, "", &mut known);
    assert_eq!(known, BTreeSet::from(["page.name".to_owned(), "page.runs".to_owned()]));
    assert_eq!(
        said("a say!(page.name) say!(\n page.runs, count = 1)").collect::<Vec<_>>(),
        ["page.name", "page.runs"]
    );
}
