//! VM sizes and what they cost.
//!
//! The figures live in one text asset that the page fetches and native builds carry along; its first lines say
//! how it is written and of which day it is. Prices are USD an hour, Linux, pay as you go, compute only.

use std::collections::HashMap;
use std::fmt;

/// Whether Azure ML takes a size.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Known {
    /// It is in the service's own lists.
    Yes,
    /// It is known not to be taken.
    No,
    /// The lists do not say; `az ml compute list-sizes` in the region is the authority.
    Unknown,
}

/// A VM size.
#[derive(Clone, Debug, PartialEq)]
pub struct VmSize {
    /// Its name as Azure writes it, as `Standard_DS3_v2`.
    pub name: String,
    /// Its series.
    pub series: String,
    /// The family whose dedicated quota it counts against.
    pub quota_family: String,
    /// vCPUs that can be used.
    pub vcpus: u32,
    /// Memory in GiB.
    pub memory_gib: f64,
    /// What GPU it has, empty for none.
    pub gpu: String,
    /// How many of them.
    pub gpu_count: f64,
    /// Whether Azure ML takes it.
    pub azure_ml: Known,
    /// The last day of the size, past or announced, as `2028-05-01`; empty if none is.
    pub retires_on: String,
    dedicated: Vec<Option<f64>>,
    spot: Vec<Option<f64>>,
}

/// All sizes, regions and prices.
#[derive(Clone, Debug)]
pub struct Catalogue {
    as_of: String,
    regions: Vec<String>,
    sizes: Vec<VmSize>,
    by_name: HashMap<String, usize>,
    /// Sizes that Azure ML takes no more: lower-case name, last day or empty.
    retired: HashMap<String, String>,
}

/// The text is not a catalogue.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct CatalogueError {
    /// The first line that cannot be read, from 1.
    pub line: usize,
}

impl fmt::Display for CatalogueError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "the catalogue of sizes and prices cannot be read: line {}", self.line)
    }
}

impl std::error::Error for CatalogueError {}

/// The name of a region as it is compared: `East US` is `eastus`.
#[must_use]
pub fn plain_region(region: &str) -> String {
    region.chars().filter(|c| !c.is_whitespace()).flat_map(char::to_lowercase).collect()
}

impl Catalogue {
    /// Reads the asset.
    ///
    /// # Errors
    /// The first line that cannot be read.
    pub fn parse(text: &str) -> Result<Self, CatalogueError> {
        let mut catalogue = Self {
            as_of: String::new(),
            regions: Vec::new(),
            sizes: Vec::new(),
            by_name: HashMap::new(),
            retired: HashMap::new(),
        };
        for (number, line) in text.lines().enumerate() {
            if !line.starts_with('#') {
                catalogue.line(line).ok_or(CatalogueError { line: number + 1 })?;
            }
        }
        if catalogue.sizes.is_empty() {
            return Err(CatalogueError { line: 1 });
        }
        Ok(catalogue)
    }

    fn line(&mut self, line: &str) -> Option<()> {
        let fields: Vec<&str> = line.split('|').collect();
        match fields[..] {
            ["as of", date] => date.clone_into(&mut self.as_of),
            ["regions", regions] => self.regions = regions.split(',').map(str::to_owned).collect(),
            ["old", name, _series, last_day] => {
                self.retired.insert(format!("standard_{}", name.to_lowercase()), last_day.to_owned());
            }
            [name, series, family, vcpus, memory, gpu, gpus, taken, last_day, dedicated, spot] => {
                let size = VmSize {
                    name: format!("Standard_{name}"),
                    series: series.to_owned(),
                    quota_family: family.to_owned(),
                    vcpus: vcpus.parse().ok()?,
                    memory_gib: memory.parse().ok()?,
                    gpu: gpu.to_owned(),
                    gpu_count: if gpus.is_empty() { 0.0 } else { gpus.parse().ok()? },
                    azure_ml: match taken {
                        "y" => Known::Yes,
                        "n" => Known::No,
                        _ => Known::Unknown,
                    },
                    retires_on: last_day.to_owned(),
                    dedicated: self.prices(dedicated)?,
                    spot: self.prices(spot)?,
                };
                self.by_name.insert(size.name.to_lowercase(), self.sizes.len());
                self.sizes.push(size);
            }
            _ => return None,
        }
        Some(())
    }

    fn prices(&self, list: &str) -> Option<Vec<Option<f64>>> {
        if list.is_empty() {
            return Some(vec![None; self.regions.len()]);
        }
        let mut prices = Vec::with_capacity(self.regions.len());
        for field in list.split(',') {
            prices.push(match field {
                "" => None,
                "=" => *prices.last()?,
                price => Some(price.parse().ok()?),
            });
        }
        (prices.len() == self.regions.len()).then_some(prices)
    }

    /// The catalogue that native builds carry.
    ///
    /// # Panics
    /// Never: a test reads the asset that is compiled in.
    #[cfg(not(target_arch = "wasm32"))]
    #[must_use]
    #[expect(clippy::expect_used, reason = "the text is part of the program")]
    pub fn compiled_in() -> &'static Self {
        static CATALOGUE: std::sync::OnceLock<Catalogue> = std::sync::OnceLock::new();
        CATALOGUE.get_or_init(|| {
            Self::parse(include_str!("../../assets/catalogue.txt")).expect("a test reads this very text")
        })
    }

    /// The day of the prices, as `2026-05-20`.
    #[must_use]
    pub fn as_of(&self) -> &str {
        &self.as_of
    }

    /// The regions that have prices.
    #[must_use]
    pub fn regions(&self) -> &[String] {
        &self.regions
    }

    /// Every size.
    #[must_use]
    pub fn sizes(&self) -> &[VmSize] {
        &self.sizes
    }

    /// A size by its name, in any letter case.
    #[must_use]
    pub fn size(&self, name: &str) -> Option<&VmSize> {
        self.by_name.get(&name.trim().to_lowercase()).map(|&place| &self.sizes[place])
    }

    /// The name that is nearest to a mistyped one.
    #[must_use]
    pub fn nearest(&self, name: &str) -> Option<&str> {
        if name.len() > 40 {
            return None;
        }
        let name = name.trim().to_lowercase();
        let distance = |size: &VmSize| strsim::damerau_levenshtein(&name, &size.name.to_lowercase());
        let near = self.sizes.iter().map(|size| (distance(size), size.name.as_str())).min();
        near.filter(|(distance, _)| *distance <= 3).map(|(_, name)| name)
    }

    /// For a size that Azure ML takes no more: its last day, empty if none was published.
    #[must_use]
    pub fn retired(&self, name: &str) -> Option<&str> {
        self.retired.get(&name.trim().to_lowercase()).map(String::as_str)
    }

    /// The dedicated price of a size in a region, USD an hour.
    #[must_use]
    pub fn dedicated_price(&self, size: &str, region: &str) -> Option<f64> {
        self.price(size, region, |size| &size.dedicated)
    }

    /// The Spot price of a size in a region, USD an hour: what `tier: low_priority` costs since 31 March 2026.
    #[must_use]
    pub fn spot_price(&self, size: &str, region: &str) -> Option<f64> {
        self.price(size, region, |size| &size.spot)
    }

    fn price(&self, size: &str, region: &str, of: fn(&VmSize) -> &Vec<Option<f64>>) -> Option<f64> {
        let region = plain_region(region);
        let place = self.regions.iter().position(|known| *known == region)?;
        of(self.size(size)?)[place]
    }
}
