//! What Azure Monitor says of a cluster: exports of its metrics and of its event log, read as CSV.
//!
//! There is one namespace of metrics and several ways out of it, each with columns of its own. All of them are told
//! apart by their header, wherever in the first lines of the file it stands:
//!
//! - a chart of the metrics explorer: some lines about the chart, then a time and a column a series, as
//!   `Preempted Nodes (Avg), imaging-cluster`. The portal makes a workbook of it; Excel saves that as CSV with the
//!   delimiter, the date and the decimal sign of the reader's country;
//! - the command line: `Timestamp`, `Name`, dimensions and `average`, as text in columns or made into CSV
//!   (Azure/azure-cli, `command_modules/monitor/transformers.py`);
//! - the table `AzureMetrics` of a Log Analytics workspace: `TimeGenerated [UTC]`, `MetricName`, `Average`, `Maximum`,
//!   `Minimum`, `Total`, `Count`, times as `2/25/2025, 9:19:25.391 AM`;
//! - the table `AmlComputeClusterEvent`: a row an event, `PreemptedNodeCount`, `RunningNodeCount` and so on
//!   (MicrosoftDocs/azure-ai-docs, `monitor-azure-machine-learning-reference.md`);
//! - the timeline that this page exports.
//!
//! Metrics are averages over a grain of a minute or more. A minute that is missing is unknown, not 0. Events hold until
//! the next one. Names of metrics are the English ones.

mod header;
mod records;
mod time;

use header::{Column, Header};
use std::collections::BTreeMap;
use std::fmt;

/// What is counted.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Metric {
    /// Nodes that run a job.
    Active,
    /// Nodes without a job.
    Idle,
    /// Nodes that are being removed.
    Leaving,
    /// Nodes that were taken away and are wanted back.
    Preempted,
    /// Nodes that are broken.
    Unusable,
    /// All of them, and those being prepared.
    Total,
    /// Nodes that are being prepared; in the event log only.
    Preparing,
}

/// Metrics there are.
const METRICS: usize = 7;

/// Why an export cannot be read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ExportError {
    /// The line, from 1.
    pub line: usize,
    /// What is wrong there and what would be right.
    pub reason: String,
}

impl fmt::Display for ExportError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "line {}: {}", self.line, self.reason)
    }
}

impl std::error::Error for ExportError {}

impl ExportError {
    fn new(line: usize, reason: impl Into<String>) -> Self {
        Self { line, reason: reason.into() }
    }
}

/// What kind of table it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Layout {
    /// A time and a column a metric.
    Columns,
    /// A row a metric and time, with its name in a column.
    Rows,
    /// A row an event, with the numbers that hold from then on.
    Events,
}

/// What was measured in a stretch of time.
#[derive(Clone, Debug, PartialEq)]
pub struct Sample {
    /// When it begins, in milliseconds since the first sample.
    pub from: u64,
    /// When it ends, in milliseconds since the first sample.
    pub to: u64,
    nodes: [Option<f64>; METRICS],
    cores: [Option<f64>; METRICS],
}

impl Sample {
    /// The average number of nodes, as it was measured or by cores; `vcpus` are those of a node, at least 1.
    #[must_use]
    pub fn nodes(&self, metric: Metric, vcpus: u32) -> Option<f64> {
        let by_cores = || self.cores[metric as usize].map(|cores| cores / f64::from(vcpus.max(1)));
        self.nodes[metric as usize].or_else(by_cores)
    }

    /// Whether the nodes are known by their cores only.
    #[must_use]
    pub fn is_by_cores(&self, metric: Metric) -> bool {
        self.nodes[metric as usize].is_none() && self.cores[metric as usize].is_some()
    }

    fn is_empty(&self) -> bool {
        self.nodes.iter().chain(&self.cores).all(Option::is_none)
    }
}

/// An export that has been read.
#[derive(Clone, Debug, PartialEq)]
pub struct Export {
    /// Its layout.
    pub layout: Layout,
    /// The cluster, if the export says which.
    pub cluster: Option<String>,
    /// All clusters in it.
    pub clusters: Vec<String>,
    /// The first moment, in milliseconds since 1970 in UTC.
    pub start_unix_ms: i64,
    /// The length of a sample of metrics in milliseconds; 0 for events.
    pub grain_ms: u64,
    /// At least two, in order of time; none overlap.
    pub samples: Vec<Sample>,
    /// What had to be assumed, a sentence each.
    pub notes: Vec<String>,
}

