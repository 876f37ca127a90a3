//! Applications: the native functions of a drawn system, generated for the board. They spend a part of their
//! declared time, using their shared objects, and call the kernel on the way.

use std::fmt::Write as _;

use beryl_abi::Duration;
use beryl_builder::Project;
use beryl_builder::assembly::objects::{Count, Value};
use beryl_builder::assembly::{Function, Role, Shape, Task, Thread, Use};
use beryl_timing::Type;

/// The percentage of its time that a job works itself; its calls use the rest.
const WORK: u64 = 60;
/// The most time of a native driver's own work, in microseconds; the rest of its budget is for its code.
const DRIVER: u64 = 10;
/// From one interrupt to the next where nothing is said of that, in microseconds.
const SELDOM: u64 = 10_000;

/// The application's source.
pub fn application(project: &Project) -> String {
    let source = Source { project };
    let assembly = &project.assembly;
    let mut text = format!("{}\nconst SPEED: u32 = {};\n", HEAD, project.description.board.speed);
    for thread in &assembly.threads {
        text += &source.thread(thread);
    }
    for function in assembly.processes.iter().flat_map(|process| &process.functions) {
        text += &source.driver(function);
    }
    text
}

const HEAD: &str = "//! The functions of a drawn system. Written by the campaign; changes are lost.
#![no_std]
#![allow(missing_docs, unused_variables, unused_mut)]

use beryl_user::time::Wait;

/// Uses the processor for so many microseconds at most: a round has three instructions or less, since it counts one word down.
/// There is no hint in it that it only waits: at each the emulator leaves its translated code.
fn work(microseconds: u64) {
    let mut left = u32::try_from((microseconds * 1000 >> SPEED) / 3).unwrap_or(u32::MAX);
    while left > 0 {
        core::hint::black_box(());
        left -= 1;
    }
}
";

struct Source<'a> {
    project: &'a Project,
}

