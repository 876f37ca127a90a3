//! Random programs whose modules are on nodes or cores, and small ones of two modules.

use std::collections::BTreeMap;
use std::path::Path;

use beryl_builder::description::Description;
use beryl_builder::{BuildError, Nodes, Project, Variant};
use beryl_timing::Source;
use miette::Diagnostic;

use super::programs::Writer;
use super::values::Write;

/// Microseconds of a run.
pub const HORIZON: u64 = 150_000;

pub const BOARD: &str = r#"
[system]
name = "small"
timing = ["small.tdl"]
application = "app"
[board]
name = "mps2-an385"
flash = "1M"
ram = "1M"
speed = 5
[[band]]
name = "flight"
policy = "dynamic"
"#;

/// A random program, in which each module has drivers of its own.
pub struct Program {
    pub text: String,
    /// The tasks and the drivers of each module.
    pub modules: Vec<(Vec<String>, Vec<String>)>,
}

impl Program {
    pub fn of(seed: u64) -> Program {
        let (text, tasks, guards) = Writer::program(seed);
        let mut modules = Vec::new();
        let mut whole = String::new();
        for (number, module) in text.split("module ").skip(1).enumerate() {
            let module = module.replace("uses read;", &format!("uses read_{number};"));
            let module = module.replace("uses set;", &format!("uses set_{number};"));
            let own = |name: &String| name.starts_with(&format!("t{number}_"));
            let mut drivers = vec![format!("read_{number}"), format!("set_{number}")];
            drivers.extend(
                (0..guards)
                    .map(|guard| format!("g{guard}"))
                    .filter(|name| module.contains(&format!("{name}("))),
            );
            modules.push((tasks.iter().filter(|name| own(name)).cloned().collect(), drivers));
            whole += &format!("module {module}");
        }
        Program { text: whole, modules }
    }

    pub fn sources(&self) -> [Source; 1] {
        [Source { name: "small.tdl".to_owned(), text: self.text.clone() }]
    }

    /// The description with each module in a process of its own, which is where the line says that is given for it.
    pub fn description(&self, board: &str, places: Option<&[String]>, tables: &str) -> Description {
        let mut text = BOARD.replace("mps2-an385", board);
        text += tables;
        for (number, (tasks, drivers)) in self.modules.iter().enumerate() {
            text += &format!("[process.p{number}]\nmemory = \"256\"\ndriver_stack = \"512\"\n");
            text += places.map_or("", |places| places[number].as_str());
            for task in tasks {
                text +=
                    &format!("[task.{task}]\nprocess = \"p{number}\"\nworst = \"10us\"\nstack = \"512\"\n");
            }
            for driver in drivers {
                text += &format!("[driver.{driver}]\nprocess = \"p{number}\"\nworst = \"50us\"\n");
            }
        }
        Description::parse("beryl.toml", &text).unwrap_or_else(|wrong| panic!("{wrong:?}\n{text}"))
    }

    /// All on one core of one machine.
    pub fn alone_on(&self, board: &str) -> Project {
        let description = self.description(board, None, "");
        let parsed = beryl_builder::Parsed::of(Path::new(""), description, &self.sources());
        parsed
            .and_then(beryl_builder::Parsed::joined)
            .unwrap_or_else(|wrong| panic!("{wrong:?}\n{}", self.text))
    }

    pub fn alone(&self) -> Project {
        self.alone_on("mps2-an385")
    }

    pub fn on(&self, nodes: &[usize]) -> Result<Nodes, BuildError> {
        self.over(BUS, nodes)
    }

    /// On nodes with this bus.
    pub fn over(&self, bus: &str, nodes: &[usize]) -> Result<Nodes, BuildError> {
        let tables = (0..3).filter(|node| nodes.contains(node)).map(|node| format!("[node.n{node}]\n"));
        let tables = tables.collect::<String>() + bus;
        let places: Vec<_> = nodes.iter().map(|node| format!("node = \"n{node}\"\n")).collect();
        let description = self.description("mps2-an385", Some(&places), &tables);
        Nodes::of(Path::new(""), description, &self.sources(), Variant::default())
    }

