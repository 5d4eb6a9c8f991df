//! Speed of single runs, for work on the engine: `cargo bench --bench speed`.
#![cfg_attr(target_arch = "wasm32", allow(dead_code))]
#![allow(clippy::expect_used, missing_docs)]

mod workloads;

#[cfg(target_arch = "wasm32")]
fn main() {}

#[cfg(not(target_arch = "wasm32"))]
fn main() {
    divan::main();
}

#[cfg(not(target_arch = "wasm32"))]
mod native {
    use super::workloads::{hold, play, play_and_tell, replications, with_evictions};
    use divan::counter::ItemsCount;

    #[divan::bench(args = [20, 1000, 20_000])]
    fn events(bencher: divan::Bencher, nodes: i64) {
        let model = hold(200_000, nodes, false);
        bencher.counter(ItemsCount::new(play(&model))).bench(|| play(&model));
    }

    #[divan::bench(args = [20, 1000, 20_000])]
    fn events_with_spread(bencher: divan::Bencher, nodes: i64) {
        let model = hold(200_000, nodes, true);
        bencher.counter(ItemsCount::new(play(&model))).bench(|| play(&model));
    }

    #[divan::bench(sample_count = 10)]
    fn thousand_replications(bencher: divan::Bencher) {
        let models = replications();
        bencher.bench(|| models.iter().map(play).sum::<u64>());
    }

    /// A run as the page plays it, with all that is drawn and told of it.
    #[divan::bench(args = [10_000, 100_000, 1_000_000])]
    fn drawn_and_told(bencher: divan::Bencher, mini_batches: i64) {
        let model = with_evictions(mini_batches, 20, 1);
        bencher.bench(|| play_and_tell(&model));
    }

    #[divan::bench(args = [10_000, 100_000, 1_000_000])]
    fn not_drawn_and_told(bencher: divan::Bencher, mini_batches: i64) {
        let model = with_evictions(mini_batches, 20, 1);
        bencher.bench(|| play(&model));
    }

    #[divan::bench(sample_count = 5, sample_size = 1)]
    fn largest_drawn_and_told(bencher: divan::Bencher) {
        let model = with_evictions(1_000_000, 65_000, 1);
        bencher.bench(|| play_and_tell(&model));
    }

    #[divan::bench(sample_count = 5, sample_size = 1)]
    fn largest(bencher: divan::Bencher) {
        let model = with_evictions(1_000_000, 65_000, 1);
        bencher.bench(|| play(&model));
    }
}
