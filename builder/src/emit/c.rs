//! The header for native functions in C, and how the glue calls them.
//!
//! A port is a pointer to its type, `const` if the function may only look at it. For an array it is a pointer to the
//! whole array, so that another length is another type. Structs have the layout of the ports; the compiler checks
//! that.

use beryl_timing::{Basic, Element, Model, Record, Type};

use crate::assembly::{Assembly, Function, Process, Role, Shape, Task, Thread, Use};
use crate::emit::File;
use crate::plan::Places;

pub mod begun;
pub mod clashes;
mod common;
pub mod devices;
pub mod direct;
pub mod objects;
mod parameters;
pub mod plain;
mod rare;
pub mod world;

use parameters::Parameter;

/// Where the header is, in the system's folder.
pub const HEADER: &str = "c/ports.h";

/// The header.
#[must_use]
pub fn header(model: &Model, assembly: &Assembly) -> File {
    let mut text = format!(
        "/* Ports of `{}` for native functions in C. Written by the builder; changes are lost. */\n#pragma once\n#pragma GCC system_header\n\n\
         #include <stdbool.h>\n#include <stddef.h>\n#include <stdint.h>\n\n#include \"beryl.h\"\n\n\
         _Static_assert(sizeof(float) == 4 && sizeof(double) == 8, \"IEEE 754, 32 and 64 bits\");\n",
        assembly.name
    );
    text.extend(assembly.records.iter().map(|record| structure(record)));
    text += &objects::declarations(assembly);
    text += &common::declarations(assembly);
    text += &common::threads(assembly);
    text += &rare::watched(assembly);
    for (thread, task) in assembly.tasks().filter(|(_, task)| assembly.in_c.contains(&task.function)) {
        let names = names(model, task);
        let parameters = task.arguments.iter().enumerate().map(|(index, (cell, changes))| {
            let name = names.get(index).cloned().unwrap_or_else(|| format!("port_{}", index + 1));
            parameter(&assembly.cells.get(*cell).kind, *changes, &name)
        });
        let parameters = parameters.chain(objects::parameters(assembly, thread)).collect();
        text += &prototype(&format!("Task `{}`.", thread.name), "void", &task.function, parameters);
    }
    for (entry, threads) in entries(assembly) {
        let names: Vec<_> = threads.iter().map(|thread| format!("`{}`", thread.name)).collect();
        let what = format!("Thread{} {}.", if names.len() == 1 { "" } else { "s" }, names.join(", "));
        let parameters = threads.first().map(|thread| objects::parameters(assembly, thread));
        text += &prototype(&what, "void", entry, parameters.unwrap_or_default());
    }
    for process in &assembly.processes {
        let functions = process.functions.iter().filter(|function| assembly.in_c.contains(&function.name));
        text.extend(functions.map(|function| driver(assembly, function)));
    }
    File::new(HEADER, text)
}

/// Entries in C, each with the threads that begin there and are no tasks.
fn entries(assembly: &Assembly) -> Vec<(&str, Vec<&Thread>)> {
    let others = assembly.threads.iter().filter(|thread| !matches!(thread.role, Role::Task(_)));
    let mut entries: Vec<(&str, Vec<&Thread>)> = Vec::new();
    for (thread, entry) in others.filter_map(|thread| Some((thread, thread.function()?))) {
        match entries.iter_mut().find(|(known, _)| *known == entry) {
            Some((_, threads)) => threads.push(thread),
            None if assembly.in_c.contains(entry) => entries.push((entry, vec![thread])),
            None => {}
        }
    }
    entries
}