/// Most characters of an export: a month of minutes in the longest layout is a tenth of it.
const MOST_BYTES: usize = 128 << 20;

impl Export {
    /// Reads an export; of several clusters in it the one that is wanted, or else the first.
    ///
    /// # Errors
    /// The first line that cannot be read, and why.
    pub fn read(text: &str, cluster: Option<&str>) -> Result<Self, ExportError> {
        if text.starts_with("PK\u{3}\u{4}") {
            let why = "this is an Excel workbook, as the portal makes them: open it, save the sheet as CSV and \
                       drop that";
            return Err(ExportError::new(1, why));
        }
        if text.len() > MOST_BYTES {
            return Err(ExportError::new(1, "this file is too large: export less than a year"));
        }
        let sheet = records::sheet(text)?;
        let (header, rows) = header::find(&sheet)?;
        read(&header, &sheet, rows, cluster)
    }

    /// When the first sample begins, as `2026-11-03T04:05:00Z`.
    #[must_use]
    pub fn start(&self) -> String {
        time::iso(self.start_unix_ms)
    }

    /// From the beginning of the first sample to the end of the last, in milliseconds.
    #[must_use]
    pub fn length_ms(&self) -> u64 {
        self.samples.last().map_or(0, |last| last.to)
    }
}

/// Whether a file is meant to be an export: by its name, or by a header in its first lines.
#[must_use]
pub fn is_export(name: &str, text: &str) -> bool {
    let named = |ending: &str| name.to_ascii_lowercase().ends_with(ending);
    [".csv", ".tsv", ".xlsx"].into_iter().any(named)
        || records::sheet(text).is_ok_and(|sheet| header::find(&sheet).is_ok())
}

/// A moment since 1970 in UTC, in milliseconds, as `2026-11-03T04:05:00Z`.
#[must_use]
pub fn iso_time(unix_ms: i64) -> String {
    time::iso(unix_ms)
}

/// Reads a moment as exports write them, in milliseconds since 1970; without an offset it is UTC.
#[must_use]
pub fn parse_time(text: &str) -> Option<i64> {
    time::parse(text)
}

/// A row that has been read: when, and what of which cluster.
struct Measured<'a> {
    line: usize,
    cluster: &'a str,
    values: Vec<(Metric, bool, f64)>,
}

fn read(
    header: &Header,
    sheet: &records::Sheet,
    first: usize,
    wanted: Option<&str>,
) -> Result<Export, ExportError> {
    let rows = sheet.rows.get(first..).unwrap_or_default();
    let rows: Vec<_> = rows.iter().filter(|row| !row.fields.iter().all(str::is_empty)).collect();
    let at: Vec<(usize, &str)> =
        rows.iter().map(|row| (row.line, row.fields.get(header.time).unwrap_or_default())).collect();
    let (times, mut notes) = time::times(&at)?;
    notes.splice(0..0, header.notes.iter().cloned());

    let mut clusters: Vec<String> = Vec::new();
    let mut known = |name: &str| {
        if !name.is_empty() && !clusters.iter().any(|known| known == name) {
            clusters.push(name.to_owned());
        }
    };
    let mut measured = Vec::new();
    for (row, unix_ms) in rows.into_iter().zip(times) {
        for found in header.values(row, sheet.decimal_comma())? {
            known(found.cluster);
            measured.push((unix_ms, found));
        }
    }
    let cluster = wanted.filter(|name| clusters.iter().any(|known| known == name));
    let cluster = cluster.map(str::to_owned).or_else(|| clusters.first().cloned());
    if clusters.len() > 1
        && let Some(cluster) = &cluster
    {
        notes.push(format!("{} clusters are in it: this is {cluster}.", clusters.len()));
    }
    let ours = |name: &str| name.is_empty() || cluster.as_deref().is_none_or(|cluster| cluster == name);
    let events = header.layout == Layout::Events;
    let mut by_time: BTreeMap<i64, Sample> = BTreeMap::new();
    let mut twice = None;
    for (unix_ms, found) in measured.into_iter().filter(|(_, found)| ours(found.cluster)) {
        let sample = by_time.entry(unix_ms).or_insert_with(|| Sample {
            from: 0,
            to: 0,
            nodes: [None; METRICS],
            cores: [None; METRICS],
        });
        for (metric, is_cores, value) in found.values {
            let kept = if is_cores { &mut sample.cores } else { &mut sample.nodes };
            let kept = &mut kept[metric as usize];
            match kept {
                // Of events in one moment the last holds.
                Some(before) if !events && *before != value => twice = twice.or(Some(found.line)),
                _ => *kept = Some(value),
            }
        }
    }
    if let Some(line) = twice {
        notes.push(format!(
            "From line {line} on there are several values for one metric and moment: the first is taken. Filter the \
             chart by one cluster."
        ));
    }
    by_time.retain(|_, sample| !sample.is_empty());
    samples(header, by_time, at.last().map_or(1, |last| last.0)).map(|(start_unix_ms, grain_ms, samples)| {
        Export { layout: header.layout, cluster, clusters, start_unix_ms, grain_ms, samples, notes }
    })
}

