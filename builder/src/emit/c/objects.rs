//! Calls about objects for functions in C. Each object that one of them uses has a handle type of its own, and
//! functions with the object's types. So the compiler finds a message of another type, or a sender that receives.
//!
//! The header declares them, and the glue defines them by `beryl_user::c`.

use std::collections::BTreeMap;

use beryl_timing::Type;

use super::begun::{Given as Gives, given as gives};
use super::parameters::{self, Parameter};
use super::{common, rare};
use super::{parameter, pointer};
use crate::assembly::objects::Count;
use crate::assembly::{Assembly, Thread, Use};

/// What a function is given beside its handle.
pub(super) enum Given<'a> {
    /// A value that it looks at.
    In(&'a Type, &'static str),
    /// A place for a value.
    Out(&'a Type, &'static str),
    /// How long to wait.
    Wait,
    /// A number.
    Word(&'static str),
    /// A place for a number.
    WordOut(&'static str),
    /// The handle of another object.
    Handle(Handle),
    /// Something else, by its types.
    Other { name: &'static str, c: &'static str, rust: &'static str },
}

/// What a function answers.
pub(super) enum Answer<'a> {
    Nothing,
    Status,
    Truth,
    Word,
    Value(&'a Type),
    /// Something else, by its types.
    Other {
        c: &'static str,
        rust: &'static str,
    },
}

/// A handle's types.
#[derive(Clone)]
pub(super) struct Handle {
    /// The object.
    pub(super) name: String,
    /// What the thread does with it.
    role: &'static str,
    /// As Rust says it.
    rust: String,
}

/// A function for one object.
pub(super) struct Call<'a> {
    pub(super) verb: String,
    /// The function of `beryl_user::c`.
    pub(super) function: &'static str,
    pub(super) answer: Answer<'a>,
    pub(super) parameters: Vec<Given<'a>>,
}

impl Handle {
    pub(super) fn new(name: &str, role: &'static str, rust: &str) -> Handle {
        Handle { name: name.to_owned(), role, rust: rust.to_owned() }
    }

    fn c_type(&self) -> String {
        format!("{}_{}", self.name, self.role)
    }

    pub(super) fn parameter(&self) -> Parameter {
        Parameter::new(&format!("{} *", self.c_type()), &self.name)
    }
}

/// Threads whose function is in C.
fn threads(assembly: &Assembly) -> impl Iterator<Item = &Thread> {
    assembly
        .threads
        .iter()
        .filter(|thread| thread.function().is_some_and(|name| assembly.in_c.contains(name)))
}

/// The parameters for what a thread gives its function, as the header has them.
pub(super) fn parameters(assembly: &Assembly, thread: &Thread) -> Vec<Parameter> {
    let first = match thread.argument {
        Some(_) => Some(Parameter::new("void *", "argument")),
        None => thread.is_periodic().then(|| Parameter::new("beryl_period *", "period")),
    };
    let given = gives(assembly, thread).into_iter().filter_map(|given| match given {
        Gives::Handle(used) => handle(assembly, used).map(|handle| handle.parameter()),
        Gives::Object(used) => common::parameter(assembly, used),
    });
    first.into_iter().chain(given).collect()
}

/// The same as the glue declares them.
pub(super) fn pointers(assembly: &Assembly, thread: &Thread) -> Vec<String> {
    let first = match thread.argument {
        Some(_) => Some("*mut u8".to_owned()),
        None => thread.is_periodic().then(|| "*mut period::Period".to_owned()),
    };
    let given = gives(assembly, thread).into_iter().filter_map(|given| match given {
        Gives::Handle(used) => handle(assembly, used).map(|handle| format!("*mut {}", handle.rust)),
        Gives::Object(_) => Some("*const beryl_user::c::object::Object".to_owned()),
    });
    first.into_iter().chain(given).collect()
}

/// Whether two uses have handles of one type: those of one object, on one side of it.
pub(super) fn is_one_handle(assembly: &Assembly, one: Use, another: Use) -> bool {
    let kind = |used| handle(assembly, used).map(|handle| handle.c_type());
    kind(one) == kind(another)
}

/// What a thread is to what it uses.
pub(super) fn role(assembly: &Assembly, used: Use) -> Option<&'static str> {
    handle(assembly, used).map(|handle| handle.role)
}

