//! A project: the folder of a system, read, checked and planned.

use std::fs;
use std::path::{Path, PathBuf};

use beryl_abi::Duration;
use beryl_timing::{Model, Source};
use beryl_trace::assertion::Stated;
use beryl_trace::{Names, Tick};

use crate::BuildError;
use crate::assembly::objects::Region;
use crate::assembly::{Assembly, Home, Other, Places, Role, assemble_all};
use crate::code::{self, Program};
use crate::description::{self, Description, Outputs, Placed, Problem};
use crate::emit::c::clashes::{self, Clash};
use crate::emit::names::{modes_called, names};
use crate::footprint;
use crate::image;
use crate::plan::{self, Demand, Limits, Linked, Plan, ProcessDemand, SharedDemand, StackDemand};
use crate::proof;
use crate::quantity::Bytes;
use crate::workshop::Workshop;

/// What is changed of a description for an experiment.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Variant {
    /// When outputs become visible, if not when the description says.
    pub outputs: Option<Outputs>,
}

/// A system, ready to be proved, simulated or built.
#[derive(Clone, Debug)]
pub struct Project {
    /// Its folder.
    pub folder: PathBuf,
    /// The timing program.
    pub model: Model,
    /// The system description.
    pub description: Description,
    /// Both joined.
    pub assembly: Assembly,
    /// The system code, one program a module.
    pub programs: Vec<Program>,
    /// That of other programs of modules, in the order of the assembly's.
    pub alternatives: Vec<Program>,
    /// Where everything in RAM is, and what the kernel takes of the flash at most: in all of the board's flash as long as it is
    /// [open](Project::is_open) whether it fits. Text isn't linked yet and takes nothing in it.
    pub plan: Plan,
    /// Where every cell is.
    pub places: Places,
}

/// What the files of a system say, before it is joined.
#[derive(Clone, Debug)]
pub struct Texts {
    /// The system's folder.
    pub folder: PathBuf,
    /// The system description.
    pub description: Description,
    model: Model,
    others: Vec<Other>,
}

impl Texts {
    /// Reads the files of the system in `folder`.
    ///
    /// # Errors
    /// What can be wrong with each of them.
    pub fn read(folder: &Path, variant: Variant) -> Result<Texts, BuildError> {
        let path = folder.join("beryl.toml");
        let refuse = |reason| Err(BuildError::NoSystem { path: folder.to_owned(), reason });
        if folder.is_file() {
            return refuse("is a file");
        }
        if !folder.is_dir() {
            return refuse("doesn't exist");
        }
        if !path.is_file() {
            return refuse("holds no beryl.toml");
        }
        let mut description = Description::load(&path)?;
        if let Some(outputs) = variant.outputs {
            description.system.outputs = outputs;
        }
        let sources = sources(folder, &description)?;
        Texts::of(folder, description, &sources)
    }

    /// A description and a timing program that have been read; `folder` is where other files are that the description names.
    ///
    /// # Errors
    /// Everything that can be wrong with them.
    pub fn of(folder: &Path, description: Description, sources: &[Source]) -> Result<Texts, BuildError> {
        let model = beryl_timing_or_empty(sources)?;
        let others = others(folder, &description, sources, &model)?;
        Ok(Texts { folder: folder.to_owned(), description, model, others })
    }

    /// The system that they describe. Where a bound of its kernel's size doesn't tell whether it fits into the flash, that is left open:
    /// see [`Project::settled`].
    ///
    /// # Errors
    /// Whatever doesn't go together, or doesn't fit.
    pub fn joined(self) -> Result<Project, BuildError> {
        let Texts { folder, description, model, others } = self;
        let mut assembly = assemble_all(&model, &others, &description)?;
        refuse_clashes_in_c(&assembly, &description)?;
        assembly.assertions = assertions(&assembly, &description)?;
        let programs = code::generate(&assembly).map_err(|error| code::in_the_text(error, &model))?;
        let of_other = |(index, error): (usize, _)| match others.get(index) {
            Some(other) => code::in_the_text(error, &other.model),
            None => error.into(),
        };
        let alternatives = code::alternatives(&assembly).map_err(of_other)?;
        for (module, program) in programs.iter().enumerate() {
            if let Some(slot) = assembly.modules[module].slot {
                if assembly.objects.slots[slot].offers.is_some() {
                    assembly.objects.slots[slot].program =
                        crate::emit::container::container(&assembly, program);
                }
                let words = proof::check_words(&assembly, program, &assembly.objects.slots[slot]);
                assembly.objects.slots[slot].check_words = words;
            }
        }
        let demand = demand(&assembly, &description);
        let plan = plan(&description, &demand)?;
        let places = Places::of(&assembly, &plan);
        let mut project =
            Project { folder, model, description, assembly, programs, alternatives, plan, places };
        let schedules = crate::schedule::schedules(&project)?;
        project.programs.extend(schedules);
        project.programs.extend(code::asynchronous(&project.assembly)?);
        for slot in 0..project.assembly.objects.slots.len() {
            project.assembly.objects.slots[slot].supply = proof::supply(&project, slot);
        }
        project.certify();
        project.bounded()
    }
}

