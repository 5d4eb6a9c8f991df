//! The same seed gives the same result and the same events, byte for byte, natively and in WebAssembly: both sides
//! run the same random scenarios and compare with the same written digests.
#![allow(clippy::unwrap_used, clippy::expect_used)]

mod random;

use twox_hash::XxHash3_64;

#[cfg(target_arch = "wasm32")]
use wasm_bindgen_test::wasm_bindgen_test;

/// Scenarios of a block, and blocks.
const IN_A_BLOCK: u64 = 100;
const BLOCKS: u64 = 12;

/// Written by `UPDATE_DIGESTS=1 cargo test --test wasm`.
const WRITTEN: &str = include_str!("digests.txt");

fn digests() -> String {
    let blocks = (0..BLOCKS).map(|block| {
        let all = (0..IN_A_BLOCK).flat_map(|i| random::digest(block * IN_A_BLOCK + i).to_le_bytes());
        format!("{:016x}\n", XxHash3_64::oneshot(&all.collect::<Vec<_>>()))
    });
    blocks.collect()
}

#[cfg_attr(not(target_arch = "wasm32"), test)]
#[cfg_attr(target_arch = "wasm32", wasm_bindgen_test)]
fn a_thousand_random_scenarios_give_the_written_digests() {
    let digests = digests();
    #[cfg(not(target_arch = "wasm32"))]
    if std::env::var_os("UPDATE_DIGESTS").is_some() {
        std::fs::write("tests/digests.txt", &digests).expect("the file is written");
        return;
    }
    assert_eq!(digests, WRITTEN);
}

#[cfg_attr(not(target_arch = "wasm32"), test)]
#[cfg_attr(target_arch = "wasm32", wasm_bindgen_test)]
fn the_scenarios_are_worth_comparing() {
    // Otherwise equal digests would say little: most runs have preemptions, and they end in every way.
    let all: Vec<String> = (0..300).map(random::played).collect();
    for word in
        ["Preemption", "Completed", "Failed", "Canceled", "horizon", "TimedOut", "Lost", "Shock", "Trace"]
    {
        let with = all.iter().filter(|played| played.contains(word)).count();
        assert!(with >= 20, "{word}: {with} of 300");
    }
}
