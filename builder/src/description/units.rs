//! `[units]`: in what the values of sensors, actuators, ports and traced state messages are told.
//!
//! Which names exist isn't known until the timing program has been joined. Until then they are kept with their places.

use super::Placed;
use super::assertions::refused;
use super::diagnostic::{self, Diagnostics, Reporter};
use super::duplicates::refuse_duplicates;
use super::placed::value;
use super::section::Section;
use super::value::UnitName;
use beryl_timing::Several;
use beryl_trace::{Names, Units};
use miette::NamedSource;
use std::sync::Arc;

/// The units of a description.
#[derive(Clone, Debug)]
pub struct StatedUnits {
    pub(super) all: Vec<(Placed<String>, String)>,
    pub(super) source: Arc<NamedSource<String>>,
}

impl StatedUnits {
    /// The same, of things that exist in a system.
    ///
    /// # Errors
    /// A diagnostic for each name that nothing has.
    pub fn about(&self, names: &Names) -> Result<Units, Diagnostics> {
        let known = Units::known(names);
        let wrong = self.all.iter().filter_map(|(name, _)| {
            let wrong = Units::named(name, names).err()?;
            Some(diagnostic::diagnostic(
                &self.source,
                refused(name, &wrong, "sensor, actuator, port or traced state message", &known),
            ))
        });
        Several::unless_none(diagnostic::ABOUT, wrong.collect())?;
        Ok(self.all.iter().map(|(name, unit)| (name.value.clone(), unit.clone())).collect())
    }
}

impl StatedUnits {
    /// Those of things that exist in a system, which is part of a whole that has the others.
    #[must_use]
    pub fn here(&self, names: &Names) -> StatedUnits {
        let all = self.all.iter().filter(|(name, _)| Units::named(name, names).is_ok()).cloned().collect();
        StatedUnits { all, source: Arc::clone(&self.source) }
    }

    /// Each is of a thing in some part of a whole.
    ///
    /// # Errors
    /// A diagnostic for each name that nothing has in any part.
    pub fn each_of_one(&self, parts: &[Names]) -> Result<(), Diagnostics> {
        let is_of_none = |name: &str| parts.iter().all(|names| Units::named(name, names).is_err());
        let all = self.all.iter().filter(|(name, _)| is_of_none(name)).cloned().collect();
        let nowhere = StatedUnits { all, source: Arc::clone(&self.source) };
        parts.first().map_or(Ok(()), |names| nowhere.about(names).map(|_| ()))
    }
}

/// The units that can be read.
pub(super) fn units(file: &Section<'_>, reporter: &mut Reporter) -> Vec<(Placed<String>, String)> {
    let named = file.flat("units", reporter);
    refuse_duplicates("unit of", &named.iter().map(|(name, _)| name).collect::<Vec<_>>(), reporter);
    named.into_iter().map(|(name, unit)| (name, value::<UnitName>(unit).0)).collect()
}
