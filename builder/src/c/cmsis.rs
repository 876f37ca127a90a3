//! CMSIS-RTOS2 over pools: the files of the interface, which the builder carries, and the table of a system's pools.

use std::fmt::Write as _;

use object::{Object, ObjectSymbol};

use crate::description::Cmsis;
use crate::description::cmsis::{Room, names};
use crate::emit::File;

/// Where they are, in the system's folder.
pub(super) const FOLDER: &str = "c/cmsis";

/// The application's `main`, as the header renames it.
const MAIN: &str = "cmsis_main";

/// What a file is called, and its text.
macro_rules! carried {
    ($($name:literal),* $(,)?) => { [$(($name, include_str!(concat!("cmsis/", $name)))),*] };
}

const CARRIED: [(&str, &str); 14] = carried![
    "cmsis_os2.h",
    "cmsis_inside.h",
    "cmsis_pools.h",
    "cmsis_common.c",
    "cmsis_event_flags.c",
    "cmsis_flags.c",
    "cmsis_kernel.c",
    "cmsis_memory_pool.c",
    "cmsis_message_queue.c",
    "cmsis_mutex.c",
    "cmsis_semaphore.c",
    "cmsis_thread.c",
    "cmsis_thread_flags.c",
    "cmsis_timer.c",
];

const TABLE: &str = "cmsis_table.c";

/// Beryl's version, as the interface counts.
const VERSION: &str = concat!(
    "const uint32_t cmsis_version = ",
    env!("CARGO_PKG_VERSION_MAJOR"),
    " * 10000000 + ",
    env!("CARGO_PKG_VERSION_MINOR"),
    " * 10000 + ",
    env!("CARGO_PKG_VERSION_PATCH"),
    ";",
);

/// All files of the interface, for a system's pools.
pub(crate) fn files(cmsis: &Cmsis) -> Vec<File> {
    let file = |name: &str, text: String| File { path: format!("{FOLDER}/{name}"), text };
    let carried = CARRIED.iter().map(|(name, text)| file(name, (*text).to_owned()));
    carried.chain([file(TABLE, table(cmsis))]).collect()
}

/// Those that are compiled.
pub(super) fn sources() -> impl Iterator<Item = &'static str> {
    CARRIED.iter().map(|(name, _)| *name).filter(|name| name.ends_with(".c")).chain([TABLE])
}

/// Whether an object has the application's `main`.
pub(super) fn has_main(bytes: &[u8]) -> bool {
    let Ok(file) = object::File::parse(bytes) else { return false };
    // Where the machine's format puts a sign before each name.
    file.symbols().any(|symbol| {
        symbol.is_definition() && symbol.name().is_ok_and(|name| name.trim_start_matches('_') == MAIN)
    })
}

/// The rows of the pools, each with its objects.
fn table(cmsis: &Cmsis) -> String {
    let mut text = format!(
        "/* The pools that [cmsis] of the description declares. */\n#include \"cmsis_pools.h\"\n\n\
         static void begin(void *argument) {{\n    (void)argument;\n    {MAIN}();\n}}\n\n\
         {VERSION}\n\
         const beryl_lock *const cmsis_guard = &{}_object;\n",
        names::GUARD
    );
    let stack = cmsis.stack.get();
    for index in 0..cmsis.threads {
        let name = names::thread(index);
        _ = match index {
            0 => writeln!(text, "CMSIS_FIRST({name}, {stack}, begin);"),
            _ => writeln!(text, "CMSIS_THREAD({name}, {stack});"),
        };
    }
    let threads = (0..cmsis.threads).map(|index| format!("&{}", names::row(index)));
    pool(&mut text, ["cmsis_thread *const", "threads", "thread"], threads);
    let by_number = (0..cmsis.threads)
        .map(|index| format!("    [BERYL_THREAD_{}] = &{},\n", names::thread(index), names::row(index)));
    _ = writeln!(
        text,
        "struct cmsis_thread *const cmsis_of_thread[BERYL_THREADS] = {{\n{}}};",
        by_number.collect::<String>()
    );
    let mutexes = (0..cmsis.mutexes).map(|index| format!("{{.semaphore = &{}_object}}", names::mutex(index)));
    pool(&mut text, ["cmsis_mutex", "mutexes", "mutex"], mutexes);
    let gate = |index| format!("{{.units.gate = &{}_object}}", names::semaphore(index));
    pool(&mut text, ["cmsis_semaphore", "semaphores", "semaphore"], (0..cmsis.semaphores).map(gate));
    let group = |index| format!("{{.group = &{}_object}}", names::event_flags(index));
    pool(&mut text, ["cmsis_event_flags", "event_flags", "event_flags"], (0..cmsis.event_flags).map(group));
    let memory = memory(&mut text, ("queue", "uint32_t", "CMSIS_QUEUE_BYTES"), &cmsis.queues);
    let queue = |(index, memory)| {
        let (messages, room) = (names::messages(index), names::room(index));
        format!("{{{memory}, .messages.gate = &{messages}_object, .room.gate = &{room}_object}}")
    };
    pool(&mut text, ["cmsis_queue", "queues", "queue"], memory.into_iter().enumerate().map(queue));
    let memory = self::memory(&mut text, ("memory", "uint64_t", "CMSIS_MEMORY_BYTES"), &cmsis.memory_pools);
    let blocks = |(index, memory)| format!("{{{memory}, .units.gate = &{}_object}}", names::blocks(index));
    let blocks = memory.into_iter().enumerate().map(blocks);
    pool(&mut text, ["cmsis_memory_pool", "memory_pools", "memory_pool"], blocks);
    _ = writeln!(
        text,
        "struct cmsis_timer cmsis_timers[{0}];\nconst uint32_t cmsis_timer_count = {0};\n\
         const osPriority_t cmsis_timer_priority = (osPriority_t){1};",
        cmsis.timers,
        priority_of_timers(cmsis)
    );
    text
}

/// A pool and its length: its rows' type, its name, and what one of them is called.
fn pool(text: &mut String, [kind, name, one]: [&str; 3], rows: impl Iterator<Item = String>) {
    let rows: Vec<_> = rows.collect();
    let list = match rows.is_empty() {
        true => String::new(),
        false => format!(" = {{\n    {},\n}}", rows.join(",\n    ")),
    };
    let count = rows.len();
    _ = writeln!(
        text,
        "struct {kind} cmsis_{name}[{count}]{list};\nconst uint32_t cmsis_{one}_count = {count};"
    );
}

/// Room for what each row holds; answers how the rows say so.
fn memory(text: &mut String, (name, word, bytes): (&str, &str, &str), rooms: &[Room]) -> Vec<String> {
    let row = |(index, room): (usize, &Room)| {
        let (count, size, own) = (room.count, room.size, format!("{name}_{index}"));
        _ = writeln!(text, "static {word} {own}[{bytes}({count}, {size}) / sizeof({word})];");
        format!(".place = {{.memory = {own}, .bytes = sizeof {own}}}")
    };
    rooms.iter().enumerate().map(row).collect()
}

/// `osPriorityHigh`, or what is next to it of the priorities that there are: two of the interface are one of the kernel.
fn priority_of_timers(cmsis: &Cmsis) -> u8 {
    const HIGH: u8 = 40;
    let [least, most] = cmsis.priorities.map(|priority| priority.saturating_mul(2));
    HIGH.clamp(least, most)
}
