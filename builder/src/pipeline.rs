//! The pipeline: the stages that make a project of a system's texts, in the order in which they run. Each
//! takes what the ones before have made and leaves it as it is.

mod in_c;
mod nodes;

use std::path::Path;
use std::sync::Arc;

use beryl_trace::{Names, Tick};

use crate::assembly::{Assembly, Other, assemble_linked};
use crate::certificate::with_certificates;
use crate::code::{Coded, Uncoded, coded};
use crate::costs::costed;
use crate::description::Description;
use crate::emit::names::{modes_called, names};
use crate::error::BuildError;
use crate::parsed::{Parsed, Variant};
use crate::plan::located;
use crate::project::{Project, Said};
use crate::schedule::schedules;
use crate::supply::supplied;
use crate::too_large::in_the_text;
use crate::{footprint, image};

impl Parsed {
    /// The system that they describe. If the bound of its kernel's size can't tell whether it fits into the flash,
    /// that is left open: see [`Project::settled`].
    ///
    /// # Errors
    /// Whatever doesn't go together, or doesn't fit.
    pub fn joined(self) -> Result<Project, BuildError> {
        let Parsed { folder, description, model, others, links } = self;
        let assembly = assemble_linked(&model, &others, &links, &description)?;
        in_c::check(&assembly, &description)?;
        let said = said(&assembly, &description)?;
        let Coded { modules, asynchronous, alternatives, slots } =
            coded(&assembly).map_err(|refused| shown(refused, &model, &others))?;
        let located = located(&assembly, &slots, &description)?;
        let (description, assembly) = (Arc::new(description), Arc::new(assembly));
        let unscheduled = costed(&description, &assembly, &modules, &alternatives);
        let schedules = schedules(&unscheduled)?;
        let programs: Vec<_> = modules.into_iter().chain(schedules).chain(asynchronous).collect();
        let costed = costed(&description, &assembly, &programs, &alternatives);
        let certified = with_certificates(supplied(costed, programs, alternatives, slots));
        Project::new(folder, model, said, located, certified).bounded()
    }
}

impl Project {
    /// Reads the system in `folder`; see [`Parsed::joined`].
    ///
    /// # Errors
    /// Everything that can be wrong with its texts, and whatever doesn't fit.
    pub fn load(folder: &Path, variant: Variant) -> Result<Project, BuildError> {
        Parsed::read(folder, variant)?.joined()
    }

    /// With the bound of its kernel's size in flash. If there isn't as much flash, it is left open whether it fits.
    fn bounded(mut self) -> Result<Project, BuildError> {
        let bound = footprint::flash(&self);
        let anywhere = |refusal| self.plan.with_all_flash().with_flash(bound, &[]).map_err(|_| refusal);
        self.plan = self.plan_flash(bound, &[]).or_else(anywhere)?;
        Ok(self)
    }

    /// The same system, once it is known that its kernel has room in flash: by its bound, or if that leaves it open, by
    /// compiling the kernel. That takes some seconds, which `step` is told.
    ///
    /// # Errors
    /// The limit that is too small; or whatever keeps the kernel from being compiled.
    pub fn settled(mut self, step: impl FnOnce(&str)) -> Result<Project, BuildError> {
        if self.is_open() {
            step("compiling the kernel, to see whether it fits into the flash");
            self.plan = self.plan_flash(image::kernel_size(&self)?, &[])?;
        }
        Ok(self)
    }
}

/// A program that can't be expressed, at its place in the text that it comes from.
fn shown(refused: Uncoded, model: &beryl_timing::Model, others: &[Other]) -> BuildError {
    let Uncoded { alternative, reason } = refused;
    let text = match alternative {
        None => Some(model),
        Some(index) => others.get(index).map(|other| &other.model),
    };
    match text {
        Some(text) => in_the_text(reason, text),
        None => reason.into(),
    }
}

/// What the description says of runs, about names that exist.
fn said(assembly: &Assembly, description: &Description) -> Result<Said, BuildError> {
    // The names don't depend on the tick.
    let Some(tick) = Tick::new(description.board.nanoseconds().max(1), 1) else { return Ok(Said::default()) };
    let names = Names { modes: modes_called(assembly), ..names(assembly, tick) };
    let (assertions, units) = match description.is_part {
        true => (&description.assertions.here(&names), &description.units.here(&names)),
        false => (&description.assertions, &description.units),
    };
    Ok(Said { assertions: assertions.about(&names)?, units: units.about(&names)? })
}