impl Project {
    /// Reads the system in `folder`; see [`Texts::joined`].
    ///
    /// # Errors
    /// Everything that can be wrong with its texts, and whatever doesn't fit.
    pub fn load(folder: &Path, variant: Variant) -> Result<Project, BuildError> {
        Texts::read(folder, variant)?.joined()
    }

    /// With what its kernel takes of the flash at most; if there isn't as much, that is left open.
    fn bounded(mut self) -> Result<Project, BuildError> {
        let bound = footprint::flash(&self.assembly, &self.programs);
        let anywhere = |refusal| self.plan.with_all_flash().with_flash(bound, &[]).map_err(|_| refusal);
        self.plan = self.plan_flash(bound, &[]).or_else(anywhere)?;
        Ok(self)
    }

    /// Whether only the compiled kernel can tell if it has room in flash.
    #[must_use]
    pub fn is_open(&self) -> bool {
        self.plan.limits != limits(&self.description)
    }

    /// The same system, of which is known that its kernel has room in flash: by its bound, or, where that leaves it open, by
    /// compiling it in `workshop`, which takes some seconds; `step` is told so.
    ///
    /// # Errors
    /// The limit that is too small; or whatever keeps the kernel from being compiled.
    pub fn settled(mut self, workshop: &Workshop, step: impl FnOnce(&str)) -> Result<Project, BuildError> {
        if self.is_open() {
            step("compiling the kernel, to see whether it fits into the flash");
            self.plan = self.plan_flash(image::kernel_size(&self, workshop)?, &[])?;
        }
        Ok(self)
    }

    /// The plan with a kernel of this size in flash, and with the processes as they are linked.
    ///
    /// # Errors
    /// A diagnostic at the limit that is too small.
    pub fn plan_flash(&self, kernel: Bytes, linked: &[Linked]) -> Result<Plan, BuildError> {
        let refused = |failure: plan::Failure| BuildError::Plan(failure.diagnostic(&self.description));
        let plan = Plan { limits: limits(&self.description), ..self.plan.clone() };
        plan.with_flash(kernel, linked).map_err(refused)
    }

    /// Finds the certificates of programs for slots: what each of them has of the processor is known by now.
    fn certify(&mut self) {
        let assembly = &self.assembly;
        let certified = |slot: Option<usize>, program: &Program| {
            slot.map(|slot| proof::certified(self, slot, program)).unwrap_or_default()
        };
        let own = assembly.modules.iter().zip(&self.programs);
        let own: Vec<_> = own.map(|(module, program)| certified(module.slot, program)).collect();
        let others = assembly.alternatives.iter().zip(&self.alternatives);
        let others: Vec<_> = others.map(|(row, program)| certified(row.body.slot, program)).collect();
        let programs = self.programs.iter_mut().zip(own).chain(self.alternatives.iter_mut().zip(others));
        programs.for_each(|(program, numbers)| program.certificate = numbers);
    }

    /// The same system after one of its other programs has taken over: what is proved before it is sent. Nothing if there is no
    /// such program.
    #[must_use]
    pub fn after(&self, alternative: usize) -> Option<Project> {
        let row = self.assembly.alternatives.get(alternative)?;
        let program = self.programs.get(row.module).zip(self.alternatives.get(alternative))?.1.clone();
        let (module, body) = (row.module, row.body.clone());
        let mut project = self.clone();
        for (index, thread) in project.assembly.threads.iter_mut().enumerate() {
            let Role::Task(task) = &mut thread.role else { continue };
            if task.module == module {
                // No logical execution time is shorter than a slot, and none comes sooner after another.
                task.logical = body.released_every(index).unwrap_or(Duration::FOREVER);
                task.separation = task.logical;
            }
        }
        project.programs[module] = program;
        project.assembly.modules[module] = body;
        Some(project)
    }

    /// Nanoseconds a tick of the board.
    #[must_use]
    pub fn tick(&self) -> u32 {
        u32::try_from(self.description.board.board.tick.get()).unwrap_or(u32::MAX)
    }
}

/// The description's assertions, about names that there are.
fn assertions(assembly: &Assembly, description: &Description) -> Result<Vec<Stated>, BuildError> {
    let tick = u32::try_from(description.board.board.tick.get()).unwrap_or(u32::MAX);
    // The names don't depend on the tick.
    let Some(tick) = Tick::new(tick.max(1), 1) else { return Ok(Vec::new()) };
    let names = Names { modes: modes_called(assembly), ..names(assembly, tick) };
    Ok(description.assertions.about(&names)?)
}