/// Gives every sample its stretch of time.
fn samples(
    header: &Header,
    by_time: BTreeMap<i64, Sample>,
    last_line: usize,
) -> Result<(i64, u64, Vec<Sample>), ExportError> {
    let (Some(&start), true) = (by_time.keys().next(), by_time.len() > 1) else {
        let why = "there are not two moments with numbers: export an hour or more of the chart";
        return Err(ExportError::new(last_line, why));
    };
    // Times of exports are within the years of four digits, so differences fit.
    let froms: Vec<u64> = by_time.keys().map(|at| at.abs_diff(start)).collect();
    let grain = if header.layout == Layout::Events { 0 } else { grain(&froms) };
    let nexts = froms.iter().skip(1).copied().map(Some).chain([None]);
    let samples = by_time.into_values().zip(&froms).zip(nexts).map(|((mut sample, &from), next)| {
        sample.from = from;
        sample.to = match (grain, next) {
            (0, next) => next.unwrap_or(from),
            (grain, next) => next.map_or(from + grain, |next| next.min(from + grain)),
        };
        sample
    });
    Ok((start, grain, samples.collect()))
}

/// The commonest distance of two neighbours; the shortest of equally common ones.
fn grain(froms: &[u64]) -> u64 {
    let mut counts: BTreeMap<u64, usize> = BTreeMap::new();
    for pair in froms.windows(2) {
        *counts.entry(pair[1] - pair[0]).or_default() += 1;
    }
    let most = counts.values().copied().max().unwrap_or(0);
    counts.into_iter().find(|(_, count)| *count == most).map_or(60_000, |(gap, _)| gap)
}

impl Header {
    /// What a row says.
    fn values<'a>(
        &'a self,
        row: &'a records::Row,
        decimal_comma: bool,
    ) -> Result<Vec<Measured<'a>>, ExportError> {
        let number = |index: usize| -> Result<Option<f64>, ExportError> {
            let text = row.fields.get(index).unwrap_or_default();
            records::number(text, decimal_comma).map_err(|why| {
                let name = self.names.get(index).map_or("", String::as_str);
                ExportError::new(row.line, format!("column `{name}`: {why}"))
            })
        };
        let of_row = self.cluster.and_then(|index| row.fields.get(index)).unwrap_or_default();
        let mut found: Vec<Measured> = Vec::new();
        let mut add = |cluster: &'a str, metric, is_cores, value| {
            let value = (metric, is_cores, value);
            match found.iter_mut().find(|known| known.cluster == cluster) {
                Some(known) => known.values.push(value),
                None => found.push(Measured { line: row.line, cluster, values: vec![value] }),
            }
        };
        if let Some((name, value)) = self.named {
            let name = row.fields.get(name).unwrap_or_default();
            // Other metrics of the workspace may stand there as well.
            if let Some(named) = header::metric(name)
                && let Some(value) = number(value)?
            {
                add(of_row, named.metric, named.is_cores, value);
            }
        }
        for Column { index, metric, is_cores, cluster } in &self.columns {
            if let Some(value) = number(*index)? {
                let cluster = if cluster.is_empty() { of_row } else { cluster };
                add(cluster, *metric, *is_cores, value);
            }
        }
        Ok(found)
    }
}