/// The role of a lock's user.
const LOCK: &str = "lock";

/// What is true of all locks of a thread.
const ORDER_OF_LOCKS: &str = "/* Of the locks that a thread is in, the last that it entered is the first that it leaves: to leave another is \
                              BERYL_RAISED, and\n   BERYL_NOT_OWNER where it isn't entered; the thread stays in all of them. Nobody waits for a \
                              condition inside of a lock\n   with another entered, before or since: that is BERYL_RAISED, too. */\n";

/// What the header declares.
pub(super) fn declarations(assembly: &Assembly) -> String {
    let mut text = String::new();
    let mut types = BTreeMap::new();
    let mut functions = BTreeMap::new();
    let mut locks = false;
    for (handle, calls) in all(assembly) {
        locks |= handle.role == LOCK;
        types.insert(handle.c_type(), handle.name.clone());
        for call in calls {
            functions.insert(format!("{}_{}", handle.name, call.verb), prototype(&handle, &call));
        }
    }
    for (kind, name) in types {
        text += &format!("\n/* A handle of `{name}`. */\ntypedef struct {kind} {kind};\n");
    }
    if !functions.is_empty() {
        text += "\n/* What is done with them. */\n";
        text += if locks { ORDER_OF_LOCKS } else { "" };
    }
    text + &functions.into_values().collect::<String>()
}

/// What the header declares of objects: each name, and what has it. Several threads may have the same.
pub(super) fn names(assembly: &Assembly) -> Vec<(String, String)> {
    let of_handle = |(handle, calls): (Handle, Vec<Call<'_>>)| {
        let kind = (handle.c_type(), format!("the {} of `{}`", handle.role.replace('_', " "), handle.name));
        let name = |call: Call<'_>| {
            (format!("{}_{}", handle.name, call.verb), format!("`{}` of `{}`", call.verb, handle.name))
        };
        let functions: Vec<_> = calls.into_iter().map(name).collect();
        std::iter::once(kind).chain(functions)
    };
    all(assembly).into_iter().flat_map(of_handle).collect()
}

/// What the glue defines.
pub(super) fn definitions(assembly: &Assembly) -> String {
    let mut functions = BTreeMap::new();
    for (handle, calls) in all(assembly) {
        for call in calls {
            functions.insert(format!("{}_{}", handle.name, call.verb), definition(&handle, &call));
        }
    }
    functions.into_values().collect()
}

/// All handles of functions in C, with what can be done with each.
fn all(assembly: &Assembly) -> Vec<(Handle, Vec<Call<'_>>)> {
    used(assembly).map(|(_, handle, calls)| (handle, calls)).collect()
}

/// What can be done with each handle, by what its thread uses.
pub(super) fn each(assembly: &Assembly) -> impl Iterator<Item = (Use, Handle, Call<'_>)> {
    used(assembly)
        .flat_map(|(used, handle, calls)| calls.into_iter().map(move |call| (used, handle.clone(), call)))
}

fn used(assembly: &Assembly) -> impl Iterator<Item = (Use, Handle, Vec<Call<'_>>)> {
    let of_thread = move |thread: &Thread| {
        let (uses, is_periodic) = (thread.uses.clone(), thread.is_periodic());
        uses.clone().into_iter().filter_map(move |used| {
            let calls =
                [calls(assembly, used), waits(assembly, used, &uses), periods(assembly, used, is_periodic)];
            handle(assembly, used)
                .map(|handle| (used, handle, calls.into_iter().flatten().collect::<Vec<_>>()))
        })
    };
    threads(assembly).flat_map(of_thread)
}

