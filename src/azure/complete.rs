//! What could be written at a place: keys and words of the schema, VM sizes and regions.
//!
//! A text that is being typed is rarely YAML, so this looks at lines and how far they are indented, not at a tree.

use super::catalogue::{Catalogue, Known};
use super::describe;
use super::diagnostic::Place;
use super::kind::Kind;
use super::python::is_python;
use super::schema::{self, Field, Rule, Schema, Ty};

/// What is completed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CompletionKind {
    /// A key of a mapping.
    Key,
    /// The value of a key, or an item of a list.
    Value,
}

/// Something that could be written.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Completion {
    /// What it is called.
    pub label: String,
    /// What it is.
    pub kind: CompletionKind,
    /// A line about it; empty if there is nothing to say.
    pub doc: String,
    /// What to write in place of the word that was begun.
    pub insert: String,
}

/// What could be written at a place.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Completions {
    /// The column at which the word begins that they complete, from 1.
    pub from: usize,
    /// The best first.
    pub options: Vec<Completion>,
}

/// Most options that are offered: nobody reads more.
const MOST: usize = 60;

/// What could be written at a place of a text. `expected` is the kind of document to take it for where the text does
/// not say; sizes and regions come from the catalogue, if it is there. Of Python nothing is completed.
#[must_use]
pub fn complete(text: &str, place: Place, expected: Kind, catalogue: Option<&Catalogue>) -> Completions {
    if is_python(text) {
        return Completions::default();
    }
    find(text, place, expected, catalogue).unwrap_or_default()
}

fn find(text: &str, place: Place, expected: Kind, catalogue: Option<&Catalogue>) -> Option<Completions> {
    let lines: Vec<&str> = text.lines().collect();
    let at = place.line.checked_sub(1)?;
    let whole = lines.get(at).copied().unwrap_or_default();
    let cut = whole.char_indices().nth(place.column.checked_sub(1)?).map_or(whole.len(), |(at, _)| at);
    let (head, tail) = whole.split_at(cut);
    if head.trim_start().starts_with('#') || head.contains(" #") || is_mark(head) {
        return None;
    }
    // The document that the place is in.
    let first = lines.iter().take(at).rposition(|line| is_mark(line)).map_or(0, |mark| mark + 1);
    let last = lines.iter().skip(at).position(|line| is_mark(line)).map_or(lines.len(), |mark| at + mark);
    let above = lines.get(first..at.min(lines.len()))?;
    let below = lines.get((at + 1).min(last)..last)?;

    let line = Line::new(head);
    let types = types_at(root(above, whole, below, expected), &path(&line, above)?);
    let (word, options) = if let Some(key) = line.key {
        if !head.ends_with(char::is_whitespace) && line.value.is_empty() {
            return None;
        }
        let fields = types.iter().filter_map(|ty| object(*ty)?.field(key));
        (line.value, fields.flat_map(|field| values(field, catalogue)).collect())
    } else {
        let mut options = keys(&types, &siblings(&line, above, below), line.column, tail);
        if line.dash.is_some() {
            options.extend(types.iter().flat_map(|ty| words("", *ty)));
        }
        (line.value, options)
    };
    if word.contains(char::is_whitespace) || word.starts_with(['{', '[', '"', '\'', '&', '*', '!', '|', '>'])
    {
        return None;
    }
    let from = place.column - word.chars().count();
    Some(Completions { from, options: narrow(options, word) })
}

/// A line that parts two documents.
fn is_mark(line: &str) -> bool {
    let line = line.trim_end();
    line == "---" || line == "..." || line.starts_with("--- ")
}

/// A line as far as it matters here; columns count from 0.
struct Line<'t> {
    /// Where the dash of a list item is.
    dash: Option<usize>,
    /// Where what is after that begins.
    column: usize,
    /// The key, if there is one.
    key: Option<&'t str>,
    /// What follows the key, or all there is.
    value: &'t str,
}

