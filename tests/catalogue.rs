//! Sizes and prices: what the table holds and how much it weighs.
#![allow(clippy::unwrap_used, clippy::expect_used)]
#![cfg(not(target_arch = "wasm32"))]

use lowpri::azure::{Catalogue, Known};

#[test]
fn sizes_are_found_in_any_letter_case() {
    let catalogue = Catalogue::compiled_in();
    for name in ["STANDARD_DS3_v2", "standard_ds3_V2", " Standard_DS3_v2 "] {
        let size = catalogue.size(name).unwrap();
        assert_eq!((size.name.as_str(), size.vcpus, size.memory_gib), ("Standard_DS3_v2", 4, 14.0));
        assert_eq!((size.azure_ml, size.retires_on.as_str()), (Known::Yes, "2028-05-01"));
        assert_eq!(size.quota_family, "standardDSv2Family");
    }
    assert!(catalogue.size("Standard_DS33").is_none());
    assert_eq!(catalogue.nearest("STANDARD_DS3_v22"), Some("Standard_DS3_v2"));
}

#[test]
fn prices_are_those_of_size_and_region() {
    let catalogue = Catalogue::compiled_in();
    assert_eq!(catalogue.as_of(), "2026-05-20");
    assert_eq!(catalogue.regions().len(), 22);
    assert_eq!(catalogue.dedicated_price("STANDARD_DS3_v2", "eastus"), Some(0.293));
    assert_eq!(catalogue.spot_price("STANDARD_DS3_v2", "EastUS"), Some(0.056_315));
    // The price of a region that is the same as that of the region before is written as such.
    assert_eq!(catalogue.spot_price("Standard_D2s_v3", "westus3"), Some(0.017_741));
    assert_eq!(catalogue.dedicated_price("STANDARD_DS3_v2", "atlantis"), None);
}

#[test]
fn a_gpu_and_a_retired_size_are_known() {
    let catalogue = Catalogue::compiled_in();
    let size = catalogue.size("Standard_NC6s_v3").unwrap();
    assert_eq!((size.gpu.as_str(), size.gpu_count), ("V100 16GB", 1.0));
    assert_eq!(catalogue.retired("standard_a1"), Some("2024-08-31"));
    assert_eq!(catalogue.retired("Standard_D16_v4"), Some(""));
    assert_eq!(catalogue.retired("Standard_DS3_v2"), None);
    assert_eq!(catalogue.sizes().len(), 1421);
}

#[test]
fn the_table_is_at_most_120_kilobytes_to_download() {
    let text = std::fs::read("assets/catalogue.txt").unwrap();
    let compressed = miniz_oxide::deflate::compress_to_vec(&text, 6).len();
    assert!(compressed <= 120_000, "{compressed} bytes");
}

#[test]
fn a_broken_table_says_its_line() {
    for (text, line) in [("", 1), ("regions|a\nx|y", 2), ("regions|a,b\nA|s|f|two|1||||||", 2)] {
        assert_eq!(Catalogue::parse(text).unwrap_err().line, line);
    }
}