fn handle(assembly: &Assembly, used: Use) -> Option<Handle> {
    let objects = &assembly.objects;
    if let Some(handle) = rare::handle(assembly, used) {
        return Some(handle);
    }
    let value = |value: &Option<crate::assembly::objects::Value>| {
        value.as_ref().map_or("()".to_owned(), |value| value.kind.rust_name())
    };
    Some(match used {
        Use::Lock(index) => {
            let row = &objects.locks[index];
            Handle::new(&row.name, LOCK, &format!("beryl_user::c::Gate<'_, {}>", value(&row.value)))
        }
        Use::Semaphore(index) => {
            let row = &objects.semaphores[index];
            let rust = match &row.count {
                Count::Counting { .. } => "semaphore::Counting".to_owned(),
                Count::Binary { value: kind, .. } => format!("semaphore::Binary<{}>", value(kind)),
            };
            Handle::new(&row.name, "semaphore", &rust)
        }
        Use::Condition(index) => {
            Handle::new(&objects.conditions[index].name, "condition", "condition::Condition")
        }
        Use::Send(index) => mailbox(assembly, index, "sender", "Sender"),
        Use::Receive(index) => mailbox(assembly, index, "receiver", "Receiver"),
        Use::Call(index) => endpoint(assembly, index, "client", "Client"),
        Use::Serve(index) => endpoint(assembly, index, "server", "Server"),
        Use::Set(index) => Handle::new(&objects.event_groups[index].name, "source", "event_group::Source"),
        Use::AwaitBits(index) => {
            Handle::new(&objects.event_groups[index].name, "waiter", "event_group::Waiter")
        }
        Use::Notify(index) => {
            Handle::new(&objects.notifications[index].name, "notifier", "notification::Notifier")
        }
        Use::Await(index) => {
            Handle::new(&objects.notifications[index].name, "notification", "notification::Notification")
        }
        Use::Interrupt(index) => {
            Handle::new(&objects.interrupts[index].name, "interrupt", "interrupt::Interrupt")
        }
        Use::Write(index) => state(assembly, index, "writer", "Writer"),
        Use::Read(index) => state(assembly, index, "reader", "Reader"),
        Use::ReadSlow(index) => state(assembly, index, "slow_reader", "SlowReader"),
        Use::Region(index) => Handle::new(&objects.regions[index].name, "region", "region::Region"),
        Use::Priority(index) => {
            let thread = &assembly.threads[objects.priorities[index]];
            Handle::new(&thread.name, "thread", "thread::Thread")
        }
        Use::Slot(_) | Use::Trace | Use::Replace(_) => return None,
    })
}

fn mailbox(assembly: &Assembly, index: usize, role: &'static str, side: &str) -> Handle {
    let row = &assembly.objects.mailboxes[index];
    Handle::new(&row.name, role, &format!("mailbox::{side}<{}>", row.kind.rust_name()))
}

fn endpoint(assembly: &Assembly, index: usize, role: &'static str, side: &str) -> Handle {
    let row = &assembly.objects.endpoints[index];
    let [request, reply] = [&row.request, &row.reply].map(Type::rust_name);
    Handle::new(&row.name, role, &format!("endpoint::{side}<{request}, {reply}>"))
}

fn state(assembly: &Assembly, index: usize, role: &'static str, side: &str) -> Handle {
    let row = &assembly.objects.states[index];
    Handle::new(&row.name, role, &format!("state::{side}<{}>", row.kind.rust_name()))
}

