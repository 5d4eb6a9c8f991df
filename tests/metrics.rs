//! Exports of Azure Monitor are read in every layout that there is, and a file that cannot be read is told its line.
#![allow(clippy::unwrap_used, clippy::expect_used)]
#![cfg(not(target_arch = "wasm32"))]

use lowpri::azure::metrics::{Export, Layout, Metric, is_export};

/// Three minutes of a cluster: 4 nodes active, then one of them preempted in the middle of the second minute.
const PREEMPTED: [f64; 3] = [0.0, 0.5, 1.0];
const ACTIVE: [f64; 3] = [4.0, 3.5, 3.0];

fn read(text: &str) -> Export {
    Export::read(text, None).unwrap_or_else(|error| panic!("{error}\n{text}"))
}

fn holds_the_three_minutes(text: &str) -> Export {
    let export = read(text);
    assert_eq!(export.start(), "2026-11-03T16:05:00Z", "{text}");
    let series = |metric| -> Vec<_> {
        export.samples.iter().map(|sample| sample.nodes(metric, 4).expect("a number")).collect()
    };
    assert_eq!(series(Metric::Preempted), PREEMPTED, "{text}");
    assert_eq!(series(Metric::Active), ACTIVE, "{text}");
    let times: Vec<_> = export.samples.iter().map(|sample| (sample.from, sample.to)).collect();
    assert_eq!(times, [(0, 60_000), (60_000, 120_000), (120_000, 180_000)], "{text}");
    export
}

#[test]
fn a_chart_of_the_metrics_explorer_has_a_column_a_series_below_lines_about_it() {
    let export = holds_the_three_minutes(
        "\u{feff}Chart,Preempted and active nodes\r\nStart,2026-11-03\r\n\r\n\
         \"Timestamp\",\"Preempted Nodes (Avg), imaging-cluster\",\"Active Nodes (Avg), imaging-cluster\"\r\n\
         2026-11-03T16:05:00.0000000Z,0,4\r\n2026-11-03T16:06:00.0000000Z,0.5,3.5\r\n2026-11-03T16:07:00.0000000Z,1,3\r\n",
    );
    assert_eq!((export.layout, export.cluster.as_deref()), (Layout::Columns, Some("imaging-cluster")));
    assert!(export.notes.is_empty());
}

#[test]
fn excel_saves_with_the_signs_of_its_country() {
    let export = holds_the_three_minutes(
        "sep=;\nZeit;;\nTime;Preempted Nodes (Avg);Active Nodes (Avg)\n\
         03.11.2026 16:05;0;4\n03.11.2026 16:06;0,5;3,5\n03.11.2026 16:07;1;3\n",
    );
    assert!(export.notes.is_empty());
    holds_the_three_minutes(
        "Time\tPreempted Nodes\tActive Nodes\n11/03/2026 04:05 PM\t0\t4\n11/03/2026 04:06 PM\t0,5\t3,5\n\
         11/13/2026 04:05 PM\t\t\n11/03/2026 04:07 PM\t1\t3\n",
    );
    // Both orders of day and month would do.
    let export = read("Time,Preempted Nodes\n3/11/2026 16:05,0\n3/11/2026 16:06,1\n");
    assert_eq!(export.notes, ["Its dates are read as month/day/year: both orders would do."]);
}

#[test]
fn cores_are_nodes_times_the_cores_of_a_node() {
    let export = holds_the_three_minutes(
        "Timestamp,Preempted Cores,Active Cores\n2026-11-03T16:05:00Z,0,16\n2026-11-03T16:06:00Z,2,14\n2026-11-03T16:07:00Z,4,12\n",
    );
    assert!(export.samples[0].is_by_cores(Metric::Preempted));
    assert!(!export.samples[0].is_by_cores(Metric::Total));
}

#[test]
fn the_command_line_and_log_analytics_have_a_row_a_metric() {
    holds_the_three_minutes(
        "Timestamp            Name             average\n\
         -------------------  ---------------  ---------\n\
         2026-11-03 16:05:00  Preempted Nodes  0.0\n\
         2026-11-03 16:06:00  Preempted Nodes  0.5\n\
         2026-11-03 16:07:00  Preempted Nodes  1.0\n\
         2026-11-03 16:05:00  Active Nodes     4.0\n\
         2026-11-03 16:06:00  Active Nodes     3.5\n\
         2026-11-03 16:07:00  Active Nodes     3.0\n",
    );
    // The newest first, other metrics between them, and aggregations that are of no use.
    let export = holds_the_three_minutes(
        "\"TimeGenerated [UTC]\",MetricName,Total,Count,Maximum,Minimum,Average,TimeGrain\n\
         \"11/3/2026, 4:07:00.000 PM\",Preempted Nodes,5,5,1,1,1,PT1M\n\
         \"11/3/2026, 4:07:00.000 PM\",Active Nodes,15,5,3,3,3,PT1M\n\
         \"11/3/2026, 4:06:00.000 PM\",CpuUtilization,,,,,77,PT1M\n\
         \"11/3/2026, 4:06:00.000 PM\",Preempted Nodes,2.5,5,1,0,0.5,PT1M\n\
         \"11/3/2026, 4:06:00.000 PM\",Active Nodes,17.5,5,4,3,3.5,PT1M\n\
         \"11/3/2026, 4:05:00.000 PM\",Active Nodes,20,5,4,4,4,PT1M\n\
         \"11/3/2026, 4:05:00.000 PM\",Preempted Nodes,0,5,0,0,0,PT1M\n",
    );
    assert_eq!(export.layout, Layout::Rows);
    // One metric alone may be named above its numbers only.
    let export = read(
        "Metric: Preempted Nodes\ntimeStamp,average\n2026-11-03T16:05:00+00:00,0\n2026-11-03T16:06:00+00:00,2\n",
    );
    assert_eq!(export.samples[1].nodes(Metric::Preempted, 4), Some(2.0));
}