/// What the glue of a process declares: its functions in C.
pub(super) fn declarations(assembly: &Assembly, process: &Process, index: usize) -> String {
    let is_own = |name: &str| assembly.in_c.contains(name);
    let mut rows = Vec::new();
    for thread in assembly.threads_of(index) {
        let Some(function) = thread.function().filter(|name| is_own(name)) else { continue };
        let ports = match &thread.role {
            Role::Task(task) => task.arguments.as_slice(),
            _ => &[],
        };
        let kinds = ports.iter().map(|(cell, changes)| pointer(&assembly.cells.get(*cell).kind, *changes));
        let kinds: Vec<_> = kinds.chain(objects::pointers(assembly, thread)).collect();
        rows.push(declaration(function, &kinds, ""));
    }
    for function in process.functions.iter().filter(|function| is_own(&function.name)) {
        rows.push(match &function.shape {
            Shape::Fills(kind) => declaration(&function.name, &[pointer(kind, true)], ""),
            Shape::Takes(kind) => declaration(&function.name, &[pointer(kind, false)], ""),
            Shape::Decides(cells) => {
                let kinds = cells.iter().map(|cell| pointer(&assembly.cells.get(*cell).kind, false));
                declaration(&function.name, &kinds.collect::<Vec<_>>(), " -> bool")
            }
            Shape::Holds { .. } => String::new(), // the glue's own
        });
    }
    for thread in assembly.threads_of(index).filter(|thread| thread.function().is_some_and(is_own)) {
        rows.extend(thread.argument.iter().map(|name| outside(&argument_symbol(name), name, "mut ", "u8")));
        let objects = begun::given(assembly, thread).into_iter().filter_map(|given| match given {
            begun::Given::Object(used) => common::value_of(assembly, used),
            begun::Given::Handle(_) => None,
        });
        rows.extend(objects.map(|name| outside(&name, &name, "", "beryl_user::c::object::Object")));
    }
    rows.sort();
    rows.dedup();
    if rows.is_empty() {
        return String::new();
    }
    format!(
        "\n/// Functions in C, as `{HEADER}` declares them.\nmod c {{\n    #[allow(unused_imports)]\n    use {HANDLES};\n    \
         #[allow(improper_ctypes)]\n    unsafe extern \"C\" {{\n{}    }}\n}}\n",
        rows.concat()
    )
}

/// What the glue declares of a variable elsewhere.
fn outside(own: &str, symbol: &str, rights: &str, kind: &str) -> String {
    format!(
        "        #[link_name = {symbol:?}]\n        #[allow(non_upper_case_globals)]\n        pub static {rights}{own}: {kind};\n"
    )
}

/// A thread's argument as the glue declares it: its name in C may be a word of Rust.
fn argument_symbol(name: &str) -> String {
    format!("argument_{name}")
}

/// A thread's argument, as the glue names it.
pub(super) fn argument(name: &str) -> String {
    format!("c::{}", argument_symbol(name))
}

/// The value of what is used, as the glue names it.
pub(super) fn object(assembly: &Assembly, used: Use) -> Option<String> {
    common::value_of(assembly, used).map(|name| format!("c::{name}"))
}

/// Where the types of handles are.
const HANDLES: &str = "beryl_user::{condition, endpoint, event_group, interrupt, mailbox, notification, period, region, semaphore, slot, state, supervisor, thread, trace}";

/// What functions in C call, as the glue defines it. Nothing if there are no such functions.
#[must_use]
pub fn definitions(assembly: &Assembly, places: &Places) -> String {
    if assembly.in_c.is_empty() {
        return String::new();
    }
    format!(
        "\n/// What functions in C call, as `{}` and `{HEADER}` declare it.\n#[allow(unused_imports, unused_unsafe, \
         improper_ctypes_definitions)]\nmod called_from_c {{\n    use {HANDLES};\n    use beryl_user::c::object::Object;\n{}{}{}}}\n",
        plain::HEADER,
        plain::definitions(),
        common::definitions(assembly, places),
        objects::definitions(assembly)
    )
}

/// Where the glue finds a native function.
pub(super) fn home(assembly: &Assembly, function: &str) -> &'static str {
    if assembly.in_c.contains(function) { "c" } else { "application" }
}

fn pointer(kind: &Type, changes: bool) -> String {
    format!("*{} {}", if changes { "mut" } else { "const" }, kind.rust_name())
}

fn declaration(name: &str, kinds: &[String], answer: &str) -> String {
    let parameters: Vec<_> =
        kinds.iter().enumerate().map(|(index, kind)| format!("port_{}: {kind}", index + 1)).collect();
    format!("        pub fn {name}({}){answer};\n", parameters.join(", "))
}

