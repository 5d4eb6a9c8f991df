//! A scenario is written and read back without loss, and what was pasted stays as it was pasted.
#![allow(clippy::unwrap_used, clippy::expect_used)]
#![cfg(not(target_arch = "wasm32"))]

use lowpri::azure::Catalogue;
use lowpri::scenario::{Goal, PriceModel, PriceSource, Scenario, documented_example};
use lowpri::sim::{CancelScope, Daily, Eviction, Scripted, Target};

fn again(scenario: &Scenario) -> Scenario {
    let text = scenario.to_file();
    Scenario::from_file(&text).unwrap_or_else(|found| panic!("{found:?}\n{text}"))
}

#[test]
fn the_documented_example_is_what_it_says() {
    let scenario = documented_example();
    let checked = scenario.check(Catalogue::compiled_in());
    let noted: Vec<_> = checked.cluster.iter().map(|found| (found.severity.name(), found.code)).collect();
    assert_eq!(noted, [("info", "size-retiring"), ("info", "spot")]);
    assert!(checked.deployment.is_empty() && checked.form.is_empty());
    let question = checked.question.unwrap();
    assert_eq!(question.cluster.size.value, "STANDARD_DS3_v2");
    assert_eq!((question.deployment.instance_count, question.deployment.timeout), (2, 300.0));
    let prepared = checked.prepared.unwrap();
    assert_eq!(prepared.rate.source, PriceSource::Spot);
    assert_eq!(prepared.rate.usd_per_hour, 0.056_315);
    assert_eq!(prepared.dedicated_rate.unwrap().usd_per_hour, 0.293);
}

#[test]
fn every_assumption_comes_back() {
    let mut scenario = documented_example();
    let a = &mut scenario.assumptions;
    a.workload.seconds_per_file = 0.1 + 0.2;
    a.workload.jobs.push(lowpri::sim::Job { submit_seconds: 3600.5, files: 7 });
    a.platform.gang_start = true;
    a.platform.preemption_counts_as_retry = true;
    a.platform.cancel_scope = CancelScope::Job;
    a.platform.resubmit_after_seconds = Some(60.0);
    a.platform.quota_cores = Some(100.0);
    a.capacity.regrant_seconds = None;
    let daily = Some(Daily { from_hour: 22.0, to_hour: 6.0, factor: 0.5 });
    a.capacity.evictions = vec![
        Eviction::Exponential { per_node_hour: 1e-9, daily },
        Eviction::Weibull { shape: 0.6, scale_hours: 2.2 },
        Eviction::Bathtub { a: 0.295, tau1_hours: 1.48, tau2_hours: 0.72, b_hours: 24.1 },
        Eviction::Shock { per_hour: 0.3, share: 0.5, outage_seconds: 600.0, daily },
        Eviction::Trace { step_seconds: 60.0, available: vec![3, 2, 0], repeat: true },
    ];
    a.capacity.scripted = vec![
        Scripted { at_seconds: 1.5, target: Target::All },
        Scripted { at_seconds: 2.0, target: Target::Count(3) },
        Scripted { at_seconds: 3.0, target: Target::Nodes(vec![0, 5]) },
    ];
    a.prices.dedicated_per_hour = Some(0.3);
    a.prices.price_model = PriceModel::FixedDiscount;
    a.prices.region = "somewhere: # else".to_owned();
    a.goal = Goal { deadline_seconds: Some(5400.5), confidence: 0.95, replications: 200 };
    a.seed = 123_456_789;
    assert_eq!(again(&scenario), scenario);
}

#[test]
fn pasted_texts_keep_comments_order_and_odd_forms() {
    let mut scenario = documented_example();
    for (cluster, deployment) in [
        (
            "# of the team\nname: c  # here\n\ntype: amlcompute\nmax_instances: 3\n",
            "name: d\nendpoint_name: e\n",
        ),
        (
            "{\"name\": \"c\", \"type\": \"amlcompute\", \"max_instances\": 3}\n",
            "{name: d, endpoint_name: e}\n",
        ),
        (
            "name: c\ntype: amlcompute\nmax_instances: 3\ndescription: |\n  two\n\n  lines\n",
            "name: d\nendpoint_name: e\ntags:\n- a\n",
        ),
    ] {
        scenario.cluster = cluster.to_owned();
        scenario.deployment = deployment.to_owned();
        let back = again(&scenario);
        let without_comment = cluster.trim_start_matches("# of the team\n");
        assert_eq!(back.cluster, without_comment);
        assert_eq!(back.deployment, deployment);
        assert_eq!(back.assumptions, scenario.assumptions);
    }
}

#[test]
fn a_section_that_needs_another_is_written_anew() {
    let text = "cluster: {name: &n shared, type: amlcompute, max_instances: 1}\n\
                deployment: {name: *n, endpoint_name: \"e, f\"}\nworkload: {jobs: [{files: 3}]}\n";
    let scenario = Scenario::from_file(text).unwrap();
    assert_eq!(scenario.deployment, "name: shared\nendpoint_name: \"e, f\"\n");
}

#[test]
fn a_document_marker_in_a_paste_does_no_harm() {
    let mut scenario = documented_example();
    scenario.cluster = format!("---\n{}", scenario.cluster);
    assert!(again(&scenario).check(Catalogue::compiled_in()).prepared.is_some());
}

#[test]
fn each_text_is_checked_at_its_own_lines() {
    let mut scenario = documented_example();
    scenario.cluster = scenario.cluster.replace("min_instances: 0", "min_instances: 5");
    scenario.deployment = scenario.deployment.replace("timeout: 300", "timeout: soon");
    scenario.assumptions.workload.failure_probability = 2.0;
    let checked = scenario.check(Catalogue::compiled_in());
    assert!(checked.prepared.is_none());
    let places = |found: &[lowpri::azure::Diagnostic]| {
        found.iter().filter(|found| found.is_error()).map(ToString::to_string).collect::<Vec<_>>()
    };
    assert_eq!(places(&checked.cluster), ["5:16: `min_instances: 5` is above `max_instances: 2`"]);
    assert_eq!(places(&checked.deployment), ["14:14: `timeout: soon` is not a whole number"]);
    assert_eq!(checked.form.len(), 1);
    assert_eq!(checked.form[0].field, "workload.failure_probability");
}

#[test]
fn the_legacy_discount_is_a_fifth_of_the_dedicated_price_and_a_typed_price_wins() {
    let mut scenario = documented_example();
    scenario.assumptions.prices.price_model = PriceModel::FixedDiscount;
    let rate = |scenario: &Scenario| scenario.check(Catalogue::compiled_in()).prepared.unwrap().rate;
    assert!((rate(&scenario).usd_per_hour - 0.2 * 0.293).abs() < 1e-12);
    assert_eq!(rate(&scenario).source, PriceSource::FixedDiscount);
    scenario.assumptions.prices.low_priority_per_hour = Some(0.07);
    assert_eq!((rate(&scenario).usd_per_hour, rate(&scenario).source), (0.07, PriceSource::Typed));
}
