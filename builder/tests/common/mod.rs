//! Small systems and their listings, for every test of what is generated.
#![allow(dead_code)] // Each test takes what it needs.

pub mod placed;
pub mod programs;
pub mod story;
pub mod values;

use std::fmt::Write as _;
use std::path::PathBuf;
use std::sync::Arc;

use beryl_builder::Project;
use beryl_builder::assembly::assemble;
use beryl_builder::certificate::with_certificates;
use beryl_builder::code::{CodeError, Coded, coded};
use beryl_builder::costs::costed;
use beryl_builder::description::Description;
use beryl_builder::emit::tables;
use beryl_builder::plan::located;
use beryl_builder::project::Said;
use beryl_builder::schedule::schedules;
use beryl_builder::supply::supplied;
use beryl_timing::{Model, Source};

const FRAME: &str = r#"
[system]
name = "small"
timing = ["small.tdl"]
application = "app"
OUTPUTS
[board]
name = "mps2-an385"
flash = "1M"
ram = "1M"
speed = 5
[process.one]
memory = "256"
driver_stack = "512"
[process.two]
memory = "256"
driver_stack = "512"
[[band]]
name = "flight"
policy = "dynamic"
"#;

/// What the description of a system of threads begins with.
const THREADS: &str = r#"
[system]
name = "threads"
application = "app"
[board]
name = "mps2-an385"
flash = "64k"
ram = "64k"
speed = 4
"#;

/// A system of threads, from its processes on.
pub fn threads(text: &str) -> Project {
    let description = parsed(&[THREADS, text].concat());
    assembled(Model::empty(), description).expect("there is no program to express")
}

pub fn parsed(text: &str) -> Description {
    Description::parse("beryl.toml", text).unwrap_or_else(|wrong| panic!("{wrong:?}"))
}

/// The description of tasks and native drivers; each of them has its process before its name.
pub fn described(outputs: &str, tasks: &[(&str, &str)], drivers: &[(&str, &str)]) -> Description {
    parsed(&description(outputs, tasks, drivers))
}

/// The same as a text.
pub fn description(outputs: &str, tasks: &[(&str, &str)], drivers: &[(&str, &str)]) -> String {
    let mut text = FRAME.replace("OUTPUTS", outputs);
    for (process, name) in tasks {
        write!(text, "[task.{name}]\nprocess = \"{process}\"\nworst = \"10us\"\nstack = \"512\"\n")
            .expect("a text takes everything");
    }
    for (process, name) in drivers {
        write!(text, "[driver.{name}]\nprocess = \"{process}\"\nworst = \"50us\"\n")
            .expect("a text takes everything");
    }
    text
}

pub fn try_project(timing: &str, description: Description) -> Result<Project, CodeError> {
    let source = Source { name: "small.tdl".to_owned(), text: timing.to_owned() };
    let model = beryl_timing::compile(&[source]).unwrap_or_else(|wrong| panic!("{wrong:?}"));
    assembled(model, description)
}

/// All stages, without files.
fn assembled(model: Model, description: Description) -> Result<Project, CodeError> {
    let assembly = assemble(&model, &description).unwrap_or_else(|wrong| panic!("{wrong:?}"));
    let Coded { modules, asynchronous, alternatives, slots } =
        coded(&assembly).map_err(|refused| refused.reason)?;
    let located = located(&assembly, &slots, &description).expect("the board has room");
    let (description, assembly) = (Arc::new(description), Arc::new(assembly));
    let unscheduled = costed(&description, &assembly, &modules, &alternatives);
    let schedules = schedules(&unscheduled)?;
    let programs: Vec<_> = modules.into_iter().chain(schedules).chain(asynchronous).collect();
    let costed = costed(&description, &assembly, &programs, &alternatives);
    let certified = with_certificates(supplied(costed, programs, alternatives, slots));
    Ok(Project::new(PathBuf::new(), model, Said::default(), located, certified))
}

pub fn project(timing: &str, tasks: &[(&str, &str)], drivers: &[(&str, &str)]) -> Project {
    try_project(timing, described("", tasks, drivers)).expect("the system can be expressed")
}

/// A module's listing, a line an instruction, with single spaces.
pub fn listing(project: &Project, module: usize) -> Vec<String> {
    let listing = tables::listing(&project.assembly, &project.programs[module], project.tick());
    listing.lines().map(|line| line.split_whitespace().collect::<Vec<_>>().join(" ")).collect()
}
