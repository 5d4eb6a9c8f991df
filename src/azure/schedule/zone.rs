//! Time zones by their Windows names, which Azure uses, and by those of the IANA, which everybody else does.

use jiff::civil::{DateTime, date};
use jiff::tz::TimeZone;
use jiff::{Span, Zoned};
use std::fmt;
use strum::IntoEnumIterator;
use windows_timezones::WindowsTimezone;

/// A time zone and its rules.
#[derive(Clone, PartialEq)]
pub struct Zone {
    name: String,
    is_windows: bool,
    rules: TimeZone,
}

impl fmt::Debug for Zone {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Zone({:?})", self.name)
    }
}

impl Default for Zone {
    fn default() -> Self {
        Self { name: "UTC".to_owned(), is_windows: true, rules: TimeZone::UTC }
    }
}

impl Zone {
    /// A zone by its Windows name (`W. Europe Standard Time`) or its IANA name (`Europe/Berlin`), in any letter case.
    #[must_use]
    pub fn named(name: &str) -> Option<Self> {
        let name = name.trim();
        if name.is_empty() || name.len() > 60 {
            return None;
        }
        if let Some(known) = WindowsTimezone::iter().find(|known| known.name().eq_ignore_ascii_case(name)) {
            let rules = TimeZone::get(known.tzdb_id()).ok()?;
            return Some(Self { name: known.name().to_owned(), is_windows: true, rules });
        }
        let rules = TimeZone::get(name).ok()?;
        let name = rules.iana_name().unwrap_or(name).to_owned();
        Some(Self { name, is_windows: false, rules })
    }

    /// Its name, in its own letters.
    #[must_use]
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Whether that is a Windows name, which the service asks for.
    #[must_use]
    pub fn is_windows(&self) -> bool {
        self.is_windows
    }

    /// Its rules.
    #[must_use]
    pub fn rules(&self) -> &TimeZone {
        &self.rules
    }

    /// The Windows name of the zone that has this one as its first place, or else whose clock shows the same every
    /// day of 2026.
    #[must_use]
    pub fn windows_name(&self) -> Option<&'static str> {
        let named = |known: &WindowsTimezone| {
            known.name() == self.name || Some(known.tzdb_id()) == self.rules.iana_name()
        };
        if let Some(known) = WindowsTimezone::iter().find(named) {
            return Some(known.name());
        }
        let same_clock = |known: &WindowsTimezone| {
            let Ok(other) = TimeZone::get(known.tzdb_id()) else { return false };
            let days = (0..365).filter_map(|day| date(2026, 1, 1).checked_add(Span::new().days(day)).ok());
            let moments = days.filter_map(|day| TimeZone::UTC.to_timestamp(day.at(12, 0, 0, 0)).ok());
            moments.into_iter().all(|moment| other.to_offset(moment) == self.rules.to_offset(moment))
        };
        WindowsTimezone::iter().find(same_clock).map(WindowsTimezone::name)
    }

    /// The moment at which its clock shows a time: after a gap that skips it, the first of two.
    #[must_use]
    pub fn moment(&self, clock: DateTime) -> Option<Zoned> {
        self.rules.to_ambiguous_zoned(clock).compatible().ok()
    }

    /// The Windows name that is nearest to a mistyped one.
    #[must_use]
    pub fn nearest(name: &str) -> Option<&'static str> {
        if name.len() > 60 {
            return None;
        }
        let wanted = name.trim().to_lowercase();
        let distance =
            |known: &WindowsTimezone| strsim::damerau_levenshtein(&wanted, &known.name().to_lowercase());
        let near = WindowsTimezone::iter().map(|known| (distance(&known), known.name())).min()?;
        (near.0 <= wanted.chars().count() / 4 + 1).then_some(near.1)
    }

    /// Every Windows name with its description, as (`W. Europe Standard Time`, `(UTC+01:00) Amsterdam, …`).
    pub fn all() -> impl Iterator<Item = (&'static str, &'static str)> {
        WindowsTimezone::iter().map(|known| (known.name(), known.description()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_windows_name_has_rules() {
        let mut count = 0;
        for (name, description) in Zone::all() {
            let zone = Zone::named(name).unwrap_or_else(|| panic!("{name} ({description})"));
            assert!(zone.is_windows() && zone.name() == name);
            assert_eq!(zone.windows_name(), Some(name));
            count += 1;
        }
        assert!(count > 130, "{count}");
    }

    #[test]
    fn names_are_found_in_any_letter_case_and_others_by_their_clock() {
        let windows = |name: &str| Zone::named(name).and_then(|zone| zone.windows_name());
        assert_eq!(windows("pacific standard time"), Some("Pacific Standard Time"));
        assert_eq!(windows("europe/berlin"), Some("W. Europe Standard Time"));
        // No zone has Amsterdam as its first place.
        assert_eq!(windows("Europe/Amsterdam"), Some("W. Europe Standard Time"));
        assert_eq!(windows("Middle Earth Standard Time"), None);
        assert_eq!(Zone::nearest("Pacifc Standart Time"), Some("Pacific Standard Time"));
        assert_eq!((Zone::nearest("CET!"), Zone::named("")), (None, None));
        assert_eq!(Zone::default().windows_name(), Some("UTC"));
    }
}