/// The headers for functions in C can be compiled.
fn refuse_clashes_in_c(assembly: &Assembly, description: &Description) -> Result<(), BuildError> {
    let Some(Clash { name, things: [first, second] }) = clashes::first(assembly) else { return Ok(()) };
    let place = description.c.functions.first().map_or((0, 0).into(), |function| function.place);
    Err(BuildError::Description(description.alone(Problem {
        code: description::code::DUPLICATE_NAME,
        place,
        message: format!("in C, {first} and {second} would both be named `{name}`"),
        label: "their header would declare both".to_owned(),
        help: "give one of them another name".into(),
    })))
}

/// A system without a timing program has threads only.
fn beryl_timing_or_empty(sources: &[Source]) -> Result<Model, BuildError> {
    if sources.is_empty() {
        return Ok(Model::empty());
    }
    Ok(beryl_timing::compile(sources)?)
}

fn sources(folder: &Path, description: &Description) -> Result<Vec<Source>, BuildError> {
    let help = "`timing` in [system] names files of UTF-8 text, in the folder of this one";
    description.system.timing.iter().map(|name| source(folder, description, name, help)).collect()
}

fn source(
    folder: &Path,
    description: &Description,
    name: &Placed<String>,
    help: &str,
) -> Result<Source, BuildError> {
    let path = folder.join(&name.value);
    let unreadable = |reason: std::io::Error| Problem {
        code: description::code::UNREADABLE,
        place: name.place,
        message: format!("the timing program {} can't be read: {reason}", path.display()),
        label: "this file".to_owned(),
        help: help.into(),
    };
    let text = fs::read_to_string(&path).map_err(|reason| {
        let alone = description.diagnostic(unreadable(reason));
        BuildError::Description(description::Diagnostics::one("in the system description", alone))
    })?;
    Ok(Source { name: path.display().to_string(), text })
}

/// The other programs of modules with slots, each compiled in place of the text with the module.
fn others(
    folder: &Path,
    description: &Description,
    sources: &[Source],
    model: &Model,
) -> Result<Vec<Other>, BuildError> {
    let help = "`programs` of a slot names files of UTF-8 text, in the folder of this one";
    let mut others = Vec::new();
    for (index, slot) in description.objects.slots.iter().enumerate() {
        let module = model.modules.iter().find(|module| module.name == slot.name.value);
        for name in &slot.programs {
            let other = source(folder, description, name, help)?;
            let mut sources = sources.to_vec();
            match module.and_then(|module| sources.get_mut(module.place.source)) {
                Some(place) => *place = other,
                None => sources.push(other),
            }
            let model = beryl_timing::compile(&sources)?;
            others.push(Other { slot: index, file: name.value.clone(), model });
        }
    }
    Ok(others)
}

/// What the plan has to find places for in RAM. Variables get what the description allows them, so that addresses don't
/// depend on the compiler.
#[must_use]
pub fn demand(assembly: &Assembly, description: &Description) -> Demand {
    let processes = assembly.processes.iter().enumerate().map(|(index, process)| {
        let board = description.board.board.value;
        let devices = description.processes[index].devices.iter().map(|device| device.value);
        // Who writes events down says when they were.
        let clock = board.device(board.clock).filter(|_| process.journal > 0).copied();
        let clock = clock.filter(|clock| !process.devices.iter().any(|name| name == clock.name));
        ProcessDemand {
            name: process.name.clone(),
            memory: process.memory,
            ports: Bytes::new(assembly.cells.size(Home::Process(index))),
            states: Bytes::new(assembly.cells.size(Home::State(index))),
            stacks: assembly
                .threads_of(index)
                .map(|thread| StackDemand { thread: thread.name.clone(), size: thread.stack })
                .collect(),
            devices: devices.chain(clock).collect(),
            journal: process.journal,
        }
    });
    Demand {
        kernel: footprint::ram(assembly),
        published: Bytes::new(assembly.cells.size(Home::Published)),
        objects: Bytes::new(assembly.cells.size(Home::Kernel)),
        processes: processes.collect(),
        shared: assembly.objects.regions.iter().map(shared).collect(),
    }
}

fn shared(region: &Region) -> SharedDemand {
    let has = |process: &u32| region.processes.checked_shr(*process).is_some_and(|rest| rest & 1 == 1);
    let processes = (0..u32::BITS).filter(has).filter_map(|process| usize::try_from(process).ok());
    SharedDemand { name: region.name.clone(), size: Bytes::new(region.size), processes: processes.collect() }
}

/// Plans the RAM of the description's board.
///
/// # Errors
/// A diagnostic at the limit that is too small.
pub fn plan(description: &Description, demand: &Demand) -> Result<Plan, BuildError> {
    plan::plan(description.board.board.value, limits(description), demand)
        .map_err(|failure| BuildError::Plan(failure.diagnostic(description)))
}

/// What the description allows.
fn limits(description: &Description) -> Limits {
    Limits { flash: description.board.flash.value, ram: description.board.ram.value }
}
