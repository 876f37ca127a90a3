//! Where the code of a system's processes begins jobs, calls the kernel, and runs drivers; and a fingerprint of what
//! it is made of.

use std::collections::BTreeMap;
use std::fs;
use std::ops::Range;
use std::path::Path;

use sha2::{Digest, Sha256};

use crate::board::code::switch::{self, Gives};
use crate::board::code::{self, Image, ImageError, image};
use crate::board::{FLOATING_SWITCH, SWITCH, TRAP};
use crate::description::Optimisation;
use crate::emit::process::entry;
use crate::error::BuildError;
use crate::image::Built;
use crate::kernel_cache::{add_all, hexadecimal};
use crate::project::Project;
use crate::workshop::Workshop;

/// The code of a built system.
pub struct Code {
    /// What it is for.
    pub processor: code::Processor,
    /// Where a thread gets the processor.
    pub gives: Gives,
    /// Where threads call the kernel.
    pub calls: Vec<u32>,
    /// Threads by their first instructions.
    pub entries: BTreeMap<u32, usize>,
    /// Drivers by their first instructions: the process, and the number there.
    pub drivers: BTreeMap<u32, (usize, usize)>,
    /// The code of all processes.
    pub text: Range<u32>,
}

impl Code {
    /// Reads the linked programs.
    pub fn of(project: &Project, built: &Built, workshop: &Workshop) -> Result<Code, BuildError> {
        let kernel = read(&built.kernel)?;
        let file = image::parse(&kernel).map_err(unreadable)?;
        let image = Image::new(&file).map_err(unreadable)?;
        // A kernel whose threads use floating point has a switch of its own, and the other one besides. Where a trap keeps
        // all registers, what it returns by is in its entry code.
        let own = [FLOATING_SWITCH, TRAP].into_iter().find_map(|name| switch::gives(&image, name).ok());
        let gives = own.map_or_else(|| switch::gives(&image, SWITCH), Ok).map_err(unreadable)?;
        let text = built.plan.text.region.interval;
        let mut code = Code {
            processor: image.processor,
            gives,
            calls: Vec::new(),
            entries: BTreeMap::new(),
            drivers: BTreeMap::new(),
            text: text.base..text.limit,
        };
        for (process, row) in project.assembly.processes.iter().enumerate() {
            let elf = read(&workshop.folder(&project.assembly.name).join(format!("{}.elf", row.name)))?;
            let file = image::parse(&elf).map_err(unreadable)?;
            let image = Image::new(&file).map_err(unreadable)?;
            code.calls.extend(switch::calls(&image));
            for (number, thread) in project.assembly.threads.iter().enumerate() {
                if thread.process == process {
                    let found = image.addresses(&entry(thread)).unwrap_or_default();
                    code.entries.extend(found.iter().map(|address| (*address, number)));
                }
            }
            for number in 0..row.functions.len() {
                let names = image.names_ending(&driver(number));
                let found = names.iter().filter_map(|name| image.addresses(name).ok()).flatten();
                code.drivers.extend(found.map(|address| (*address, (process, number))));
            }
        }
        Ok(code)
    }

    /// The instructions whose registers have to be known.
    pub fn asked(&self) -> impl Iterator<Item = u32> {
        self.calls.iter().copied().chain([self.gives.address])
    }

    /// The code whose instructions are logged.
    pub fn ranges(&self) -> Vec<Range<u32>> {
        vec![self.gives.address..self.gives.address + 1, self.text.clone()]
    }
}

/// How the name of a driver's function in the glue ends.
#[must_use]
pub fn driver(number: usize) -> String {
    format!("::glue::driver_{number}")
}

fn read(path: &Path) -> Result<Vec<u8>, BuildError> {
    fs::read(path).map_err(|reason| BuildError::file("read", path, reason))
}

fn unreadable(reason: ImageError) -> BuildError {
    BuildError::Step { what: "reading a linked program".to_owned(), output: reason.to_string() }
}

/// What a system's own code is made of, as a short text that differs for other code: all files of the application's
/// folder, if it has one, but what compilers leave there, and what is in C.
///
/// # Errors
/// A file can't be read.
pub fn fingerprint(project: &Project, workshop: &Workshop) -> Result<String, BuildError> {
    let mut digest = Sha256::new();
    if let Some(application) = &project.description.system.application {
        add_crate(&mut digest, &project.folder.join(&application.value))?;
    }
    let in_c = &project.description.c;
    for file in project.description.cmsis.iter().flat_map(crate::c::cmsis::files) {
        digest.update(file.text.as_bytes());
    }
    for file in in_c.files().map(|(file, _)| file).chain(&in_c.includes) {
        add_all(&mut digest, &project.folder, file.value.as_ref())?;
    }
    crate::c::sources::add_target(&mut digest, project, workshop)?;
    for define in &in_c.defines {
        digest.update(define.value.as_bytes());
        digest.update([0]);
    }
    if in_c.optimisation != Optimisation::default() {
        digest.update(in_c.optimisation.option().as_bytes());
    }
    Ok(hexadecimal(digest))
}

fn add_crate(digest: &mut Sha256, root: &Path) -> Result<(), BuildError> {
    let failed = |reason| BuildError::file("read", root, reason);
    let entries = fs::read_dir(root).map_err(failed)?.map(|entry| Ok(entry?.file_name()));
    let mut names = entries.collect::<std::io::Result<Vec<_>>>().map_err(failed)?;
    names.retain(|name| name != "target" && name != "Cargo.lock");
    names.sort();
    names.iter().try_for_each(|name| add_all(digest, root, name.as_ref()))
}
