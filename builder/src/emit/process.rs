//! A process's glue: where its threads begin, and how ports reach native functions.
//!
//! The same text is compiled for the board and for the simulation.

use beryl_timing::Type;

use crate::assembly::{Assembly, CellId, Function, Role, Shape, Task, Thread, Use, Vote};
use crate::emit::handles::handles;
use crate::emit::{c, conditions, identifier, records, reports};
use crate::identity::Identity;
use crate::plan::Places;
use crate::project::Project;

/// The entry point of a thread, as the linker and the simulation know it.
#[must_use]
pub fn entry(thread: &Thread) -> String {
    format!("thread_{}", identifier(&thread.name))
}

/// The symbol of the image's identity in a process that has to know it.
#[must_use]
pub fn identity_symbol(process: &str) -> String {
    format!("BERYL_IDENTITY_{}", identifier(process))
}

/// Whether a process writes slots or sends a trace, and so has to know the image's identity.
#[must_use]
pub fn has_slots(assembly: &Assembly, process: usize) -> bool {
    let is_slot = |used: &Use| matches!(used, Use::Slot(_) | Use::Trace | Use::Replace(_));
    assembly.threads_of(process).any(|thread| thread.uses.iter().any(is_slot))
}

/// The glue of a process, in an image with this identity.
#[must_use]
pub fn process(project: &Project, index: usize, identity: Identity) -> String {
    let (assembly, places) = (&project.assembly, &project.places);
    let process = &assembly.processes[index];
    let mut text = format!(
        "// Glue of process `{}`. Written by the builder; changes are lost.\n\n#[allow(unused_imports)]\n\
         use beryl_user::{{drivers, memory, port::Plain, task}};\n{IMPORTS}",
        process.name
    );
    if has_slots(assembly, index) {
        text +=
            &static_words("IDENTITY", &identity_symbol(&process.name), "Which image this is.", &identity.0);
    }
    text += &critical_sections(project, index);
    text += &c::declarations(assembly, process, index);
    text += &records::records(assembly);
    text += &reports::reports(assembly, index);
    for (number, thread) in assembly.threads.iter().enumerate().filter(|(_, row)| row.process == index) {
        let handles = handles(project, number);
        text += &match &thread.role {
            Role::Task(row) => task(assembly, thread, row, &handles, places),
            Role::Free { entry: function, .. } => free(assembly, thread, function, &handles),
            Role::Periodic(row) => {
                let period = "period::Period::new()".to_owned();
                free(assembly, thread, &row.entry, &[&[period], handles.as_slice()].concat())
            }
            Role::Drivers => driver_thread(assembly, thread, &process.functions, places),
            Role::Idle => String::new(),
        };
    }
    text
}

/// The symbol of the table of a process's critical sections.
#[must_use]
pub fn sections_symbol(process: &str) -> String {
    format!("BERYL_SECTIONS_{}", identifier(process))
}

/// For each thread of a process, by address: its words and the ceiling that it takes for a critical section. The linker
/// leaves the table out where no code asks for it.
fn critical_sections(project: &Project, index: usize) -> String {
    let assembly = &project.assembly;
    let threads = assembly.threads.iter().enumerate().filter(|(_, thread)| thread.process == index);
    let mut rows: Vec<_> = threads
        .filter(|(_, thread)| !matches!(thread.role, Role::Idle))
        .map(|(number, thread)| (project.places.words(number), assembly.section_ceiling(thread)))
        .collect();
    rows.sort_unstable();
    rows.push((u32::MAX, None));
    let row = |(words, ceiling): &(u32, Option<u8>)| match ceiling {
        Some(ceiling) => format!("[{words:#010x}, {ceiling}], "),
        None => format!("[{words:#010x}, u32::MAX], "),
    };
    format!(
        "\n/// The words of each thread, and its ceiling in critical sections.\n#[cfg(target_os = \"none\")]\n\
         #[unsafe(export_name = \"{}\")]\nstatic SECTIONS: [[u32; 2]; {}] = [{}];\n",
        sections_symbol(&assembly.processes[index].name),
        rows.len(),
        rows.iter().map(row).collect::<String>()
    )
}

/// What handles need; a process without objects uses nothing of it.
const IMPORTS: &str = "\
#[allow(unused_imports)]
use beryl_user::{condition, endpoint, event_group, interrupt, lock, mailbox, notification, period, region, semaphore, slot, state, supervisor, thread, trace};
#[allow(unused_imports)]
use beryl_abi::{
    Classes, ConditionId, EndpointId, EventGroupId, InterruptId, MailboxId, NotificationId, ProcessId, SemaphoreId, SlotId, StateMessageId, ThreadId,
};
";