impl<'t> Line<'t> {
    fn new(text: &'t str) -> Self {
        let mut rest = text.trim_start_matches([' ', '\u{feff}']);
        let mut column = text.len() - rest.len();
        let mut dash = None;
        if let Some(item) = rest.strip_prefix('-').filter(|item| item.is_empty() || item.starts_with(' ')) {
            dash = Some(column);
            let inner = item.trim_start_matches(' ');
            // What follows a lone dash will stand two further right.
            column += (rest.len() - inner.len()).max(2);
            rest = inner;
        }
        let is_key =
            |key: &str| !key.is_empty() && key.chars().all(|c| c.is_alphanumeric() || "_-$.".contains(c));
        let parts = rest.split_once(':').filter(|(key, value)| {
            is_key(key.trim_matches(['"', '\''])) && (value.is_empty() || value.starts_with(' '))
        });
        match parts {
            Some((key, value)) => {
                Self { dash, column, key: Some(key.trim_matches(['"', '\''])), value: value.trim_start() }
            }
            None => Self { dash, column, key: None, value: rest },
        }
    }

    fn is_blank(&self) -> bool {
        self.dash.is_none() && self.key.is_none() && (self.value.is_empty() || self.value.starts_with('#'))
    }

    /// Whether what is inside the key comes in the lines below.
    fn opens(&self) -> bool {
        self.value.is_empty() || self.value.starts_with(['#', '&', '!'])
    }
}

/// A step from a value to one inside it.
enum Step<'t> {
    Key(&'t str),
    Item,
}

/// The way from the whole document to the mapping or list that a line is in, innermost first. `None` if it is in none,
/// such as in a block of text.
fn path<'t>(line: &Line<'t>, above: &[&'t str]) -> Option<Vec<Step<'t>>> {
    let mut steps = Vec::new();
    // Where the mapping begins that is looked for; a list may begin right below its key.
    let (mut column, mut in_list) = (line.column, false);
    let enter_item =
        |steps: &mut Vec<Step<'t>>, dash: Option<usize>| dash.inspect(|_| steps.push(Step::Item));
    if let Some(dash) = enter_item(&mut steps, line.dash) {
        (column, in_list) = (dash, true);
    }
    for upper in above.iter().rev().map(|line| Line::new(line)) {
        if column == 0 && !in_list {
            break;
        }
        if upper.is_blank() {
            continue;
        }
        let holds = upper.column < column || in_list && upper.dash.is_none() && upper.column == column;
        if holds {
            let key = upper.key?;
            if !upper.opens() {
                return None;
            }
            steps.push(Step::Key(key));
            (column, in_list) = (upper.column, false);
        }
        if (holds || upper.column == column && !in_list)
            && let Some(dash) = enter_item(&mut steps, upper.dash)
        {
            (column, in_list) = (dash, true);
        }
    }
    Some(steps)
}

/// The types that a value at the end of a way may have.
fn types_at(root: &'static Schema, path: &[Step<'_>]) -> Vec<Ty> {
    let mut types = vec![Ty::Object(root)];
    for step in path.iter().rev() {
        let inside = types.into_iter().filter_map(|ty| match (step, ty) {
            (Step::Key(key), ty) => object(ty)?.field(key).map(|field| field.ty),
            (Step::Item, Ty::List(item)) => Some(*item),
            (Step::Item, _) => None,
        });
        types = inside.flat_map(alternatives).collect();
    }
    types
}

fn alternatives(ty: Ty) -> Vec<Ty> {
    match ty {
        Ty::OneOf(types) => types.to_vec(),
        Ty::Trigger => vec![Ty::Object(&schema::CRON), Ty::Object(&schema::RECURRENCE)],
        ty => vec![ty],
    }
}

fn object(ty: Ty) -> Option<&'static Schema> {
    match ty {
        Ty::Object(schema) => Some(schema),
        _ => None,
    }
}

