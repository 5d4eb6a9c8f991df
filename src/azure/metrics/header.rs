//! What the columns of an export are.

use super::records::{HEAD, Row, Sheet};
use super::{ExportError, Layout, Metric};

/// A column that holds a metric.
pub struct Column {
    /// Which, from 0.
    pub index: usize,
    /// What is counted.
    pub metric: Metric,
    /// In cores, not nodes.
    pub is_cores: bool,
    /// The cluster that its name says; may be empty.
    pub cluster: String,
}

/// What the columns are.
pub struct Header {
    /// All names.
    pub names: Vec<String>,
    /// The kind of table.
    pub layout: Layout,
    /// The column of times.
    pub time: usize,
    /// The column with the name of the cluster.
    pub cluster: Option<usize>,
    /// The columns with the name of a metric and with its value.
    pub named: Option<(usize, usize)>,
    /// Columns with a metric each.
    pub columns: Vec<Column>,
    /// What was assumed.
    pub notes: Vec<String>,
}

/// How values of a grain are made one, the more useful first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Aggregation {
    Average,
    Unsaid,
    Maximum,
    Minimum,
    /// Sums and counts of samples, which say nothing of nodes.
    Useless,
}

fn aggregation(word: &str) -> Option<Aggregation> {
    Some(match word {
        "avg" | "average" | "mean" => Aggregation::Average,
        "max" | "maximum" => Aggregation::Maximum,
        "min" | "minimum" => Aggregation::Minimum,
        "sum" | "total" | "count" => Aggregation::Useless,
        _ => return None,
    })
}

/// The name of a metric as it was found.
pub struct Named {
    pub metric: Metric,
    pub is_cores: bool,
    aggregation: Aggregation,
    /// As the event log names it.
    is_event: bool,
    /// What else the name says.
    rest: String,
}

/// The words of a name: (word in lower case, from, to).
fn words(name: &str) -> Vec<(String, usize, usize)> {
    let mut found: Vec<(String, usize, usize)> = Vec::new();
    let mut before = ' ';
    for (i, c) in name.char_indices() {
        let begins = !before.is_alphanumeric() || before.is_lowercase() && c.is_uppercase();
        if c.is_alphanumeric() {
            let end = i + c.len_utf8();
            match found.last_mut().filter(|_| !begins) {
                Some((word, _, to)) => {
                    word.extend(c.to_lowercase());
                    *to = end;
                }
                None => found.push((c.to_lowercase().collect(), i, end)),
            }
        }
        before = c;
    }
    found
}

/// The metric that a name means, as `Preempted Nodes (Avg), imaging-cluster` or `PreemptedNodeCount`.
pub fn metric(name: &str) -> Option<Named> {
    let words = words(name);
    let at = words.windows(2).position(|pair| kind(&pair[0].0, &pair[1].0).is_some())?;
    let (metric, is_cores) = kind(&words[at].0, &words[at + 1].0)?;
    let after = words.get(at + 2);
    let is_event = !words[at + 1].0.ends_with('s') && after.is_some_and(|(word, ..)| word == "count");
    let said = after.filter(|_| !is_event).and_then(|(word, ..)| aggregation(word));
    let ahead = at.checked_sub(1).and_then(|before| aggregation(&words[before].0));
    let ends = at + 1 + usize::from(is_event || said.is_some());
    let outer = |text: &str| text.trim_matches(|c: char| !c.is_alphanumeric()).to_owned();
    let mut rest = outer(&name[words[ends].2..]);
    if rest.is_empty() && ahead.is_none() {
        rest = outer(&name[..words[at].1]);
    }
    Some(Named {
        metric,
        is_cores,
        aggregation: said.or(ahead).unwrap_or(Aggregation::Unsaid),
        is_event,
        rest,
    })
}

fn kind(state: &str, unit: &str) -> Option<(Metric, bool)> {
    let is_cores = match unit {
        "node" | "nodes" => false,
        "core" | "cores" => true,
        _ => return None,
    };
    let metric = match state {
        "active" | "running" => Metric::Active,
        "idle" => Metric::Idle,
        "leaving" => Metric::Leaving,
        "preempted" => Metric::Preempted,
        "unusable" => Metric::Unusable,
        "total" => Metric::Total,
        "preparing" => Metric::Preparing,
        _ => return None,
    };
    Some((metric, is_cores))
}

