//! Which functions plainly use the environment, by their text: their process needs its device.
//!
//! A function whose body calls the environment itself is found here, before anything is compiled. What is called by way
//! of others, or compiled for one machine only, is left to the linked code: see `image/window.rs`.

use super::sources::Sources;
use crate::assembly::Shape;
use crate::description::Problem;
use crate::error::BuildError;
use crate::project::Project;
use beryl_timing::Help;

/// Calls of the environment, and what in the sources may give these words another meaning.
struct Language {
    /// What stands before a function's name.
    head: &'static str,
    calls: &'static [&'static str],
    doubts: &'static [&'static str],
}

const RUST: Language = Language {
    head: "fn ",
    calls: &["environment::read(", "environment::write("],
    doubts: &["cfg", "macro_rules!", "mod environment", "as environment"],
};
const C: Language = Language {
    head: "void ",
    calls: &["beryl_environment_read(", "beryl_environment_write("],
    doubts: &["#if", "#define"],
};

/// Refuses a process without the device, one of whose functions calls the environment.
///
/// # Errors
/// The first such process.
pub(super) fn check(project: &Project, rust: &Sources, c: &Sources) -> Result<(), BuildError> {
    for (index, _) in project.assembly.processes.iter().enumerate() {
        let found = functions(project, index).find(|name| match project.assembly.in_c.contains(*name) {
            true => C.uses(c.text(), name),
            false => RUST.uses(rust.text(), name),
        });
        if let Some(name) = found.filter(|_| !has_device(project, index)) {
            return Err(lacking(project, index, &format!("its function `{name}`")));
        }
    }
    Ok(())
}

/// Whether a process has the environment's device.
#[must_use]
pub fn has_device(project: &Project, process: usize) -> bool {
    let device = project.plan.board.environment;
    project.assembly.processes[process].devices.iter().any(|name| name == device)
}

/// What is said of a process without it.
#[must_use]
pub fn lacking(project: &Project, process: usize, user: &str) -> BuildError {
    let device = project.plan.board.environment;
    let row = &project.description.processes[process];
    let name = &row.name.value;
    let help = Help::from(format!("add `{device}` to `devices` of [process.{name}]"));
    let help = match (row.devices.last(), row.device_line) {
        (Some(last), _) => {
            help.or(last.place, format!("{}, \"{device}\"", project.description.text(last.place)))
        }
        (None, Some(line)) if line.is_empty() => help.or(line, format!("\ndevices = [\"{device}\"]")),
        (None, Some(line)) => help.or(line, format!("devices = [\"{device}\"]")),
        (None, None) => help,
    };
    BuildError::Description(project.description.alone(Problem {
        code: "beryl::builder::environment",
        place: row.name.place,
        message: format!(
            "process `{name}` has no device `{device}`, but {user} uses the environment: the first access would be a fault"
        ),
        label: "it may not touch the environment's window".to_owned(),
        help,
    }))
}

/// The functions of the application that run in a process.
fn functions(project: &Project, process: usize) -> impl Iterator<Item = &str> {
    let assembly = &project.assembly;
    let is_native = |shape: &Shape| !matches!(shape, Shape::Holds { .. });
    let drivers = assembly.processes[process].functions.iter().filter(move |row| is_native(&row.shape));
    let threads = assembly.threads_of(process).filter_map(|thread| thread.function());
    drivers.map(|row| row.name.as_str()).chain(threads)
}

impl Language {
    /// Whether the body of a function has a call of the environment. Where that could mean something else, the answer is
    /// no: others find out.
    fn uses(&self, sources: &str, name: &str) -> bool {
        let text = without_comments(sources).replace("#[cfg(test)]", "").replace("cfg_attr(not(test)", "");
        let is_doubtful = self.doubts.iter().any(|doubt| text.contains(doubt));
        let body = self.body(&text, name).filter(|_| !is_doubtful);
        body.is_some_and(|body| self.calls.iter().any(|call| body.contains(call)))
    }

    /// The body of the only function of a name, if no texts or characters in it hide where it ends.
    fn body<'a>(&self, text: &'a str, name: &str) -> Option<&'a str> {
        let head = format!("{}{name}(", self.head);
        let mut bodies = text.split(&head).skip(1).filter(|rest| is_definition(rest));
        let (rest, None) = (bodies.next()?, bodies.next()) else { return None };
        let (_, body) = rest.split_once('{')?;
        let mut depth = 1_usize;
        let end = body.find(|letter| {
            depth = match letter {
                '{' => depth.saturating_add(1),
                '}' => depth.saturating_sub(1),
                _ => depth,
            };
            depth == 0
        })?;
        body.get(..end).filter(|body| !body.contains(['"', '\'']))
    }
}

/// Whether a body follows the parameters, and not the end of a declaration.
fn is_definition(behind_name: &str) -> bool {
    matches!((behind_name.find('{'), behind_name.find(';')), (Some(body), end) if end.is_none_or(|end| body < end))
}

fn without_comments(text: &str) -> String {
    let mut rest = text;
    let mut kept = String::new();
    while let Some((before, block)) = rest.split_once("/*") {
        kept += before;
        rest = block.split_once("*/").map_or("", |(_, behind)| behind);
    }
    kept += rest;
    kept.lines().map(|line| line.split("//").next().unwrap_or_default().to_owned() + "\n").collect()
}

#[cfg(test)]
mod tests {
    use super::{C, RUST};

    const PLAIN: &str = "pub fn read_level(level: &mut i32) {\n    environment::read(LEVEL, level);\n}\n\
                         pub fn set_pump(pump: &i32) {\n    if *pump > 0 {\n        OTHER.store();\n    }\n}\n";

    #[test]
    fn a_call_counts_in_the_body_of_its_function_only() {
        assert!(RUST.uses(PLAIN, "read_level"));
        assert!(!RUST.uses(PLAIN, "set_pump") && !RUST.uses(PLAIN, "read") && !RUST.uses(PLAIN, "missing"));
        let c = "#include \"beryl.h\"\nvoid get(int32_t *value);\nvoid get(int32_t *value) {\n  beryl_environment_read(0, value, 4);\n}\n\
                 void set(const int32_t *value) { lamp = *value; }";
        assert!(C.uses(c, "get") && !C.uses(c, "set"));
        assert!(RUST.uses(&format!("{PLAIN}#[cfg(test)]\nmod tests {{}}"), "read_level"));
    }

    #[test]
    fn where_the_words_could_mean_something_else_nothing_is_said() {
        for doubt in [
            format!("#[cfg(target_os = \"none\")]\n{PLAIN}"),
            format!("{PLAIN}mod environment {{}}"),
            format!("{PLAIN}use crate::plant as environment;"),
            format!("macro_rules! sensor {{}}\n{PLAIN}"),
            format!("{PLAIN}mod other {{ {PLAIN} }}"),
            PLAIN.replace("environment::read", "// environment::read"),
            PLAIN.replace("environment::read", "/* environment::read */ own::read"),
            PLAIN.replace("environment::read", "print(\"}\"); environment::read"),
        ] {
            assert!(!RUST.uses(&doubt, "read_level"), "{doubt}");
        }
        assert!(!C.uses("#if BOARD\nvoid get(void) { beryl_environment_read(0, 0, 4); }\n#endif", "get"));
    }
}
