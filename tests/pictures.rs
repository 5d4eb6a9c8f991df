//! Charts that leave the page stand alone, and measured curves lie where they should.
#![allow(clippy::unwrap_used, clippy::expect_used)]
#![cfg(not(target_arch = "wasm32"))]

use lowpri::azure::Catalogue;
use lowpri::azure::metrics::Export;
use lowpri::chart::{
    ChartKind, Lay, Look, MEASURED_HEIGHT, MeasuredKind, Palette, View, chart, measured, measured_text, rows,
    standalone,
};
use lowpri::scenario::documented_example;
use lowpri::study::Answer;
use lowpri::study::calibration::Calibration;
use lowpri::study::export::timeline_csv;

fn answer() -> Answer {
    let prepared = documented_example().check(Catalogue::compiled_in()).prepared.expect("nothing is wrong");
    Answer::new(&prepared, 1_000_000).expect("a small run")
}

#[test]
fn a_chart_alone_has_background_title_letters_and_twice_the_pixels() {
    let answer = answer();
    let whole = View::whole(&answer);
    let mut drawn: Vec<String> = ChartKind::ALL
        .map(|kind| chart(kind, &answer, None, whole, &Look::new(900, &Palette::DARK)).unwrap())
        .into();
    drawn.push(rows(&answer.nodes, 0..2, 0..answer.end(), 900, &Palette::DARK).unwrap());
    for svg in drawn {
        let once = standalone(&svg, "5 < 6 & \"so\"", &Palette::DARK, 1).unwrap();
        let twice = standalone(&svg, "5 < 6 & \"so\"", &Palette::DARK, 2).unwrap();
        assert_eq!((once.width, twice.width, twice.height), (924, 1848, once.height * 2));
        assert!(twice.svg.starts_with("<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"1848\""));
        assert!(once.svg.contains("<title>5 &lt; 6 &amp; &quot;so&quot;</title>"));
        assert!(once.svg.contains("height=\"") && once.svg.contains("fill=\"#18202A\"/>"));
        assert!(once.svg.contains("font-family=\"system-ui, sans-serif\""));
        // Nothing that needs the page or the net.
        let outside = ["class=", "style=", "url(", "href", "var("];
        assert!(outside.iter().all(|part| !once.svg.contains(part)));
        assert_eq!(once.svg.matches("<svg").count(), 1);
    }
    for broken in ["", "<svg>", "<svg width=\"3\"></svg>", "<svg width=\"9\" height=\"4294967295\"></svg>"] {
        assert_eq!(standalone(broken, "", &Palette::LIGHT, 2), None, "{broken}");
    }
}

#[test]
fn a_run_laid_over_its_own_export_is_the_same_curve() {
    let answer = answer();
    let csv = timeline_csv(&answer.run.timeline, 0.0, None).unwrap();
    let found = Calibration::new(&Export::read(&csv, None).unwrap(), 4);
    let whole = View::whole(&answer);
    // The first node is there at once, so nothing is moved.
    let lay = Lay::new(&found.measured, 0);
    assert_eq!(lay.offset, 0);
    for kind in MeasuredKind::ALL {
        let text = measured_text(kind, &answer, lay, whole);
        let mut far = 0;
        for row in &text.table.rows {
            let [simulated, measured] = [1, 2].map(|i| row[i].parse::<f64>().unwrap());
            far += usize::from((simulated - measured).abs() > 0.999);
        }
        // Only a minute in which something changes may be off.
        assert!(far <= 1, "{kind:?}: {far}");
        let svg = measured(kind, &answer, lay, whole, &Look::new(900, &Palette::LIGHT)).unwrap();
        assert!(svg.contains(&format!("height=\"{MEASURED_HEIGHT}\"")));
        insta::assert_snapshot!(format!("measured-{kind:?}"), svg);
    }
}

#[test]
fn what_was_measured_can_be_moved_and_gaps_stay_gaps() {
    let csv = "Timestamp,Preempted Nodes,Active Nodes\n\
               2026-11-03T10:00:00Z,0,0\n2026-11-03T10:01:00Z,0,4\n2026-11-03T10:02:00Z,1,3\n\
               2026-11-03T10:10:00Z,2,2\n2026-11-03T10:11:00Z,2,2\n";
    let found = Calibration::new(&Export::read(csv, None).unwrap(), 4);
    let answer = answer();
    let measured_at = |moved: i64, at: u64| {
        let text = measured_text(
            MeasuredKind::Live,
            &answer,
            Lay::new(&found.measured, moved),
            View::new(at, at + 60_000),
        );
        text.table.rows[0][2].clone()
    };
    // The run begins with the first node.
    assert_eq!(measured_at(0, 0), "4.00");
    assert_eq!(measured_at(0, 60_000), "3.00");
    assert_eq!(measured_at(0, 180_000), "unknown");
    assert_eq!(measured_at(120_000, 180_000), "3.00");
    assert_eq!(measured_at(-60_000, 0), "3.00");
    assert_eq!(Lay::new(&found.measured, 0).view(), View::new(0, 660_000));
    let svg = measured(
        MeasuredKind::Preempted,
        &answer,
        Lay::new(&found.measured, 0),
        View::new(0, 660_000),
        &Look::new(900, &Palette::LIGHT),
    );
    let ink = "stroke=\"#1B2430\"";
    assert_eq!(
        svg.unwrap().lines().filter(|line| line.contains(ink) && line.contains("polyline")).count(),
        3
    );
}