impl Source<'_> {
    fn thread(&self, thread: &Thread) -> String {
        match &thread.role {
            Role::Task(task) => self.task(thread, task),
            Role::Periodic(row) => format!(
                "\npub fn {}(mut period: beryl_user::period::Period{}) -> ! {{\n    loop {{\n{}        period.wait();\n    }}\n}}\n",
                row.entry,
                self.parameters(thread),
                self.job(thread),
            ),
            Role::Free { entry, .. } => self.free(thread, entry),
            Role::Drivers | Role::Idle => String::new(),
        }
    }

    fn task(&self, thread: &Thread, task: &Task) -> String {
        let mut parameters = String::new();
        let mut body = self.job(thread);
        for (number, (cell, changes)) in task.arguments.iter().enumerate() {
            let kind = self.project.assembly.cells.get(*cell).kind.rust_name();
            let way = if *changes { "&mut " } else { "&" };
            let _ = write!(parameters, "p{number}: {way}{kind}, ");
            if *changes && kind == "i32" {
                let _ = writeln!(body, "        *p{number} = p{number}.wrapping_add(1);");
            }
        }
        let handles = self.parameters(thread);
        format!("\npub fn {}({parameters}{}) {{\n{body}}}\n", task.function, handles.trim_start_matches(", "))
    }

    /// A thread without jobs of its own waits for its object, or works all the time.
    fn free(&self, thread: &Thread, entry: &str) -> String {
        let parameters = self.parameters(thread);
        let head = format!("\npub fn {entry}({}) -> ! {{\n", parameters.trim_start_matches(", "));
        let job = self.job(thread);
        let waited = thread.uses.iter().enumerate().find_map(|(number, used)| match *used {
            Use::Serve(endpoint) => Some(format!(
                "    h{number}.serve(|request| {{\n        work({});\n        Default::default()\n    }})\n}}\n",
                self.worked(self.project.assembly.objects.endpoints[endpoint].hold.unwrap_or_default())
            )),
            Use::Interrupt(_) => Some(format!(
                "    conformance::bell::start_each({});\n    loop {{\n        if h{number}.wait().is_ok() {{\n            \
                 conformance::bell::silence();\n        }}\n{job}    }}\n}}\n",
                self.separation(thread)
            )),
            Use::Await(_) => Some(format!("    loop {{\n        let _ = h{number}.wait();\n{job}    }}\n}}\n")),
            Use::AwaitBits(_) => Some(format!(
                "    loop {{\n        let _ = h{number}.wait(beryl_user::event_group::any(1).taking());\n{job}    }}\n}}\n"
            )),
            Use::Condition(_) => self.inside(thread).map(|held| {
                format!(
                    "    loop {{\n        if let Ok(mut held) = h{held}.wait() {{\n            \
                     let _ = h{number}.wait(&mut held);\n        }}\n    }}\n}}\n"
                )
            }),
            Use::Receive(_) => {
                Some(format!("    loop {{\n        let _ = h{number}.receive();\n{job}    }}\n}}\n"))
            }
            _ => None,
        });
        let always = || {
            format!(
                "    loop {{\n        work(40);\n        let _ = beryl_user::call::time();\n        work(9);\n        \
                 let _ = beryl_user::call::execution_time();\n        beryl_user::call::yield_now();\n        \
                 beryl_user::trace::tell(7, 1);\n        beryl_user::call::null();\n{job}    }}\n}}\n"
            )
        };
        head + &waited.unwrap_or_else(always)
    }

    /// Which of a thread's handles is a semaphore with a hold.
    fn inside(&self, thread: &Thread) -> Option<usize> {
        let semaphores = &self.project.assembly.objects.semaphores;
        let is_held = |used: &Use| matches!(used, Use::Semaphore(index) if matches!(semaphores[*index].count, Count::Binary { .. }));
        thread.uses.iter().position(is_held)
    }

    fn driver(&self, function: &Function) -> String {
        let name = &function.name;
        let work = self.microseconds(function.best).clamp(1, DRIVER);
        let change = |kind: &Type| match kind.rust_name().as_str() {
            "i32" => "    *value = value.wrapping_add(1);\n",
            _ => "",
        };
        match &function.shape {
            Shape::Holds { .. } => String::new(), // the glue's own
            Shape::Fills(kind) => format!(
                "\npub fn {name}(value: &mut {}) {{\n    work({work});\n{}}}\n",
                kind.rust_name(),
                change(kind)
            ),
            Shape::Takes(kind) => {
                format!("\npub fn {name}(value: &{}) {{\n    work({work});\n}}\n", kind.rust_name())
            }
            Shape::Decides(cells) => {
                let kinds = cells.iter().map(|cell| self.project.assembly.cells.get(*cell).kind.rust_name());
                let kinds: Vec<_> = kinds.collect();
                let parameters = kinds.iter().enumerate().map(|(number, kind)| format!("p{number}: &{kind}"));
                let parameters: Vec<_> = parameters.collect();
                let answer = match kinds.iter().position(|kind| kind == "i32") {
                    Some(number) => format!("*p{number} % 3 != 1"),
                    None => "true".to_owned(),
                };
                format!(
                    "\npub fn {name}({}) -> bool {{\n    work({work});\n    {answer}\n}}\n",
                    parameters.join(", ")
                )
            }
        }
    }

    /// The handles, each with its type, after a comma.
    fn parameters(&self, thread: &Thread) -> String {
        let named = |(number, used): (usize, &Use)| format!(", mut h{number}: {}", self.kind(*used));
        thread.uses.iter().enumerate().map(named).collect()
    }

    fn kind(&self, used: Use) -> String {
        let objects = &self.project.assembly.objects;
        let value =
            |value: &Option<Value>| value.as_ref().map_or("()".to_owned(), |value| value.kind.rust_name());
        let endpoint = |index: usize| {
            let row = &objects.endpoints[index];
            format!("{}, {}", row.request.rust_name(), row.reply.rust_name())
        };
        let of_one = match used {
            Use::Lock(index) => format!("lock::Lock<{}>", value(&objects.locks[index].value)),
            Use::Semaphore(index) => match &objects.semaphores[index].count {
                Count::Counting { .. } => "semaphore::Counting".to_owned(),
                Count::Binary { value: own, .. } => format!("semaphore::Binary<{}>", value(own)),
            },
            Use::Condition(_) => "condition::Condition".to_owned(),
            Use::Send(index) => format!("mailbox::Sender<{}>", objects.mailboxes[index].kind.rust_name()),
            Use::Receive(index) => {
                format!("mailbox::Receiver<{}>", objects.mailboxes[index].kind.rust_name())
            }
            Use::Call(index) => format!("endpoint::Client<{}>", endpoint(index)),
            Use::Serve(index) => format!("endpoint::Server<{}>", endpoint(index)),
            Use::Set(_) => "event_group::Source".to_owned(),
            Use::AwaitBits(_) => "event_group::Waiter".to_owned(),
            Use::Notify(_) => "notification::Notifier".to_owned(),
            Use::Await(_) => "notification::Notification".to_owned(),
            Use::Interrupt(_) => "interrupt::Interrupt".to_owned(),
            Use::Write(index) => format!("state::Writer<{}>", objects.states[index].kind.rust_name()),
            Use::Read(index) => format!("state::Reader<{}>", objects.states[index].kind.rust_name()),
            Use::ReadSlow(index) => format!("state::SlowReader<{}>", objects.states[index].kind.rust_name()),
            Use::Trace => "trace::Trace".to_owned(),
            Use::Priority(_) => "thread::Thread".to_owned(),
            Use::Slot(_) | Use::Replace(_) => "slot::Slot".to_owned(),
            Use::Region(_) => "region::Region".to_owned(),
        };
        format!("beryl_user::{of_one}")
    }

    /// A job's code: its work, and an operation on each of its handles.
    fn job(&self, thread: &Thread) -> String {
        let held: u64 = thread
            .uses
            .iter()
            .filter_map(|used| self.held(thread, *used))
            .map(|held| self.worked(held))
            .sum();
        let own = self.worked(thread.job()).saturating_sub(held);
        let mut text = format!("        work({});\n", own / 2);
        for (number, used) in thread.uses.iter().enumerate() {
            text += &self.act(thread, number, *used);
        }
        let _ = writeln!(text, "        work({});", own / 2);
        text
    }

    fn act(&self, thread: &Thread, number: usize, used: Use) -> String {
        let held = self.held(thread, used).map_or(0, |held| self.worked(held));
        let act = match used {
            Use::Lock(_) => format!("h{number}.with(|_| work({held}))"),
            Use::Semaphore(index) => match &self.project.assembly.objects.semaphores[index].count {
                Count::Counting { .. } => {
                    format!(
                        "if h{number}.wait_for(Wait::Poll).is_ok() {{ work(5); let _ = h{number}.signal(); }}"
                    )
                }
                Count::Binary { .. } => {
                    format!("if let Ok(held) = h{number}.wait() {{ work({held}); drop(held); }}")
                }
            },
            Use::Condition(_) => format!("h{number}.signal()"),
            Use::Send(_) => format!("let _ = h{number}.try_send(&Default::default())"),
            Use::Receive(_) => format!("let _ = h{number}.try_receive()"),
            Use::Call(_) => format!("let _ = h{number}.call(&Default::default())"),
            Use::Set(_) => format!("h{number}.set(1)"),
            Use::AwaitBits(_) => {
                format!("let _ = h{number}.wait_for(beryl_user::event_group::any(1).taking(), Wait::Poll)")
            }
            Use::Notify(_) => format!("h{number}.notify()"),
            Use::Write(_) => format!("h{number}.write(&Default::default())"),
            Use::Read(_) | Use::ReadSlow(_) => format!("let _ = h{number}.read()"),
            Use::Trace => format!("let _ = h{number}.take()"),
            Use::Region(_) => format!("let _ = h{number}.store(0, 1)"),
            Use::Serve(_)
            | Use::Await(_)
            | Use::Interrupt(_)
            | Use::Slot(_)
            | Use::Priority(_)
            | Use::Replace(_) => {
                return String::new();
            }
        };
        format!("        {act};\n")
    }

    /// How long an object is held; a server's work isn't the caller's own.
    fn held(&self, thread: &Thread, used: Use) -> Option<Duration> {
        self.project.assembly.hold(thread, used)
    }

    /// How far apart interrupts come, in microseconds.
    fn separation(&self, thread: &Thread) -> u64 {
        match &thread.role {
            Role::Free { sporadic: Some(times), .. } => self.microseconds(times.separation),
            _ => SELDOM,
        }
    }

    fn worked(&self, time: Duration) -> u64 {
        self.microseconds(time) * WORK / 100
    }

    fn microseconds(&self, time: Duration) -> u64 {
        time.ticks().saturating_mul(self.project.tick().into()) / 1000
    }
}
