//! Large systems: with more bands, objects and programs than any drawn system, to check that charges that
//! grow with their numbers are sufficient.

use beryl_builder::board::MEASURED;

use crate::written::Written;

/// The names of the systems, and their texts.
pub fn systems() -> [(&'static str, Written); 4] {
    [("members", members()), ("objects", objects()), ("modules", modules()), ("schedule", schedule())]
}

/// So many that inserting a thread among them takes steps of its own.
const MEMBERS: u32 = 60;
/// Semaphores and ceilings, each for two threads.
const OBJECTS: u32 = 14;
const MODULES: u32 = 8;
const TASKS: u32 = 20;

fn head(policy: &str, timing: &str) -> String {
    format!(
        "[system]\nname = \"drawn\"\n{timing}application = \"app\"\n[board]\nname = {MEASURED:?}\nflash = \"1M\"\nram = \"1M\"\nspeed = 4\n\
         [process.one]\nmemory = \"256\"\ndriver_stack = \"1k\"\n[[band]]\nname = \"work\"\n{policy}\n"
    )
}

const TIMING: &str = "timing = [\"drawn.tdl\"]\n";

fn thread(number: u32, more: &str) -> String {
    format!(
        "[thread.p{number}]\nprocess = \"one\"\nstack = \"1k\"\nband = \"work\"\nentry = \"p{number}\"\nperiod = \"20ms\"\nworst = \"100us\"\n{more}\n"
    )
}

/// Threads in one dynamic band, with deadlines in no particular order.
fn members() -> Written {
    let deadline = |number: u32| format!("deadline = \"{}us\"", 20_000 - number * 7 % MEMBERS * 50);
    let threads: String = (0..MEMBERS).map(|number| thread(number, &deadline(number))).collect();
    Written { description: head("policy = \"dynamic\"", "") + &threads, timing: String::new() }
}

/// Threads of different priorities, each of which shares a semaphore with one thread and a ceiling lock with
/// another.
fn objects() -> Written {
    let row = |number: u32| {
        let next = (number + 1) % OBJECTS;
        let uses = format!(
            "priority = {}\nuses = [\"s{number}\", \"s{next}\", \"l{number}\", \"l{next}\"]\n\
             hold = {{ s{number} = \"5us\", s{next} = \"5us\", l{number} = \"5us\", l{next} = \"5us\" }}",
            number + 1
        );
        thread(number, &uses) + &format!("[semaphore.s{number}]\nkind = \"binary\"\n[lock.l{number}]\n")
    };
    let description = head("policy = \"fixed\"", "") + &(0..OBJECTS).map(row).collect::<String>();
    Written { description, timing: String::new() }
}

fn task(name: &str, more: &str) -> String {
    format!("[task.{name}]\nprocess = \"one\"\nstack = \"1k\"\nband = \"work\"\nworst = \"100us\"\n{more}\n")
}

/// Modules, each with a task and a sensor.
fn modules() -> Written {
    let (mut timing, mut description) = (String::new(), head("policy = \"fixed\"", TIMING));
    for number in 0..MODULES {
        timing += &format!(
            "module M{number} {{ sensor int s{number} uses get{number};\n  task t{number} {{ input int a; output int x := 0; uses f{number}(a, x); }}\n  \
             start mode m{number} [period = 20ms] {{ task [freq = 1] t{number}(s{number}); }} }}\n"
        );
        description += &task(&format!("t{number}"), &format!("priority = {}", number + 1));
        description += &format!("[driver.get{number}]\nprocess = \"one\"\nworst = \"70us\"\n");
    }
    Written { description, timing }
}

/// Tasks scheduled by an S code program.
fn schedule() -> Written {
    let names: Vec<_> = (0..TASKS).map(|number| format!("k{number}")).collect();
    let tasks: String = names
        .iter()
        .map(|name| format!("task {name} {{ input int a; output int x := 0; uses f_{name}(a, x); }}\n"))
        .collect();
    let calls: String = names.iter().map(|name| format!("task [freq = 1] {name}({name}.x);\n")).collect();
    let timing = format!("module Coded {{\n{tasks}start mode coded [period = 40ms] {{\n{calls}}}\n}}\n");
    let rows: String = names.iter().map(|name| task(name, "")).collect();
    let policy = "policy = \"code\"\nschedule = \"earliest-deadline\"";
    Written { description: head(policy, TIMING) + &rows, timing }
}