fn calls(assembly: &Assembly, used: Use) -> Vec<Call<'_>> {
    use Answer::{Nothing, Status, Truth, Value, Word};
    use Given::{In, Out, Wait, WordOut};
    let objects = &assembly.objects;
    if let Some(calls) = rare::calls(assembly, used) {
        return calls;
    }
    let call = |verb: &str, function, answer, parameters| Call {
        verb: verb.to_owned(),
        function,
        answer,
        parameters,
    };
    match used {
        Use::Lock(index) => {
            let answer = objects.locks[index].value.as_ref().map_or(Nothing, |value| Value(&value.kind));
            vec![call("enter", "enter", answer, vec![]), call("leave", "leave", Status, vec![])]
        }
        Use::Semaphore(index) => match &objects.semaphores[index].count {
            Count::Counting { .. } => {
                vec![call("wait", "take", Status, vec![Wait]), call("signal", "give", Status, vec![])]
            }
            Count::Binary { value, .. } => {
                let value = value.as_ref().map(|value| call("value", "owned", Value(&value.kind), vec![]));
                let both =
                    [call("wait", "own", Status, vec![Wait]), call("signal", "disown", Nothing, vec![])];
                both.into_iter().chain(value).collect()
            }
        },
        Use::Condition(_) => {
            vec![call("signal", "signal", Nothing, vec![]), call("broadcast", "broadcast", Nothing, vec![])]
        }
        Use::Send(index) => {
            vec![call("send", "send", Status, vec![In(&objects.mailboxes[index].kind, "message"), Wait])]
        }
        Use::Receive(index) => {
            let message = Out(&objects.mailboxes[index].kind, "message");
            vec![call("receive", "receive", Status, vec![message, Wait])]
        }
        Use::Call(index) => {
            let row = &objects.endpoints[index];
            let both = vec![In(&row.request, "request"), Out(&row.reply, "reply"), Wait];
            vec![call("call", "call", Status, both)]
        }
        Use::Serve(index) => {
            let row = &objects.endpoints[index];
            let next = vec![In(&row.reply, "reply"), Out(&row.request, "request")];
            let first = vec![Out(&row.request, "request"), Wait];
            vec![call("receive", "first", Status, first), call("reply", "next", Status, next)]
        }
        Use::Set(_) => {
            let bits = || vec![Given::Word("bits")];
            vec![call("set", "set", Nothing, bits()), call("clear", "clear", Word, bits())]
        }
        Use::AwaitBits(_) => {
            let wait = |verb, function| {
                call(verb, function, Status, vec![Given::Word("bits"), Wait, WordOut("set")])
            };
            vec![
                wait("wait_any", "wait_any_of"),
                wait("wait_all", "wait_all_of"),
                wait("take_any", "take_any_of"),
                wait("take_all", "take_all_of"),
            ]
        }
        Use::Notify(_) => vec![call("notify", "notify", Nothing, vec![])],
        Use::Await(_) => vec![
            call("wait", "await_notification", Status, vec![Wait]),
            call("bits", "notification_bits", Word, vec![]),
        ],
        Use::Interrupt(_) => vec![
            call("wait", "await_interrupt", Status, vec![Wait]),
            call("acknowledge", "acknowledge", Nothing, vec![]),
            call("bits", "interrupt_bits", Word, vec![]),
        ],
        Use::Write(index) => {
            vec![call("write", "write", Nothing, vec![In(&objects.states[index].kind, "value")])]
        }
        Use::Read(index) => {
            vec![call("read", "read", Truth, vec![Out(&objects.states[index].kind, "value")])]
        }
        Use::ReadSlow(index) => {
            vec![call("read_slow", "read_slow", Status, vec![Out(&objects.states[index].kind, "value")])]
        }
        Use::Region(_) => vec![
            call("load", "load", Truth, vec![Given::Word("offset"), WordOut("value")]),
            call("store", "store", Truth, vec![Given::Word("offset"), Given::Word("value")]),
        ],
        Use::Priority(_) => {
            vec![call("set_priority", "set_priority", Status, vec![Given::Word("priority")])]
        }
        Use::Slot(_) | Use::Trace | Use::Replace(_) => Vec::new(),
    }
}

/// The waits for a condition, one for each lock and binary semaphore of the same thread inside of which it may wait.
fn waits<'a>(assembly: &'a Assembly, used: Use, uses: &[Use]) -> Vec<Call<'a>> {
    let Use::Condition(_) = used else { return Vec::new() };
    let wait = |inside: &Use| {
        let function = match *inside {
            Use::Lock(_) => "wait_inside",
            Use::Semaphore(index) => match assembly.objects.semaphores[index].count {
                Count::Binary { .. } => "wait_owned",
                Count::Counting { .. } => return None,
            },
            _ => return None,
        };
        let inside = handle(assembly, *inside)?;
        let verb = format!("wait_in_{}", inside.name);
        let parameters = vec![Given::Handle(inside), Given::Wait];
        Some(Call { verb, function, answer: Answer::Status, parameters })
    };
    uses.iter().filter_map(wait).collect()
}