#[test]
fn events_hold_until_the_next_one() {
    let text = "TimeGenerated [UTC],ClusterName,RunningNodeCount,IdleNodeCount,PreparingNodeCount,PreemptedNodeCount,TargetNodeCount\n\
                \"11/3/2026, 4:05:00.000 PM\",a,4,0,1,0,5\n\
                \"11/3/2026, 4:05:30.000 PM\",b,9,0,0,0,9\n\
                \"11/3/2026, 4:09:00.000 PM\",a,3,0,1,1,5\n\
                \"11/3/2026, 5:00:00.000 PM\",a,5,0,0,0,5\n";
    let export = read(text);
    assert_eq!((export.layout, export.grain_ms), (Layout::Events, 0));
    assert_eq!(export.clusters, ["a", "b"]);
    assert_eq!(export.notes, ["2 clusters are in it: this is a."]);
    let times: Vec<_> = export.samples.iter().map(|sample| (sample.from, sample.to)).collect();
    assert_eq!(times, [(0, 240_000), (240_000, 3_300_000), (3_300_000, 3_300_000)]);
    assert_eq!(export.samples[1].nodes(Metric::Preempted, 1), Some(1.0));
    assert_eq!(export.samples[1].nodes(Metric::Preparing, 1), Some(1.0));
    // One event is no stretch of time.
    assert!(Export::read(text, Some("b")).unwrap_err().reason.contains("two moments"));
}

#[test]
fn a_cluster_is_chosen_among_several() {
    let text = "Timestamp,\"Preempted Nodes (Avg), a\",\"Preempted Nodes (Avg), b\"\n\
                2026-11-03T16:05:00Z,1,2\n2026-11-03T16:06:00Z,1,2\n";
    let of = |wanted| {
        let export = Export::read(text, wanted).unwrap();
        (export.cluster.clone().unwrap(), export.samples[0].nodes(Metric::Preempted, 1).unwrap())
    };
    assert_eq!(of(None), ("a".to_owned(), 1.0));
    assert_eq!(of(Some("b")), ("b".to_owned(), 2.0));
    assert_eq!(of(Some("c")), ("a".to_owned(), 1.0));
}

#[test]
fn what_is_missing_is_unknown_and_the_grain_is_the_commonest_step() {
    let export = read(
        "Timestamp,Preempted Nodes,Active Nodes\n2026-11-03T16:00:00Z,0,4\n2026-11-03T16:05:00Z,,4\n\
         2026-11-03T16:10:00Z,-,\n2026-11-03T16:15:00Z,1,3\n2026-11-03T17:00:00Z,1,3\n",
    );
    assert_eq!(export.grain_ms, 300_000);
    let preempted: Vec<_> =
        export.samples.iter().map(|sample| (sample.from, sample.nodes(Metric::Preempted, 1))).collect();
    assert_eq!(preempted, [(0, Some(0.0)), (300_000, None), (900_000, Some(1.0)), (3_600_000, Some(1.0))]);
    assert_eq!(export.length_ms(), 3_900_000);
}

#[test]
fn other_aggregations_are_said_or_refused() {
    let export = read("Time,Preempted Nodes (Max)\n2026-11-03T16:05:00Z,1\n2026-11-03T16:06:00Z,1\n");
    assert_eq!(export.notes, ["`Preempted Nodes (Max)` is the maximum, not the average, of each grain."]);
    let both = "Time,Preempted Nodes (Max),Preempted Nodes (Avg)\n2026-11-03T16:05:00Z,1,0.5\n2026-11-03T16:06:00Z,1,1\n";
    assert_eq!(read(both).samples[0].nodes(Metric::Preempted, 1), Some(0.5));
}

#[test]
fn bad_and_foreign_files_are_told_line_and_reason() {
    let hour = "2026-11-03T16:05:00Z";
    let texts = [
        String::new(),
        "PK\u{3}\u{4}\u{14}".to_owned(),
        "name,amount\ncoffee,3\n".to_owned(),
        "type: amlcompute\nname: c\n".to_owned(),
        format!("about,a VM\n\nTimestamp,Percentage CPU (Avg)\n{hour},3\n"),
        format!("Timestamp,Preempted Nodes (Sum)\n{hour},3\n"),
        format!("timeStamp,average\n{hour},3\n"),
        format!("Timestamp,Preempted Nodes\n{hour},1\n\nyesterday,2\n"),
        format!("Timestamp,Preempted Nodes\n{hour},1\n2026-11-03T16:06:00Z,\"two\"\n"),
        format!("Timestamp,Preempted Nodes\n{hour},1\n2026-11-03T16:06:00Z,-3\n"),
        format!("Timestamp,Preempted Nodes\n{hour},1\n"),
        format!("Timestamp,Preempted Nodes\n{hour},\n2026-11-03T16:06:00Z,\n"),
    ];
    let said = texts.iter().map(|text| {
        let error = Export::read(text, None).expect_err(text);
        format!("{text:?}\n    {error}\n")
    });
    insta::assert_snapshot!(said.collect::<String>());
}

#[test]
fn a_file_is_an_export_by_its_name_or_its_header() {
    assert!(is_export("metrics.CSV", "a,b\n"));
    assert!(is_export("", "Time,Preempted Nodes\n"));
    assert!(is_export("Data.xlsx", "PK"));
    for preset in ["documented-example", "day-run"] {
        let text = std::fs::read_to_string(format!("assets/presets/{preset}.yml")).unwrap();
        assert!(!is_export("scenario.yml", &text));
    }
    assert!(!is_export("cluster.yml", "type: amlcompute\nname: time\n"));
}