    /// On cores of one machine.
    pub fn on_cores(&self, cores: &[usize]) -> Result<Nodes, BuildError> {
        let tables: String =
            (0..4).filter(|core| cores.contains(core)).map(|core| format!("[core.c{core}]\n")).collect();
        let places: Vec<_> = cores.iter().map(|core| format!("core = \"c{core}\"\n")).collect();
        let description = self.description("virt", Some(&places), &tables);
        Nodes::of(Path::new(""), description, &self.sources(), Variant::default())
    }

    /// On cores 0 and 1 of one node, and on another node that has none.
    pub fn on_both(&self, places: &[usize]) -> Result<Nodes, BuildError> {
        let has = |place: usize| places.contains(&place);
        let mut tables = BUS.to_owned();
        if has(0) || has(1) {
            tables += "[node.pair]\n";
        }
        for core in (0..2).filter(|core| has(*core)) {
            tables += &format!("[core.c{core}]\nnode = \"pair\"\n");
        }
        if has(2) {
            tables += "[node.single]\n";
        }
        let place = |place: &usize| match place {
            2 => "node = \"single\"\n".to_owned(),
            core => format!("core = \"c{core}\"\n"),
        };
        let places: Vec<_> = places.iter().map(place).collect();
        let description = self.description("virt", Some(&places), &tables);
        Nodes::of(Path::new(""), description, &self.sources(), Variant::default())
    }
}

/// What is written, by the instant and the name.
pub type Written = BTreeMap<(u64, String), Vec<i32>>;

pub fn written(writes: Vec<Write>) -> Written {
    let mut all = Written::new();
    for Write { at, name, value } in writes {
        all.entry((at, name)).or_default().push(value);
    }
    all
}

pub const TWO: &str = "[node.n0]\n[node.n1]\n";
pub const BUS: &str = "[bus]\nframe = \"20us\"\nbyte = \"1us\"\n";

/// A system of two modules, the second of which reads an output of the first: the text of both, and of the description
/// behind the board.
pub fn small(first: &str, second: &str, rest: &str) -> Result<Nodes, BuildError> {
    let text = format!("module First {{ {first} }}\nmodule Second {{ import First; {second} }}\n");
    let sources = [Source { name: "small.tdl".to_owned(), text }];
    let mut description = format!("{BOARD}{TWO}{rest}");
    for number in [0, 1] {
        description +=
            &format!("[process.p{number}]\nnode = \"n{number}\"\nmemory = \"256\"\ndriver_stack = \"512\"\n");
        description +=
            &format!("[task.t{number}]\nprocess = \"p{number}\"\nworst = \"10us\"\nstack = \"512\"\n");
    }
    let description =
        Description::parse("beryl.toml", &description).unwrap_or_else(|wrong| panic!("{wrong:?}"));
    Nodes::of(Path::new(""), description, &sources, Variant::default())
}

pub const TASK: &str = "public task t0 { output int x := 3; uses f0(x); }";
pub const READS: &str = "task t1 { input int a; output int y := 0; uses f1(a, y); } \
                     start mode m [period = 10ms] { task [freq = 1] t1(First.t0.x); }";

/// What is said, and what is proposed.
pub fn refused(first: &str, second: &str, rest: &str) -> String {
    let wrong = small(first, second, rest).expect_err("it can't be");
    let mut said = String::new();
    let handler = miette::GraphicalReportHandler::new_themed(miette::GraphicalTheme::none()).with_width(400);
    let all: Vec<&dyn Diagnostic> = wrong.related().map(Iterator::collect).unwrap_or_default();
    let all = if all.is_empty() { vec![&wrong as &dyn Diagnostic] } else { all };
    all.into_iter().for_each(|one| handler.render_report(&mut said, one).expect("a text takes everything"));
    said
}