fn task(assembly: &Assembly, thread: &Thread, task: &Task, handles: &[String], places: &Places) -> String {
    let mut arguments = String::new();
    let mut canonical = String::new();
    for (cell, changes) in &task.arguments {
        let port = port(assembly, *cell, places);
        if *changes {
            arguments += &format!("                &mut *{port},\n");
            let kind = &assembly.cells.get(*cell).kind;
            canonical += &format!("            {}\n", records::canonical(assembly, kind, &port));
        } else {
            arguments += &format!("                &*{port},\n");
        }
    }
    let leaving: Vec<_> =
        assembly.leaving.iter().filter(|row| std::ptr::eq(&assembly.threads[row.task], thread)).collect();
    if !leaving.is_empty() {
        canonical += "            beryl_user::link::computed();\n";
    }
    for row in leaving {
        let [link, stamp, from] =
            [row.cell, row.stamp, row.from].map(|cell| places.address(&assembly.cells, cell));
        canonical += &format!(
            "            beryl_user::link::publish({link:#010x}, {stamp:#010x}, {from:#010x}, {});\n",
            row.length
        );
    }
    let (prepared, given) = given(assembly, thread, handles);
    let prepared = votes(assembly, task, places) + &prepared;
    arguments += &given;
    format!(
        "\n/// Task `{name}`.\n#[unsafe(no_mangle)]\npub extern \"C\" fn {entry}() -> ! {{\n    task::run(|| {{\n        \
         // SAFETY: the builder gave these ports to this task alone, each once and with this type; the kernel\n        \
         // touches them only while no job runs. Handles are those of this task, each once.\n        unsafe {{\n{prepared}            {home}::{function}(\n{arguments}            \
         );\n{canonical}        }}\n    }})\n}}\n",
        name = thread.name,
        entry = entry(thread),
        function = task.function,
        home = c::home(assembly, &task.function),
    )
}

/// What most replicas say, where a task reads several.
fn votes(assembly: &Assembly, task: &Task, places: &Places) -> String {
    let vote = |(number, Vote { kept, is_remembered, outcome, of }): (usize, &Vote)| {
        let way = if *is_remembered { "remember" } else { "settle" };
        let [kept, outcome] = [kept, outcome].map(|cell| port(assembly, *cell, places));
        let of: Vec<_> = of.iter().map(|cell| format!("&*{}", port(assembly, *cell, places))).collect();
        format!(
            "            beryl_user::vote::{way}(&mut *{kept}, &mut *{outcome}, [{}], {number});\n",
            of.join(", ")
        )
    };
    task.votes.iter().enumerate().map(vote).collect()
}

fn port(assembly: &Assembly, cell: CellId, places: &Places) -> String {
    let kind = assembly.cells.get(cell).kind.rust_name();
    format!("memory::at::<{kind}>({:#010x})", places.address(&assembly.cells, cell))
}

/// What stands before a call that is given handles, and the handles as arguments: Rust takes them by value, C by their places.
/// In C a thread may have objects by their values instead, or an argument.
fn given(assembly: &Assembly, thread: &Thread, handles: &[String]) -> (String, String) {
    let arguments = |one: &dyn Fn((usize, &String)) -> String| handles.iter().enumerate().map(one).collect();
    if !thread.function().is_some_and(|function| assembly.in_c.contains(function)) {
        return (String::new(), arguments(&|(_, handle)| format!("                {handle},\n")));
    }
    if let Some(argument) = &thread.argument {
        return (String::new(), format!("                (&raw mut {}),\n", c::argument(argument)));
    }
    // A periodic thread's first is its period.
    let others = c::begun::given(assembly, thread);
    let object = |number: usize| match others.get(number.checked_sub(usize::from(thread.is_periodic()))?)? {
        c::begun::Given::Object(used) => c::object(assembly, *used),
        c::begun::Given::Handle(_) => None,
    };
    let prepared = |(number, handle): (usize, &String)| {
        if object(number).is_some() {
            return String::new();
        }
        let handle = match is_lock(handle) {
            true => format!("beryl_user::c::Gate::new({handle}, &entered)"),
            false => handle.clone(),
        };
        format!("            let mut handle_{number} = {handle};\n")
    };
    let counts = handles.iter().any(|handle| is_lock(handle));
    let count = if counts { "            let entered = beryl_user::c::Entered::new();\n" } else { "" };
    (
        count.to_owned() + &arguments(&prepared),
        arguments(&|(number, _)| match object(number) {
            Some(object) => format!("                &raw const {object},\n"),
            None => format!("                &raw mut handle_{number},\n"),
        }),
    )
}

