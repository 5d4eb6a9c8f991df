//! What is read in the charts of studies, and where: the pixel that is pointed at is the one that is read.
#![allow(clippy::unwrap_used, clippy::expect_used)]
#![cfg(not(target_arch = "wasm32"))]

use lowpri::azure::Catalogue;
use lowpri::chart::*;
use lowpri::scenario::{Goal, Prepared, documented_example};
use lowpri::sim::Eviction;
use lowpri::study::{
    BreakEven, BreakEvenStudy, Distribution, Estimate, ManyRuns, PlanStudy, Plans, Study, play,
};

const LIMIT: u64 = 10_000_000;

/// A short job with evictions by chance, and few runs of it.
fn prepared() -> (Prepared, Goal, Vec<lowpri::study::SizeOption>) {
    let mut scenario = documented_example();
    scenario.assumptions.capacity.evictions = vec![Eviction::Exponential { per_node_hour: 0.3, daily: None }];
    scenario.assumptions.workload.jobs[0].files = 200;
    scenario.assumptions.goal = Goal { replications: 100, deadline_seconds: Some(1800.0), ..Goal::default() };
    let checked = scenario.check(Catalogue::compiled_in());
    let sizes = lowpri::study::SizeOption::of(&checked.question.unwrap(), &[], Catalogue::compiled_in());
    (checked.prepared.unwrap(), scenario.assumptions.goal, sizes)
}

fn played<S: Study>(mut study: S) -> S {
    play(&mut study).unwrap();
    study
}

fn break_even() -> BreakEven {
    played(BreakEvenStudy::new(&prepared().0, LIMIT).unwrap()).break_even().unwrap()
}

fn plans() -> Plans {
    let (prepared, goal, sizes) = prepared();
    played(PlanStudy::new(&prepared, goal, &sizes, LIMIT)).plans().unwrap()
}

fn taken() -> Distribution {
    let (prepared, goal, _) = prepared();
    played(ManyRuns::new(&prepared, goal, 4_000_000, LIMIT)).chances().unwrap().taken_ms.unwrap()
}

fn all(readings: &Readings) -> Vec<&Reading> {
    (0..readings.len()).filter_map(|i| readings.get(i)).collect()
}

fn text<'a>(reading: &'a Reading, name: &str) -> &'a str {
    let found = reading.values.iter().find(|(known, _)| known == name);
    found.map_or_else(|| panic!("{name} is not in {reading:?}"), |(_, text)| text.as_str())
}

#[test]
fn every_rate_that_was_played_is_read_at_its_place_as_the_table_says_it() {
    let study = break_even();
    for width in [340, 900] {
        let (left, right) = plot_area(width);
        for (readings, table) in [
            (break_even_over_evictions_readings(&study, width), break_even_over_evictions_text(&study).table),
            (time_over_evictions_readings(&study, width), time_over_evictions_text(&study).table),
        ] {
            assert_eq!(readings.len(), table.rows.len());
            for ((reading, row), point) in
                all(&readings).into_iter().zip(&table.rows).zip(&study.over_evictions)
            {
                assert_eq!(text(reading, "evicted in an hour"), row[0]);
                assert_eq!(text(reading, "low priority"), row[1]);
                assert_eq!(text(reading, "runs that complete"), row[2]);
                let x = f64::from(left) + point.evicted_per_hour * f64::from(right - left);
                assert!((reading.x - x).abs() < 1e-6, "{reading:?} is not at {x}");
            }
        }
    }
}

#[test]
fn a_pointer_between_two_rates_reads_the_nearer_one_however_high_it_is() {
    let study = break_even();
    let readings = break_even_over_evictions_readings(&study, 900);
    let places = all(&readings);
    for (i, pair) in places.windows(2).enumerate() {
        let apart = pair[1].x - pair[0].x;
        for y in [0.0, 100.0, 279.0] {
            assert_eq!(readings.nearest(pair[0].x + apart * 0.4, y), Some(i));
            assert_eq!(readings.nearest(pair[0].x + apart * 0.6, y), Some(i + 1));
        }
    }
    assert_eq!(readings.nearest(-1e9, 0.0), Some(0));
    assert_eq!(readings.nearest(1e9, 0.0), Some(readings.len() - 1));
}

