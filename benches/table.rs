//! What the table of speeds in the README is made of: `./dev bench` runs this natively and in WebAssembly.
//!
//! Each line is `name|value`: the fastest of several runs, since noise only ever adds.
#![allow(clippy::expect_used)]

mod workloads;

use web_time::Instant;
use workloads::{hold, play, replications, with_evictions};

/// Seconds of the fastest of `times` runs, and what a run gives.
fn fastest(times: u32, run: impl Fn() -> u64) -> (f64, u64) {
    let mut best = (f64::INFINITY, 0);
    for _ in 0..times {
        let begin = Instant::now();
        let events = run();
        let seconds = begin.elapsed().as_secs_f64();
        if seconds < best.0 {
            best = (seconds, events);
        }
    }
    best
}

fn table() -> Vec<(String, String)> {
    let mut rows = Vec::new();
    let rate = |(seconds, events): (f64, u64)| format!("{:.1} M/s", events as f64 / seconds / 1e6);
    let time = |(seconds, _): (f64, u64)| {
        if seconds < 0.01 { format!("{:.2} ms", seconds * 1e3) } else { format!("{seconds:.2} s") }
    };
    for (name, spread) in [("events", false), ("events, each with a work factor drawn", true)] {
        let model = hold(1_000_000, 20, spread);
        rows.push((format!("{name}, 20 pending"), rate(fastest(5, || play(&model)))));
    }
    let models = replications();
    let all = fastest(5, || models.iter().map(play).sum());
    rows.push(("1,000 replications: 1,000 mini-batches, 20 nodes, evictions".to_owned(), time(all)));
    for (count, name, times) in [
        (1_000, "1,000", 20),
        (10_000, "10,000", 10),
        (100_000, "100,000", 5),
        (1_000_000, "1,000,000", 3),
        (10_000_000, "10,000,000", 2),
    ] {
        let model = hold(count, 200, false);
        rows.push((
            format!("one run: {name} mini-batches, 200 nodes"),
            time(fastest(times, || play(&model))),
        ));
    }
    let largest = with_evictions(1_000_000, 65_000, 1);
    rows.push((
        "one run: 1,000,000 mini-batches, 65,000 nodes, evictions".to_owned(),
        time(fastest(3, || play(&largest))),
    ));
    if let Some(peak) = peak_memory() {
        rows.push(("peak memory of all of these".to_owned(), peak));
    }
    rows
}

/// What Linux says of this process.
fn peak_memory() -> Option<String> {
    let status = std::fs::read_to_string("/proc/self/status").ok()?;
    let kib = status.lines().find_map(|line| line.strip_prefix("VmHWM:"))?;
    let kib: u64 = kib.trim().strip_suffix(" kB")?.parse().ok()?;
    Some(format!("{} MiB", kib / 1024))
}

fn main() {
    for (name, value) in table() {
        let row = format!("{name}|{value}");
        #[cfg(not(target_arch = "wasm32"))]
        println!("{row}");
        #[cfg(target_arch = "wasm32")]
        wasm_bindgen_test::console_log!("{row}");
    }
}
