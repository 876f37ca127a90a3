//! Everything in its place in flash: linked, measured, and linked again where it belongs.
//!
//! ```text
//!   kernel: what it takes at most --+
//!                                   +--plan--> places --link--> do all sizes agree? --> placed
//!   processes: what they take ------+            ^                  |
//!                                                +---- no: plan with the sizes found
//! ```
//! If something doesn't fit beside a kernel that is as large as its bound, it isn't refused for that: then the kernel
//! is measured, too. So a refusal counts bytes that really exist. ([`Project::settled`] asks the same about the kernel
//! alone.)

use crate::assembly::Home;
use crate::board::Image;
use crate::emit::identifier;
use crate::emit::kernel::Entries;
use crate::emit::process::entry;
use crate::error::BuildError;
use crate::plan::{Interval, Plan};
use crate::project::Project;
use crate::quantity::Bytes;
use crate::stacks::{self, Stack};
use crate::toolchain::Toolchain;
use crate::workshop::Workshop;

use super::process::{Link, ProcessImage};
use super::{Objects, kernel, process_package, process_target, same_bits, window};

/// How often everything may be placed again. The second time, sizes are those of the first. Later they change only if
/// other places change them.
const ROUNDS: usize = 4;
/// How much larger a kernel may be at other places than it was measured: constants in its code may take more or less.
pub(super) const MARGIN: u32 = 64;

/// What is linked, and with what.
pub(super) struct Site<'a> {
    pub project: &'a Project,
    pub workshop: &'a Workshop,
    pub toolchain: &'a Toolchain,
    /// What was in C.
    pub objects: &'a Objects,
}

/// Everything where it belongs.
pub(super) struct InFlash {
    pub plan: Plan,
    pub processes: Vec<ProcessImage>,
    /// The linked kernel.
    pub kernel: Vec<u8>,
    pub stacks: Vec<Stack>,
}

impl Site<'_> {
    /// Links everything where it has room.
    ///
    /// # Errors
    /// A limit that something breaks, with the bytes of each part; or what the compiler says.
    pub(super) fn place(&self, step: &mut impl FnMut(&str)) -> Result<InFlash, BuildError> {
        step("linking the processes");
        let bound = self.project.plan.kernel.flash.length();
        let first = self.link_processes(self.project.plan.kernel.flash.limit)?;
        same_bits::check(&first)?;
        first
            .iter()
            .enumerate()
            .try_for_each(|(index, linked)| window::check(self.project, index, linked))?;
        let stacks = self.stacks_of(&first)?;
        let mut sizes: Vec<_> = first.iter().map(ProcessImage::linked).collect();
        let (mut plan, mut fits) = match self.project.plan_flash(bound, &sizes) {
            Ok(plan) => (plan, true),
            Err(refusal) => match self.project.plan.with_all_flash().with_flash(bound, &sizes) {
                Ok(plan) => (plan, false),
                Err(_) => return Err(refusal),
            },
        };
        step("compiling the kernel with its tables");
        for _ in 0..ROUNDS {
            let processes = self.link_processes(plan.text.region.interval.base)?;
            let kernel = self.kernel(&plan, &entries(self.project, &plan, &processes)?)?;
            kernel::check_variables(&kernel, &plan)?;
            let size = kernel::end(&kernel)?.saturating_sub(plan.board.flash.base);
            let found: Vec<_> = processes.iter().map(ProcessImage::linked).collect();
            if fits && size <= plan.kernel.flash.length().get() && found == sizes {
                return Ok(InFlash { plan, processes, kernel, stacks });
            }
            plan = self.project.plan_flash(Bytes::new(size.saturating_add(MARGIN)), &found)?;
            (sizes, fits) = (found, true);
        }
        Err(BuildError::Step {
            what: "placing kernel and processes".to_owned(),
            output: "their sizes change with their places".to_owned(),
        })
    }

    /// Links the processes one behind the other, from `flash` on.
    fn link_processes(&self, mut flash: u32) -> Result<Vec<ProcessImage>, BuildError> {
        let mut processes = Vec::new();
        for (index, process) in self.project.assembly.processes.iter().enumerate() {
            let image = self.link_process(index, &identifier(&process.name), flash)?;
            flash = image.end();
            processes.push(image);
        }
        Ok(processes)
    }

    /// Links a process from `flash` on, into files whose names begin with `stem`.
    pub(super) fn link_process(
        &self,
        index: usize,
        stem: &str,
        flash: u32,
    ) -> Result<ProcessImage, BuildError> {
        let Site { project, workshop, toolchain, objects, .. } = *self;
        let output = toolchain.output(process_target(project, index), workshop.target(), "process");
        let folder = workshop.folder(&project.assembly.name);
        let archive = output.join(format!("lib{}.a", identifier(&process_package(project, workshop, index))));
        let link = Link {
            what: &project.assembly.processes[index].name,
            archive: &archive,
            in_c: objects.of(project, index),
            script: &folder.join(format!("image/{stem}.ld")),
            elf: &folder.join(format!("{stem}.elf")),
            flash,
            variables: project.plan.processes[index].data.base,
            roots: project.assembly.threads_of(index).map(entry).collect(),
            plan: &project.plan,
            place: &project.plan.processes[index],
        };
        link.run(toolchain)
    }

    /// The kernel behind the tables of this plan.
    fn kernel(&self, plan: &Plan, entries: &Entries) -> Result<Vec<u8>, BuildError> {
        let sources = kernel::sources(self.project, plan, entries)?;
        // For people to read.
        self.workshop.write(&self.project.assembly.name, &sources)?;
        kernel::linked(plan.board.processor, self.toolchain, &sources)
    }

    /// The stacks of all threads. Each is large enough, or as large as declared where that can't be computed.
    fn stacks_of(&self, processes: &[ProcessImage]) -> Result<Vec<Stack>, BuildError> {
        let rows = processes.iter().enumerate();
        let rows = rows.map(|(index, process)| stacks::of_process(self.project, index, process.elf()));
        let rows = rows.collect::<Result<Vec<_>, _>>()?.concat();
        stacks::check(&rows)?;
        Ok(rows)
    }
}

fn entries(project: &Project, plan: &Plan, processes: &[ProcessImage]) -> Result<Entries, BuildError> {
    let threads =
        project.assembly.threads.iter().map(|thread| processes[thread.process].symbol(&entry(thread)));
    let mut images = Vec::new();
    for (place, process) in plan.processes.iter().zip(processes) {
        let (load, length) = (process.symbol("BERYL_PORTS")?, place.ports.length().get());
        images.push(Image { load, address: place.ports.base, length, zeros: 0 });
        images.push(zeros(place.journal));
        images.push(process.variables(place.bss.limit));
        images.push(zeros(place.states.interval));
    }
    images.extend(plan.shared.iter().map(|shared| zeros(shared.block.region.interval)));
    images.retain(|image| image.length > 0 || image.zeros > 0);
    if let Some(first) = processes.first() {
        let length = project.assembly.cells.size(Home::Published);
        let address = project.places.published;
        images.push(Image { load: first.symbol("BERYL_PUBLISHED")?, address, length, zeros: 0 });
    }
    Ok(Entries { threads: threads.collect::<Result<_, _>>()?, images })
}

/// Memory that starts with zeros only.
fn zeros(interval: Interval) -> Image {
    Image { load: 0, address: interval.base, length: 0, zeros: interval.length().get() }
}
