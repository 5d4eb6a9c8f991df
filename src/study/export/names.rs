//! Names of files.

/// What a file holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Exported<'a> {
    /// The timeline, as CSV.
    Timeline,
    /// The trace, as JSON.
    Trace,
    /// The events, as text.
    Events,
    /// The result of the run, as JSON.
    ResultJson,
    /// The result of the run, as YAML.
    ResultYaml,
    /// The scenario, as JSON.
    ScenarioJson,
    /// The scenario, as YAML.
    ScenarioYaml,
    /// A chart by its name, as SVG.
    Svg(&'a str),
    /// A chart by its name, as PNG.
    Png(&'a str),
}

/// The name of a file of a run, as `imaging-cluster_seed-1_timeline.csv`: of which cluster, with which seed, what.
#[must_use]
pub fn file_name(cluster: &str, seed: u64, what: Exported) -> String {
    let (what, ending) = match what {
        Exported::Timeline => ("timeline", "csv"),
        Exported::Trace => ("trace", "json"),
        Exported::Events => ("events", "txt"),
        Exported::ResultJson => ("result", "json"),
        Exported::ResultYaml => ("result", "yml"),
        Exported::ScenarioJson => ("scenario", "json"),
        Exported::ScenarioYaml => ("scenario", "yml"),
        Exported::Svg(name) => (name, "svg"),
        Exported::Png(name) => (name, "png"),
    };
    let cluster = plain(cluster);
    let cluster = if cluster.is_empty() { "cluster" } else { &cluster };
    format!("{cluster}_seed-{seed}_{}.{ending}", plain(what))
}

/// Small letters, digits and single dashes, at most 40: safe in every file system.
fn plain(text: &str) -> String {
    let mut out = String::new();
    for c in text.chars().map(|c| c.to_ascii_lowercase()) {
        if c.is_ascii_alphanumeric() {
            out.push(c);
        } else if !out.is_empty() && !out.ends_with('-') {
            out.push('-');
        }
        if out.len() == 40 {
            break;
        }
    }
    out.trim_end_matches('-').to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_says_cluster_seed_and_content_and_nothing_that_a_disk_refuses() {
        assert_eq!(
            file_name("imaging-cluster", 1, Exported::Timeline),
            "imaging-cluster_seed-1_timeline.csv"
        );
        assert_eq!(file_name("../..\\C:", 7, Exported::Trace), "c_seed-7_trace.json");
        assert_eq!(
            file_name("", u64::MAX, Exported::Png("Preempted cores")),
            format!("cluster_seed-{}_preempted-cores.png", u64::MAX)
        );
        assert!(file_name(&"x".repeat(300), 0, Exported::Events).len() < 80);
    }
}