fn is_lock(handle: &str) -> bool {
    handle.starts_with("lock::")
}

fn free(assembly: &Assembly, thread: &Thread, function: &str, handles: &[String]) -> String {
    let (name, entry, home) = (&thread.name, entry(thread), c::home(assembly, function));
    let body = if handles.is_empty() && thread.argument.is_none() && home == "application" {
        format!("        application::{function}()\n")
    } else {
        let (prepared, handles) = given(assembly, thread, handles);
        format!(
            "        // SAFETY: the builder made these handles for this thread, each once, with the numbers, addresses and\n        \
             // types of the objects.\n        unsafe {{\n{prepared}            {home}::{function}(\n{handles}            )\n        }}\n"
        )
    };
    format!(
        "\n/// Thread `{name}`.\n#[unsafe(no_mangle)]\npub extern \"C\" fn {entry}() -> ! {{\n    task::thread(|| {{\n{body}    }})\n}}\n"
    )
}

fn driver_thread(assembly: &Assembly, thread: &Thread, functions: &[Function], places: &Places) -> String {
    let mut text = String::new();
    for (number, function) in functions.iter().enumerate() {
        let named = format!("{}::{}", c::home(assembly, &function.name), function.name);
        text += &match &function.shape {
            Shape::Fills(kind) => {
                let canonical = format!("        {}\n", records::canonical(assembly, kind, "value"));
                on_value(number, &named, kind, "&mut *", &canonical)
            }
            Shape::Takes(kind) => on_value(number, &named, kind, "&*", ""),
            Shape::Decides(cells) => guard(number, &named, &called(assembly, &named, cells, places)),
            Shape::Holds { condition, cells } => {
                let port = |argument: usize| {
                    cells.get(argument).map(|cell| port(assembly, *cell, places)).unwrap_or_default()
                };
                guard(number, &function.name, &conditions::source(assembly, condition, &port))
            }
        };
    }
    let names: Vec<_> = (0..functions.len()).map(|number| format!("driver_{number}")).collect();
    text + &format!(
        "\n/// Native drivers by number.\nstatic FUNCTIONS: [drivers::Function; {}] = [{}];\n\n/// Thread `{}`.\n\
         #[unsafe(no_mangle)]\npub extern \"C\" fn {}() -> ! {{\n    drivers::run(&FUNCTIONS)\n}}\n",
        names.len(),
        names.join(", "),
        thread.name,
        entry(thread),
    )
}

/// Bytes as an array of words with a name of its own for the linker.
fn static_words(name: &str, symbol: &str, documentation: &str, bytes: &[u8]) -> String {
    let export = format!("#[unsafe(export_name = {symbol:?})]");
    words(name, documentation, bytes).replace("#[unsafe(no_mangle)]", &export)
}

/// A getter or setter: the kernel says where its value is.
fn on_value(number: usize, name: &str, kind: &Type, borrow: &str, canonical: &str) -> String {
    format!(
        "\n/// Native driver `{name}`.\nunsafe fn driver_{number}(address: u32) -> bool {{\n    \
         let value = memory::at::<{kind}>(address);\n    // SAFETY: the kernel gives the address of a value of \
         this driver, which nobody else touches meanwhile.\n    unsafe {{\n        \
         {name}({borrow}value);\n{canonical}    }}\n    true\n}}\n",
        kind = kind.rust_name(),
    )
}

/// A guard looks always at the same published values.
fn guard(number: usize, name: &str, answer: &str) -> String {
    format!(
        "\n/// Guard `{name}`.\nunsafe fn driver_{number}(_address: u32) -> bool {{\n    // SAFETY: published \
         values of these types, which only the kernel writes, and not while a guard runs.\n    #[allow(unused_unsafe)]\n    \
         unsafe {{ {answer} }}\n}}\n",
    )
}

fn called(assembly: &Assembly, name: &str, cells: &[CellId], places: &Places) -> String {
    let arguments = cells.iter().map(|cell| format!("&*{}", port(assembly, *cell, places)));
    format!("{name}({})", arguments.collect::<Vec<_>>().join(", "))
}

/// Initial bytes as an array of words.
#[must_use]
pub fn words(name: &str, documentation: &str, bytes: &[u8]) -> String {
    let words: Vec<_> = bytes
        .chunks(4)
        .map(|chunk| {
            let mut word = [0; 4];
            word[..chunk.len()].copy_from_slice(chunk);
            format!("{:#010x}", u32::from_le_bytes(word))
        })
        .collect();
    format!(
        "\n/// {documentation}\n#[unsafe(no_mangle)]\n#[used]\npub static {name}: [u32; {}] = [{}];\n",
        words.len(),
        words.join(", ")
    )
}