/// Letters and digits only, in lower case.
fn plain(name: &str) -> String {
    name.chars().filter(|c| c.is_alphanumeric()).flat_map(char::to_lowercase).collect()
}

/// The zone that the name of a column of times says, if it is such a name; empty if it says none.
fn zone_of_time(name: &str) -> Option<&str> {
    let (base, zone) = name.split_once(['[', '(']).unwrap_or((name, ""));
    let base = plain(base);
    let base = base.strip_suffix("utc").unwrap_or(&base);
    let known = ["timestamp", "time", "timegenerated", "datetime", "date", "eventtime", "starttime"];
    known.contains(&base).then(|| zone.trim_end_matches([']', ')']).trim())
}

/// The header among the first rows, and the row after it.
pub fn find(sheet: &Sheet) -> Result<(Header, usize), ExportError> {
    let mut best: Option<ExportError> = None;
    let mut preamble = String::new();
    for (i, row) in sheet.rows.iter().take(HEAD).enumerate() {
        match of(row, &preamble) {
            Some(Ok(header)) => return Ok((header, i + 1)),
            Some(Err(error)) => best = best.or(Some(error)),
            None => {}
        }
        for field in &row.fields {
            preamble.push_str(field);
            preamble.push('\n');
        }
    }
    Err(best.unwrap_or_else(|| {
        let Some(first) = sheet.rows.first() else { return ExportError::new(1, "the file is empty") };
        let shown: String = first.fields.iter().collect::<Vec<_>>().join(", ").chars().take(80).collect();
        ExportError::new(
            first.line,
            format!(
                "no line names a column of times (Timestamp, Time, TimeGenerated) and a metric of a cluster \
                 (Preempted Nodes, Active Cores, …); this one is `{shown}`"
            ),
        )
    }))
}

/// What a row is as a header; none if it has no column of times.
fn of(row: &Row, preamble: &str) -> Option<Result<Header, ExportError>> {
    let names: Vec<String> = row.fields.iter().map(str::to_owned).collect();
    let (time, zone) = names.iter().enumerate().find_map(|(i, name)| Some((i, zone_of_time(name)?)))?;
    let mut notes = Vec::new();
    if !(zone.is_empty() || zone.eq_ignore_ascii_case("utc")) {
        notes.push(format!("Its times are in {zone}; they are taken as UTC."));
    }
    let find = |wanted: &[&str]| names.iter().position(|name| wanted.contains(&plain(name).as_str()));
    let cluster = find(&["clustername", "cluster", "computename"]);
    let mut header = Header {
        layout: Layout::Columns,
        time,
        cluster,
        named: None,
        columns: Vec::new(),
        notes,
        names: names.clone(),
    };
    let said = names.iter().enumerate().filter_map(|(i, name)| Some((i, metric(name)?)));
    let said: Vec<(usize, Named)> = said.collect();
    let useless = said.iter().find(|(_, named)| named.aggregation == Aggregation::Useless).map(|(i, _)| *i);
    for (index, Named { metric, is_cores, aggregation, is_event, rest }) in said {
        if aggregation == Aggregation::Useless {
            continue;
        }
        if is_event {
            header.layout = Layout::Events;
        }
        if let Some(name) = not_average(aggregation) {
            header.notes.push(format!("`{}` is the {name}, not the average, of each grain.", names[index]));
        }
        header.columns.push(Column { index, metric, is_cores, cluster: rest });
    }
    keep_best(&mut header.columns, &names);
    if header.columns.is_empty() {
        let found = by_row(&mut header, preamble);
        if let Err(why) = found {
            let why = useless.map_or(why, |index| adds_up(&names[index]));
            return Some(Err(ExportError::new(row.line, why)));
        }
    }
    Some(Ok(header))
}