#[test]
fn the_price_is_read_by_the_percent() {
    let readings = break_even_over_price_readings(&break_even(), 700);
    let places = all(&readings);
    assert_eq!((text(places[0], "share of the dedicated price"), places.len()), ("5 %", 116));
    assert_eq!(text(places[115], "share of the dedicated price"), "120 %");
    // The line rises, so its dot goes up.
    let rows: Vec<f64> = places.iter().filter_map(|reading| reading.y).collect();
    assert!(rows.len() > 50 && rows.windows(2).all(|pair| pair[1] < pair[0]));
}

#[test]
fn every_bar_is_read_and_the_last_has_all_runs_below_it() {
    let taken = taken();
    for width in [200, 340, 900] {
        let readings = distribution_readings(&taken, Quantity::Time, &[], width);
        let places = all(&readings);
        assert!((8..=40).contains(&places.len()));
        assert!(places.windows(2).all(|pair| pair[0].x < pair[1].x));
        let counts: usize =
            places.iter().map(|reading| text(reading, "runs").parse::<usize>().unwrap()).sum();
        assert_eq!(counts, taken.count);
        assert_eq!(text(places[places.len() - 1], "up to there"), "100 %");
    }
    let close = Distribution::new((0..100).map(|i| 0.11 + f64::from(i) * 1e-3).collect()).unwrap();
    let bars = distribution_readings(&close, Quantity::Money, &[], 340);
    assert_eq!(text(bars.get(0).unwrap(), "cost"), "$0.110 to $0.115");
    let same = Distribution::new(vec![60_000.0; 5]).unwrap();
    let readings = distribution_readings(&same, Quantity::Time, &[], 340);
    assert_eq!(readings.get(0).unwrap().sentence(), "time: 1 min, runs: 5, up to there: 100 %");
}

#[test]
fn each_drawn_plan_is_read_once_by_the_nearest_point() {
    let plans = plans();
    let readings = front_readings(&plans, 900);
    let places = all(&readings);
    assert!(places.len() >= 3);
    for (i, reading) in places.iter().enumerate() {
        let found = readings.nearest(reading.x, reading.y.unwrap()).unwrap();
        assert_eq!((places[found].x, places[found].y), (reading.x, reading.y), "{i}");
    }
    let named = |role: &str| places.iter().filter(|reading| text(reading, "plan").contains(role)).count();
    assert_eq!((named("best"), named("present")), (1, 1));
    let row = |reading: &Reading| reading.values.iter().skip(1).cloned().collect::<Vec<_>>();
    for (i, reading) in places.iter().enumerate() {
        assert!(places.iter().skip(i + 1).all(|other| row(other) != row(reading)), "{reading:?} twice");
    }
}

#[test]
fn arrow_keys_go_through_all_of_them() {
    let readings = break_even_over_evictions_readings(&break_even(), 900);
    let last = readings.len() - 1;
    let mut now = None;
    for i in 0..=last {
        now = readings.step(now, "ArrowRight");
        assert_eq!(now, Some(i));
    }
    assert_eq!(readings.step(now, "ArrowRight"), Some(last));
    assert_eq!(readings.step(Some(3), "ArrowLeft"), Some(2));
    assert_eq!((readings.step(now, "Home"), readings.step(None, "End")), (Some(0), Some(last)));
    assert_eq!(readings.step(Some(3), "Enter"), None);
    assert_eq!(Readings::default().step(None, "Home"), None);
}

#[test]
fn odd_studies_have_fewer_readings_and_stop_nothing() {
    let mut study = break_even();
    for value in [f64::NAN, f64::INFINITY, -1.0, 1e300] {
        let estimate = Estimate { value, low: value, high: value };
        for point in &mut study.over_evictions {
            (point.usd_per_completed, point.taken_ms) = (Some(estimate), Some([value; 3]));
        }
        study.dedicated_usd = Some(estimate);
        study.usd_at_dedicated_price = Some(estimate);
        for width in [0, 340, u32::MAX] {
            for readings in [
                break_even_over_evictions_readings(&study, width),
                time_over_evictions_readings(&study, width),
                break_even_over_price_readings(&study, width),
            ] {
                assert!(all(&readings).iter().all(|reading| reading.x.is_finite()));
            }
        }
    }
    study.over_evictions.clear();
    study.usd_at_dedicated_price = None;
    assert!(break_even_over_evictions_readings(&study, 340).is_empty());
    assert!(break_even_over_price_readings(&study, 340).is_empty());
    assert_eq!(Readings::default().nearest(1.0, 1.0), None);
}