/// The end of a job whose next begins owning a binary semaphore, for a periodic thread.
fn periods(assembly: &Assembly, used: Use, is_periodic: bool) -> Vec<Call<'_>> {
    let Use::Semaphore(index) = used else { return Vec::new() };
    if !is_periodic || !matches!(assembly.objects.semaphores[index].count, Count::Binary { .. }) {
        return Vec::new();
    }
    let period = Given::Other { name: "period", c: "beryl_period *", rust: "*mut period::Period" };
    vec![Call {
        verb: "wait_period".to_owned(),
        function: "period_then",
        answer: Answer::Status,
        parameters: vec![period, Given::WordOut("missed")],
    }]
}

fn prototype(handle: &Handle, call: &Call<'_>) -> String {
    let parameters: Vec<_> = std::iter::once(handle.parameter()).chain(given(call)).collect();
    let named = format!("{}_{}({})", handle.name, call.verb, parameters::list(&parameters));
    format!("{};\n", declared(call, &named))
}

/// What a function is given behind its handle.
pub(super) fn given(call: &Call<'_>) -> Vec<Parameter> {
    let one = |given: &Given<'_>| match given {
        Given::In(kind, name) => parameter(kind, false, name),
        Given::Out(kind, name) => parameter(kind, true, name),
        Given::Wait => Parameter::new("beryl_wait ", "wait"),
        Given::Word(name) => Parameter::new("uint32_t ", name),
        Given::WordOut(name) => Parameter::new("uint32_t *", name),
        Given::Handle(other) => other.parameter(),
        Given::Other { name, c, .. } => Parameter::new(c, name),
    };
    call.parameters.iter().map(one).collect()
}

/// A name with parameters, and what it answers.
pub(super) fn declared(call: &Call<'_>, named: &str) -> String {
    match &call.answer {
        Answer::Nothing => format!("void {named}"),
        Answer::Status => format!("beryl_status {named}"),
        Answer::Truth => format!("bool {named}"),
        Answer::Word => format!("uint32_t {named}"),
        Answer::Value(kind) => parameter_like(kind, named),
        Answer::Other { c, .. } => format!("{c}{named}"),
    }
}

/// A function that answers a pointer to a value of a type.
fn parameter_like(kind: &Type, declared: &str) -> String {
    let element = super::element(&kind.element);
    match kind.length {
        None => format!("{element} *{declared}"),
        Some(length) => format!("{element} (*{declared})[{length}]"),
    }
}

fn definition(handle: &Handle, call: &Call<'_>) -> String {
    let mut parameters = vec![format!("handle: *mut {}", handle.rust)];
    let mut arguments = vec!["handle".to_owned()];
    for parameter in &call.parameters {
        let (name, kind) = match parameter {
            Given::In(kind, name) => (*name, pointer(kind, false)),
            Given::Out(kind, name) => (*name, pointer(kind, true)),
            Given::Wait => ("wait", "u32".to_owned()),
            Given::Word(name) => (*name, "u32".to_owned()),
            Given::WordOut(name) => (*name, "*mut u32".to_owned()),
            Given::Handle(other) => ("inside", format!("*mut {}", other.rust)),
            Given::Other { name, rust, .. } => (*name, (*rust).to_owned()),
        };
        parameters.push(format!("{name}: {kind}"));
        arguments.push(name.to_owned());
    }
    let (answer, end) = match &call.answer {
        Answer::Nothing => (String::new(), ";"),
        Answer::Status | Answer::Word => (" -> u32".to_owned(), ""),
        Answer::Truth => (" -> bool".to_owned(), ""),
        Answer::Value(kind) => (format!(" -> {}", pointer(kind, true)), ""),
        Answer::Other { rust, .. } => (format!(" -> {rust}"), ""),
    };
    format!(
        "\n#[unsafe(no_mangle)]\nunsafe extern \"C\" fn {}_{}({}){answer} {{\n    // SAFETY: what the header asks of who calls.\n    \
         unsafe {{ beryl_user::c::{}({}) }}{end}\n}}\n",
        handle.name,
        call.verb,
        parameters.join(", "),
        call.function,
        arguments.join(", "),
    )
}