/// The keys of a document: by its kind, and of a deployment by its dialect.
fn root(above: &[&str], line: &str, below: &[&str], expected: Kind) -> &'static Schema {
    let lines = || above.iter().copied().chain([line]).chain(below.iter().copied());
    let text = lines().collect::<Vec<_>>().join("\n");
    let top = |key: &str| lines().map(Line::new).find(|line| line.column == 0 && line.key == Some(key));
    let kind = match Kind::guess(&text) {
        Kind::Unknown => expected,
        kind => kind,
    };
    match kind {
        Kind::AmlCompute | Kind::Unknown => &schema::AML_COMPUTE,
        Kind::ComputeInstance => &schema::COMPUTE_INSTANCE,
        Kind::BatchEndpoint => &schema::BATCH_ENDPOINT,
        Kind::BatchDeployment => match top("type").map(|line| line.value.trim_end()) {
            Some("pipeline") => &schema::PIPELINE_DEPLOYMENT,
            Some("model") => &schema::MODEL_DEPLOYMENT,
            _ if top("settings").is_some() => &schema::MODEL_DEPLOYMENT,
            _ => &schema::FLAT_DEPLOYMENT,
        },
    }
}

/// Keys that stand in the mapping of a line already.
fn siblings<'t>(line: &Line<'t>, above: &[&'t str], below: &[&'t str]) -> Vec<&'t str> {
    let mut keys = Vec::new();
    if line.dash.is_none() {
        for upper in above.iter().rev().map(|line| Line::new(line)).filter(|line| !line.is_blank()) {
            if upper.column < line.column {
                break;
            }
            if upper.column == line.column {
                keys.extend(upper.key);
                if upper.dash.is_some() {
                    break;
                }
            }
        }
    }
    for lower in below.iter().map(|line| Line::new(line)).filter(|line| !line.is_blank()) {
        if lower.column < line.column || lower.dash.is_some_and(|dash| dash < line.column) {
            break;
        }
        if lower.column == line.column {
            keys.extend(lower.key);
        }
    }
    keys
}

/// Keys that a mapping may have and has not yet: first those it must have.
fn keys(types: &[Ty], present: &[&str], column: usize, tail: &str) -> Vec<Completion> {
    let schemas = types.iter().filter_map(|ty| object(*ty));
    let fields = schemas.flat_map(|schema| schema.fields.iter().map(move |field| (schema, field)));
    let (required, others): (Vec<_>, Vec<_>) = fields
        .filter(|(_, field)| field.rule != Rule::ReadOnly && !present.contains(&field.key))
        .partition(|(_, field)| field.rule == Rule::Required);
    let mut options: Vec<Completion> = Vec::new();
    for (schema, field) in required.into_iter().chain(others) {
        if options.iter().any(|option| option.label == field.key) {
            continue;
        }
        let inner = " ".repeat(column + 2);
        let insert = match field.ty {
            _ if tail.trim_start().starts_with(':') => field.key.to_owned(),
            Ty::Object(_) | Ty::Trigger | Ty::Texts | Ty::Map(_) => format!("{}:\n{inner}", field.key),
            Ty::List(_) => format!("{}:\n{inner}- ", field.key),
            _ => format!("{}: ", field.key),
        };
        let doc = describe::key(schema.what, field.key).to_owned();
        options.push(Completion { label: field.key.to_owned(), kind: CompletionKind::Key, doc, insert });
    }
    options
}

/// Values that a key may have.
fn values(field: &Field, catalogue: Option<&Catalogue>) -> Vec<Completion> {
    match (field.key, catalogue) {
        ("size", Some(catalogue)) => {
            let sizes = catalogue.sizes().iter().filter(|size| size.azure_ml != Known::No);
            let options = sizes.map(|size| {
                let gpu = if size.gpu.is_empty() {
                    String::new()
                } else {
                    format!(", {} × {}", size.gpu_count, size.gpu)
                };
                value(&size.name, format!("{} vCPUs, {} GiB{gpu}", size.vcpus, size.memory_gib))
            });
            options.collect()
        }
        ("location", Some(catalogue)) => {
            let regions = catalogue.regions().iter();
            regions.map(|region| value(region, "A region with prices here".to_owned())).collect()
        }
        _ => alternatives(field.ty).into_iter().flat_map(|ty| words(field.key, ty)).collect(),
    }
}