fn not_average(aggregation: Aggregation) -> Option<&'static str> {
    match aggregation {
        Aggregation::Maximum => Some("maximum"),
        Aggregation::Minimum => Some("minimum"),
        _ => None,
    }
}

fn adds_up(name: &str) -> String {
    format!(
        "`{name}` adds up samples, which says nothing of nodes: choose the aggregation Avg and export again"
    )
}

/// Of several columns for the same metric of the same cluster, the average.
fn keep_best(columns: &mut Vec<Column>, names: &[String]) {
    let rank = |column: &Column| metric(&names[column.index]).map(|named| named.aggregation);
    columns.sort_by_key(|column| (rank(column), column.index));
    let mut kept: Vec<Column> = Vec::new();
    for column in columns.drain(..) {
        let same = |known: &Column| {
            (known.metric, known.is_cores, &known.cluster)
                == (column.metric, column.is_cores, &column.cluster)
        };
        if !kept.iter().any(same) {
            kept.push(column);
        }
    }
    *columns = kept;
}

/// A table with the values of all metrics in one column.
fn by_row(header: &mut Header, preamble: &str) -> Result<(), String> {
    let values = header.names.iter().enumerate().filter_map(|(i, name)| match plain(name).as_str() {
        "value" | "val" => Some((Aggregation::Unsaid, i)),
        word => Some((aggregation(word)?, i)),
    });
    let Some((found, value)) = values.min() else {
        let others =
            header.names.iter().enumerate().filter(|(i, name)| *i != header.time && !name.is_empty());
        let others: Vec<String> = others.map(|(_, name)| format!("`{name}`")).take(5).collect();
        return Err(format!(
            "there is a column of times but no metric of a cluster, as `Preempted Nodes`: {}",
            if others.is_empty() { "nothing else".to_owned() } else { others.join(", ") }
        ));
    };
    if found == Aggregation::Useless {
        return Err(adds_up(&header.names[value]));
    }
    if let Some(name) = not_average(found) {
        header.notes.push(format!("Its values are the {name}, not the average, of each grain."));
    }
    let name = header
        .names
        .iter()
        .position(|name| ["name", "metricname", "metric", "metrics"].contains(&plain(name).as_str()));
    if let Some(name) = name {
        header.layout = Layout::Rows;
        header.named = Some((name, value));
        return Ok(());
    }
    // The lines about the chart may say which metric it is.
    let Some(named) = preamble.lines().find_map(metric) else {
        let name = &header.names[value];
        return Err(format!(
            "the file does not say which metric `{name}` is: name the column after it, as `Preempted Nodes`"
        ));
    };
    let Named { metric, is_cores, .. } = named;
    header.columns.push(Column { index: value, metric, is_cores, cluster: String::new() });
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_metric_is_known_by_its_name_in_every_layout() {
        for (name, wanted) in [
            ("Preempted Nodes", (Metric::Preempted, false, Aggregation::Unsaid, "")),
            (
                "Preempted Nodes (Avg), imaging-cluster",
                (Metric::Preempted, false, Aggregation::Average, "imaging-cluster"),
            ),
            (
                "imaging-cluster - Active Cores (Max)",
                (Metric::Active, true, Aggregation::Maximum, "imaging-cluster"),
            ),
            ("Avg Total Nodes", (Metric::Total, false, Aggregation::Average, "")),
            ("Total Nodes (Sum)", (Metric::Total, false, Aggregation::Useless, "")),
            ("PreemptedNodeCount", (Metric::Preempted, false, Aggregation::Unsaid, "")),
            ("RunningNodeCount", (Metric::Active, false, Aggregation::Unsaid, "")),
            ("Idle Cores Average", (Metric::Idle, true, Aggregation::Average, "")),
        ] {
            let Named { metric, is_cores, aggregation, rest, .. } = metric(name).unwrap();
            assert_eq!((metric, is_cores, aggregation, rest.as_str()), wanted, "{name}");
        }
        for name in ["Percentage CPU (Avg)", "Quota Utilization Percentage", "Nodes", "CurrentNodeCount", ""]
        {
            assert!(metric(name).is_none(), "{name}");
        }
    }
}