fn driver(assembly: &Assembly, function: &Function) -> String {
    let Function { name, shape, .. } = function;
    match shape {
        Shape::Fills(kind) => {
            prototype("Reads a sensor.", "void", name, vec![parameter(kind, true, "value")])
        }
        Shape::Takes(kind) => {
            prototype("Writes an actuator.", "void", name, vec![parameter(kind, false, "value")])
        }
        Shape::Decides(cells) => {
            let parameters = cells.iter().enumerate().map(|(index, cell)| {
                parameter(&assembly.cells.get(*cell).kind, false, &format!("value_{}", index + 1))
            });
            prototype("A guard.", "bool", name, parameters.collect())
        }
        Shape::Holds { .. } => String::new(), // the glue's own
    }
}

fn prototype(what: &str, answer: &str, name: &str, parameters: Vec<Parameter>) -> String {
    format!("\n/* {what} */\n{answer} {name}({});\n", parameters::list(&parameters))
}

/// A pointer to a port.
fn parameter(kind: &Type, changes: bool, name: &str) -> Parameter {
    let element = element(&kind.element);
    let rights = if changes { "" } else { "const " };
    match kind.length {
        None => Parameter::new(&format!("{rights}{element} *"), name),
        Some(length) => Parameter::around(&format!("{rights}{element} (*"), name, &format!(")[{length}]")),
    }
}

fn structure(record: &Record) -> String {
    let name = identifier(&record.name);
    let (mut fields, mut places) = (String::new(), String::new());
    let mut offset = 0;
    for field in &record.fields {
        let length = field.kind.length.map(|length| format!("[{length}]")).unwrap_or_default();
        let own = identifier(&field.name);
        fields += &format!("    {} {own}{length};\n", element(&field.kind.element));
        places += &format!("_Static_assert(offsetof({name}, {own}) == {offset}, \"{name}.{own}\");\n");
        offset += field.kind.size();
    }
    format!(
        "\ntypedef struct {name} {{\n{fields}}} {name};\n_Static_assert(sizeof({name}) == {}, \"{name}\");\n{places}",
        record.size()
    )
}

fn element(element: &Element) -> String {
    match element {
        Element::Basic(basic) => match basic {
            Basic::Boolean | Basic::Char => "uint8_t",
            Basic::Byte => "int8_t",
            Basic::Short => "int16_t",
            Basic::Int => "int32_t",
            Basic::Long => "int64_t",
            Basic::Float => "float",
            Basic::Double => "double",
        }
        .to_owned(),
        Element::Record(record) => identifier(&record.name),
    }
}

/// The ports of a task, in the order of its function's parameters.
fn names(model: &Model, task: &Task) -> Vec<String> {
    let task = model.modules.get(task.module).and_then(|module| module.tasks.get(task.task));
    let ports =
        task.into_iter().flat_map(|task| task.arguments.iter().filter_map(|port| task.ports.get(*port)));
    ports.map(|port| port.name.clone()).collect()
}

/// Words of C and of the headers that can be names of objects or in the timing language. As such a name they get an
/// underscore at the end.
const WORDS: [&str; 49] = [
    "auto",
    "bool",
    "break",
    "case",
    "char",
    "const",
    "continue",
    "default",
    "do",
    "double",
    "else",
    "enum",
    "extern",
    "float",
    "for",
    "goto",
    "if",
    "inline",
    "int",
    "long",
    "register",
    "restrict",
    "return",
    "short",
    "signed",
    "sizeof",
    "static",
    "struct",
    "switch",
    "typedef",
    "union",
    "unsigned",
    "void",
    "volatile",
    "while",
    "offsetof",
    "true",
    "false",
    "NULL",
    "_Alignas",
    "_Alignof",
    "_Atomic",
    "_Bool",
    "_Complex",
    "_Generic",
    "_Imaginary",
    "_Noreturn",
    "_Static_assert",
    "_Thread_local",
];

fn identifier(name: &str) -> String {
    if WORDS.contains(&name) { format!("{name}_") } else { name.to_owned() }
}
