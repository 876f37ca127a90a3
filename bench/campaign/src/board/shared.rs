//! A system whose threads share one object of each kind, in two processes, at coprime periods: so calls meet
//! objects that are free, held, or waited for.

use beryl_builder::board::MEASURED;

use crate::written::Written;

/// The texts.
pub fn system() -> Written {
    let threads: String = THREADS.iter().map(Row::text).collect();
    Written {
        description: format!("{}{threads}{BELOW}", HEAD.replace("BOARD", MEASURED)),
        timing: String::new(),
    }
}

const HEAD: &str = r#"[system]
name = "drawn"
application = "app"
[board]
name = "BOARD"
flash = "1M"
ram = "1M"
speed = 4
[process.one]
memory = "256"
[process.two]
memory = "256"
devices = ["dualtimer"]
[[band]]
name = "work"
policy = "fixed"
[lock.level]
[semaphore.store]
kind = "binary"
[semaphore.units]
kind = "counting"
initial = 1
most = 3
[condition.filled]
[mailbox.short]
type = "int[2]"
capacity = 2
[mailbox.long]
type = "int[8]"
capacity = 2
[endpoint.asked]
request = "int[2]"
reply = "int[2]"
hold = "40us"
[notification.told]
[event_group.flags]
[state.wide]
type = "int[32]"
[interrupt.bell]
line = 10                       # the bell
"#;

/// A thread that always works, and makes the calls that need no object.
const BELOW: &str = r#"[thread.below]
process = "two"
stack = "1k"
band = "work"
priority = 1
entry = "below"
"#;

/// A thread: name, process, priority, its own activity with a period in microseconds or its wait, and the
/// objects it uses.
struct Row(&'static str, &'static str, u32, Option<u32>, &'static [&'static str]);

/// Waiting threads are mixed with released ones: some objects wake a more urgent thread, others a less urgent
/// one.
const THREADS: [Row; 14] = [
    Row("rung", "two", 19, None, &["bell", "told.notify"]),
    Row("sends", "one", 18, Some(1_900), &["short.send", "long.send", "store", "flags.set"]),
    Row("waits", "two", 17, None, &["told.wait"]),
    Row("fills", "two", 16, Some(2_300), &["store", "filled", "units", "wide.read_slow"]),
    Row("receives", "two", 15, None, &["short.receive"]),
    Row("asks", "two", 14, Some(2_900), &["asked.call", "store", "wide.read_slow"]),
    Row("awaits", "one", 13, None, &["flags.wait"]),
    Row("serves", "one", 12, None, &["asked.serve"]),
    Row("asks_too", "one", 11, Some(3_700), &["asked.call", "level", "store", "told.notify"]),
    Row("drains", "one", 10, None, &["long.receive"]),
    Row("writes", "one", 9, Some(4_300), &["wide.write", "units", "store", "flags.set"]),
    Row("expects", "one", 8, None, &["filled", "store"]),
    Row("also_sends", "two", 7, Some(5_300), &["long.send", "short.send", "told.notify", "units"]),
    Row("slow", "one", 6, Some(7_100), &["store", "level", "units", "asked.call"]),
];

/// The objects that they hold for a while.
const HELD: [&str; 2] = ["store", "level"];

impl Row {
    fn text(&self) -> String {
        let Row(name, process, priority, period, uses) = *self;
        let holds = HELD.iter().filter(|held| uses.contains(held));
        let holds: Vec<_> = holds.map(|held| format!("{held} = \"100us\"")).collect();
        let uses: Vec<_> = uses.iter().map(|used| format!("{used:?}")).collect();
        let times = match period {
            Some(period) => format!("period = \"{period}us\"\nworst = \"400us\""),
            None => "separation = \"1ms\"\nworst = \"130us\"".to_owned(),
        };
        format!(
            "[thread.{name}]\nprocess = \"{process}\"\nstack = \"1k\"\nband = \"work\"\npriority = {priority}\nentry = \"{name}\"\n{times}\n\
             uses = [{}]\nhold = {{ {} }}\n",
            uses.join(", "),
            holds.join(", ")
        )
    }
}