/// Values of a type that has few.
fn words(key: &str, ty: Ty) -> Vec<Completion> {
    match ty {
        Ty::Word(words) | Ty::SnakeWord(words) => {
            words.iter().map(|word| value(word, describe::word(key, word).to_owned())).collect()
        }
        Ty::Bool => ["true", "false"].into_iter().map(|word| value(word, String::new())).collect(),
        Ty::Asset(_) | Ty::Reference => {
            vec![value("azureml:", "An asset of the workspace, by its name".to_owned())]
        }
        _ => Vec::new(),
    }
}

fn value(label: &str, doc: String) -> Completion {
    Completion { label: label.to_owned(), kind: CompletionKind::Value, doc, insert: label.to_owned() }
}

/// Keeps what goes on from a word, then what has a part that does; nothing if the word is complete.
fn narrow(options: Vec<Completion>, word: &str) -> Vec<Completion> {
    let word = word.to_lowercase();
    let (mut kept, others): (Vec<_>, Vec<_>) =
        options.into_iter().partition(|option| option.label.to_lowercase().starts_with(&word));
    let has_part = |label: &str| label.split('_').skip(1).any(|part| part.to_lowercase().starts_with(&word));
    kept.extend(others.into_iter().filter(|option| has_part(&option.label)));
    kept.truncate(MOST);
    if matches!(&kept[..], [only] if only.label.to_lowercase() == word) {
        kept.clear();
    }
    kept
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Labels at the mark `|` in a text, and what the word is that they complete.
    fn at(text: &str, expected: Kind) -> (Vec<String>, String) {
        let (before, after) = text.split_once('|').expect("a mark");
        let line = before.matches('\n').count() + 1;
        let begun = before.rsplit('\n').next().unwrap_or_default();
        let column = begun.chars().count() + 1;
        let found = complete(
            &format!("{before}{after}"),
            Place { line, column },
            expected,
            Some(Catalogue::compiled_in()),
        );
        let word = begun.chars().skip(found.from.saturating_sub(1)).collect();
        (found.options.into_iter().map(|option| option.label).collect(), word)
    }

    fn labels(text: &str) -> Vec<String> {
        at(text, Kind::BatchDeployment).0
    }

    #[test]
    fn an_empty_document_offers_what_it_must_have_first() {
        let (labels, word) = at("|", Kind::AmlCompute);
        assert_eq!(labels[..2], ["type", "name"]);
        assert!(labels.contains(&"tier".to_owned()) && !labels.contains(&"created_on".to_owned()));
        assert_eq!(word, "");
        assert!(at("|", Kind::BatchDeployment).0.contains(&"endpoint_name".to_owned()));
    }

    #[test]
    fn keys_that_stand_there_are_not_offered_again() {
        let (labels, word) = at("name: x\nmi|\nmin_instances: 0\n", Kind::AmlCompute);
        assert_eq!((labels, word.as_str()), (vec![], "mi"));
        assert_eq!(at("name: x\nmax|\n", Kind::AmlCompute).0, ["max_instances"]);
    }

    #[test]
    fn the_mapping_that_the_place_is_in_decides() {
        let head = "type: model\nresources:\n  instance_count: 2\nsettings:\n  retry_settings:\n    max_retries: 3\n";
        assert_eq!(labels(&format!("{head}    |")), ["timeout"]);
        assert!(labels(&format!("{head}  |")).contains(&"mini_batch_size".to_owned()));
        assert!(!labels(&format!("{head}  |")).contains(&"retry_settings".to_owned()));
        assert!(labels(&format!("{head}|")).contains(&"endpoint_name".to_owned()));
        assert_eq!(
            labels("type: model\nresources:\n  inst|\n"),
            ["instance_count", "instance_type", "max_instance_count"]
        );
    }

    #[test]
    fn a_dialect_has_its_own_keys() {
        assert_eq!(labels("name: x\nmini|"), ["mini_batch_size"]);
        assert_eq!(labels("type: model\nmini|"), Vec::<String>::new());
        assert_eq!(labels("type: pipeline\njob|"), ["job_definition"]);
    }

    #[test]
    fn values_are_words_truth_values_sizes_and_regions() {
        assert_eq!(
            at("tier: |", Kind::AmlCompute),
            (vec!["low_priority".into(), "dedicated".into()], String::new())
        );
        assert_eq!(at("tier: lo|", Kind::AmlCompute), (vec!["low_priority".into()], "lo".into()));
        assert_eq!(at("enable_node_public_ip: |", Kind::AmlCompute).0, ["true", "false"]);
        assert_eq!(at("size: standard_ds3_|", Kind::AmlCompute).0, ["Standard_DS3_v2"]);
        assert_eq!(at("location: eastus|", Kind::AmlCompute).0, ["eastus", "eastus2"]);
        assert_eq!(labels("type: model\nsettings:\n  output_action: s|"), ["summary_only"]);
        assert_eq!(labels("type: model\nmodel: a|"), ["azureml:"]);
    }

    #[test]
    fn items_of_lists_are_keys_or_words() {
        let head = "type: computeinstance\nschedules:\n  compute_start_stop:\n";
        assert!(labels(&format!("{head}    - |")).contains(&"action".to_owned()));
        assert_eq!(labels(&format!("{head}    - action: stop\n      st|")), ["state"]);
        let trigger = format!("{head}    - action: stop\n      trigger:\n        type: recurrence\n");
        assert!(labels(&format!("{trigger}        |")).contains(&"frequency".to_owned()));
        let days = format!("{trigger}        schedule:\n          week_days:\n          - m|");
        assert_eq!(labels(&days), ["monday"]);
    }

    #[test]
    fn nothing_is_offered_where_nothing_is_known() {
        for text in [
            "tier: low_priority|",
            "tier: LowPriority|",
            "# ti|",
            "tier: dedicated # lo|",
            "description: |",
            "description: >\n  ti|",
            "tags:\n  ti|",
            "tags: {ti|",
            "---|",
            "tier|: dedicated\ntier: dedicated",
        ] {
            assert_eq!(at(text, Kind::AmlCompute).0, Vec::<String>::new(), "{text}");
        }
    }

    #[test]
    fn a_key_brings_what_follows_it() {
        let place = Place { line: 1, column: 1 };
        let found = complete("", place, Kind::BatchDeployment, None);
        let insert = |label: &str| {
            found.options.iter().find(|option| option.label == label).map(|option| option.insert.as_str())
        };
        assert_eq!(insert("name"), Some("name: "));
        assert_eq!(insert("resources"), Some("resources:\n  "));
        let inner = complete("resources:\n  ", Place { line: 2, column: 3 }, Kind::BatchDeployment, None);
        let locations = inner.options.iter().find(|option| option.label == "locations");
        assert_eq!(locations.map(|option| option.insert.as_str()), Some("locations:\n    - "));
    }

    #[test]
    fn any_place_of_any_text_is_answered() {
        let texts =
            ["", "\u{feff}a:\n- b\n  - c: ü|", "settings:\n\tx: 1\n- - a: b\n -\n", "---\n...\n--- x\n"];
        for text in texts {
            for line in 0..8 {
                for column in 0..12 {
                    let _ = complete(text, Place { line, column }, Kind::BatchDeployment, None);
                }
            }
        }
    }
}
