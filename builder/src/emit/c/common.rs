//! Objects that any thread may name in C: beside the handle types that each object has of its own, a type for each kind,
//! and a value of it for each object, `<name>_object`.
//!
//! A handle is its thread's own, and what can be done with it is known to the compiler. Values lie beside the code, may be
//! kept in arrays and structs, and are looked at when they are used: whether the object is of that kind, whether the
//! caller has it in its `uses`, whether messages are as long as its own.

mod arms;
mod calls;

use std::fmt::Write as _;

use super::parameters::Parameter;
use super::plain::Call;
use super::rare;
use crate::assembly::objects::{Count, Value};
use crate::assembly::{Assembly, CellId, Use};
use crate::emit::identifier;
use crate::plan::{Places, SHARED_WORDS};

use calls::{CALLS, Does};

/// The kinds of objects.
const KINDS: [&str; 11] = [
    "lock",
    "semaphore",
    "condition",
    "mailbox",
    "endpoint",
    "event_group",
    "notification",
    "interrupt",
    "state",
    "region",
    "thread",
];

/// What it costs to find who calls and whether it may, in instructions.
const INSTRUCTIONS: u32 = 30;

/// The library's functions of these calls, and its types.
const LIBRARY: &str = "beryl_user::c::object";

/// The kind of an object by what a thread does with it; nothing for what has no value.
pub(super) fn kind(assembly: &Assembly, used: Use) -> Option<&'static str> {
    if rare::handle(assembly, used).is_some() {
        return None;
    }
    Some(match used {
        Use::Lock(_) => "lock",
        Use::Semaphore(_) => "semaphore",
        Use::Condition(_) => "condition",
        Use::Send(_) | Use::Receive(_) => "mailbox",
        Use::Call(_) | Use::Serve(_) => "endpoint",
        Use::Set(_) | Use::AwaitBits(_) => "event_group",
        Use::Notify(_) | Use::Await(_) => "notification",
        Use::Interrupt(_) => "interrupt",
        Use::Write(_) | Use::Read(_) | Use::ReadSlow(_) => "state",
        Use::Region(_) => "region",
        Use::Priority(_) => "thread",
        Use::Slot(_) | Use::Trace | Use::Replace(_) => return None,
    })
}

/// The type of a kind.
pub(super) fn c_type(kind: &str) -> String {
    format!("beryl_{kind}")
}

/// A parameter for any object of the kind that is used.
pub(super) fn parameter(assembly: &Assembly, used: Use) -> Option<Parameter> {
    kind(assembly, used).map(|kind| Parameter::new(&format!("const {} *", c_type(kind)), kind))
}

/// The name of an object's value.
fn value(object: &str) -> String {
    format!("{object}_object")
}

/// The name of the value of what is used.
pub(in crate::emit) fn value_of(assembly: &Assembly, used: Use) -> Option<String> {
    object(assembly, used).map(|object| value(&object.name))
}

/// An object as any thread may name it.
struct Object {
    name: String,
    kind: &'static str,
    /// As the library calls its kind.
    rust: &'static str,
    number: usize,
    /// What its messages are: objects of a kind have as many ways as there are of these.
    shape: String,
    own: [Word; 2],
    /// What it is used as, on each of its sides.
    sides: [Option<Use>; 3],
}

/// A word that belongs to an object.
#[derive(Clone, Copy)]
enum Word {
    Number(u32),
    /// The address of a cell.
    At(CellId),
    /// Where a region is.
    Region(usize),
}

const NOTHING: Word = Word::Number(0);

fn at(cell: Option<CellId>) -> Word {
    cell.map_or(NOTHING, Word::At)
}

fn place(value: Option<&Value>) -> Word {
    at(value.map(|value| value.cell))
}

/// The object that a thread uses; nothing for what has no value.
fn object(assembly: &Assembly, used: Use) -> Option<Object> {
    let kind = kind(assembly, used)?;
    let rows = &assembly.objects;
    let alone = |used| [Some(used), None, None];
    let both = |first, second| [Some(first), Some(second), None];
    let (name, rust, number, own, sides) = match used {
        Use::Lock(index) => {
            let row = &rows.locks[index];
            let own = [Word::Number(row.ceiling.into()), place(row.value.as_ref())];
            (&row.name, "LOCK", index, own, alone(used))
        }
        Use::Semaphore(index) => {
            let row = &rows.semaphores[index];
            let (rust, own) = match &row.count {
                Count::Counting { .. } => ("COUNTING", [NOTHING; 2]),
                Count::Binary { word, value } => ("BINARY", [at(*word), place(value.as_ref())]),
            };
            (&row.name, rust, index, own, alone(used))
        }
        Use::Condition(index) => {
            (&rows.conditions[index].name, "CONDITION", index, [NOTHING; 2], alone(used))
        }
        Use::Send(index) | Use::Receive(index) => {
            let row = &rows.mailboxes[index];
            let own = [Word::Number(row.kind.size()), NOTHING];
            (&row.name, "MAILBOX", index, own, both(Use::Send(index), Use::Receive(index)))
        }
        Use::Call(index) | Use::Serve(index) => {
            let row = &rows.endpoints[index];
            let own = [&row.request, &row.reply].map(|kind| Word::Number(kind.size()));
            (&row.name, "ENDPOINT", index, own, both(Use::Call(index), Use::Serve(index)))
        }
        Use::Set(index) | Use::AwaitBits(index) => {
            let name = &rows.event_groups[index].name;
            (name, "EVENT_GROUP", index, [NOTHING; 2], both(Use::Set(index), Use::AwaitBits(index)))
        }
        Use::Notify(index) | Use::Await(index) => {
            let row = &rows.notifications[index];
            let own = [Word::Number(row.bits), NOTHING];
            (&row.name, "NOTIFICATION", index, own, both(Use::Notify(index), Use::Await(index)))
        }
        Use::Interrupt(index) => {
            let row = &rows.interrupts[index];
            let awaited = if row.is_silent { 0 } else { row.bits };
            let own = [Word::Number(row.bits), Word::Number(awaited)];
            (&row.name, "INTERRUPT", index, own, alone(used))
        }
        Use::Write(index) | Use::Read(index) | Use::ReadSlow(index) => {
            let row = &rows.states[index];
            let own = [Word::Number(row.kind.size()), NOTHING];
            let sides = [Use::Write(index), Use::Read(index), Use::ReadSlow(index)].map(Some);
            (&row.name, "STATE", index, own, sides)
        }
        Use::Region(index) => {
            let row = &rows.regions[index];
            let own = [Word::Region(index), Word::Number(row.size)];
            (&row.name, "REGION", index, own, alone(used))
        }
        Use::Priority(index) => {
            let thread = rows.priorities[index];
            (&assembly.threads[thread].name, "THREAD", thread, [NOTHING; 2], alone(used))
        }
        Use::Slot(_) | Use::Trace | Use::Replace(_) => return None,
    };
    let shape = shape(assembly, used);
    Some(Object { name: name.clone(), kind, rust, number, shape, own, sides })
}

/// What its messages are. Where the values of a state message lie belongs to it, so each is a shape of its own.
fn shape(assembly: &Assembly, used: Use) -> String {
    match used {
        Use::Send(index) | Use::Receive(index) => arms::mailbox(assembly, index),
        Use::Call(index) | Use::Serve(index) => arms::endpoint(assembly, index),
        Use::Write(index) | Use::Read(index) | Use::ReadSlow(index) => index.to_string(),
        _ => String::new(),
    }
}

/// The shapes of a kind, each by an object that has it.
fn shapes<'a>(objects: &'a [Object], rust: &str) -> Vec<&'a Object> {
    let mut found: Vec<&Object> = Vec::new();
    for object in objects.iter().filter(|object| object.rust == rust) {
        if !found.iter().any(|known| known.shape == object.shape) {
            found.push(object);
        }
    }
    found
}

/// All objects that threads use, each once.
fn all(assembly: &Assembly) -> Vec<Object> {
    let used = assembly.threads.iter().flat_map(|thread| thread.uses.iter().copied());
    let mut found: Vec<Object> = Vec::new();
    for object in used.filter_map(|used| object(assembly, used)) {
        if !found.iter().any(|known| (known.kind, known.number) == (object.kind, object.number)) {
            found.push(object);
        }
    }
    found
}

/// What the header of a system declares: a value for each object.
pub(super) fn declarations(assembly: &Assembly) -> String {
    let objects = all(assembly);
    let mut text = String::new();
    if !objects.is_empty() {
        text += "\n/* Objects by values: any thread that has one in its `uses` may use it by the calls of its kind in beryl.h. */\n";
    }
    for Object { name, kind, .. } in &objects {
        let _ = writeln!(text, "extern const {} {};", c_type(kind), value(name));
    }
    text
}

/// The numbers of threads, as the header of a system has them.
pub(super) fn threads(assembly: &Assembly) -> String {
    let mut text = "\n/* Threads by their numbers, which beryl_self answers. */\n".to_owned();
    let begun = assembly.threads.iter().enumerate().filter(|(_, thread)| thread.function().is_some());
    for (number, thread) in begun {
        let _ = writeln!(text, "#define BERYL_THREAD_{} UINT32_C({number})", identifier(&thread.name));
    }
    text + &format!("#define BERYL_THREADS UINT32_C({})\n", assembly.threads.len())
}

/// What it declares: each name, and what has it.
pub(super) fn values(assembly: &Assembly) -> Vec<(String, String)> {
    let one = |object: Object| {
        (value(&object.name), format!("the value of {} `{}`", object.kind.replace('_', " "), object.name))
    };
    all(assembly).into_iter().map(one).collect()
}

/// What the header of all systems declares.
pub(super) fn header() -> String {
    let mut text = format!(
        "\n/* Objects of each kind, by values that threads may keep wherever they like: `<name>_object` of ports.h, and null \
         for none. Each call looks\n   whether the object is of that kind and its caller has it in its `uses`, on that side; \
         BERYL_NO_SUCH_OBJECT otherwise. A message or value\n   with other bytes than the object's is BERYL_OUT_OF_RANGE; it may \
         lie at any address. Nothing has changed then. Each call costs what it\n   does, about {} instructions to find its \
         caller and its right, and one copy of a message. */\n",
        INSTRUCTIONS
    );
    for kind in KINDS {
        let _ = writeln!(text, "typedef struct {0} {0};", c_type(kind));
    }
    text.extend(CALLS.iter().map(|(call, _)| call.declared()));
    text
}

/// The names that it declares.
pub(super) fn names() -> impl Iterator<Item = String> {
    let calls = CALLS.iter().map(|(call, _)| call.name().to_owned());
    KINDS.iter().map(|kind| c_type(kind)).chain(calls)
}

/// What the glue defines.
pub(super) fn definitions(assembly: &Assembly, places: &Places) -> String {
    let objects = all(assembly);
    let mut text = stacks(assembly, places);
    text.extend(objects.iter().map(|object| definition(assembly, places, &objects, object)));
    text.extend(CALLS.iter().map(|(call, does)| call.defined(&body(call, does, assembly, places, &objects))));
    text
}

/// Where the stacks of threads are. What isn't one in between is nobody's.
fn stacks(assembly: &Assembly, places: &Places) -> String {
    let ranges: Vec<_> = assembly
        .threads
        .iter()
        .zip(&places.stacks)
        .map(|(_, stack)| (stack.address, stack.address.saturating_add(stack.length)))
        .collect();
    let from = ranges.iter().map(|(from, _)| *from).min().unwrap_or_default();
    let to = ranges.iter().map(|(_, to)| *to).max().unwrap_or_default();
    let ends = ranges.iter().flat_map(|(first, behind)| [first - from, behind - from]);
    let grain = ends.map(u32::trailing_zeros).min().unwrap_or_default().min(u32::BITS - 1);
    let owners = (from..to).step_by(1 << grain).map(|place| {
        let owner = ranges.iter().position(|(first, behind)| (*first..*behind).contains(&place));
        owner.map_or("255".to_owned(), |thread| thread.to_string())
    });
    let words = ranges.iter().map(|(_, to)| format!("{:#010x}", to.saturating_sub(SHARED_WORDS)));
    format!(
        "\n/// Who calls, by where its stack is.\nstatic STACKS: {LIBRARY}::Stacks = {LIBRARY}::Stacks {{ from: {from:#010x}, grain: \
         {grain}, owners: &[{}], words: &[{}] }};\n",
        owners.collect::<Vec<_>>().join(", "),
        words.collect::<Vec<_>>().join(", ")
    )
}

/// Which of so many threads there are, as bits, the lowest first.
fn as_bits(count: usize, threads: impl Iterator<Item = usize>) -> String {
    let mut words = vec![0_u32; count.div_ceil(32)];
    for thread in threads {
        words[thread / 32] |= 1 << (thread % 32);
    }
    words.iter().map(|word| format!("{word:#x}")).collect::<Vec<_>>().join(", ")
}

fn definition(assembly: &Assembly, places: &Places, objects: &[Object], object: &Object) -> String {
    let word = |word: Word| match word {
        Word::Number(number) => format!("{number:#x}"),
        Word::At(cell) => format!("{:#010x}", places.address(&assembly.cells, cell)),
        Word::Region(index) => format!("{:#010x}", places.regions[index].address),
    };
    let users = object.sides.map(|side| {
        let threads = assembly.threads.iter().enumerate();
        let users = threads.filter(|(_, thread)| side.is_some_and(|side| thread.uses.contains(&side)));
        format!("&[{}]", as_bits(assembly.threads.len(), users.map(|(number, _)| number)))
    });
    let shape = shapes(objects, object.rust).iter().position(|shape| shape.shape == object.shape);
    format!(
        "\n#[unsafe(no_mangle)]\n#[allow(non_upper_case_globals)]\nstatic {}: {LIBRARY}::Object = {LIBRARY}::Object {{ kind: \
         {LIBRARY}::Kind::{}, number: {}, shape: {}, own: [{}], users: [{}] }};\n",
        value(&object.name),
        object.rust,
        object.number,
        shape.unwrap_or_default(),
        object.own.map(word).join(", "),
        users.join(", "),
    )
}

/// What a call does: the library's function, or what the types of each object ask for.
fn body(call: &Call, does: &Does, assembly: &Assembly, places: &Places, objects: &[Object]) -> String {
    let Does::ByType { kind, side, bytes, arm } = does else {
        return format!("unsafe {{ beryl_user::c::objects::{} }}", call.body);
    };
    let arms: Vec<_> =
        shapes(objects, kind).into_iter().map(|shape| arm(assembly, places, shape.number)).collect();
    let Some((last, others)) = arms.split_last() else {
        return "beryl_abi::CallError::NoSuchObject as u32".to_owned();
    };
    let others = others.iter().enumerate().map(|(shape, arm)| format!("                {shape} => {arm},\n"));
    format!(
        "use {LIBRARY}::{{Kind, Side, found}};\n    use beryl_user::c::messages;\n    let bytes = [{}];\n    unsafe {{\n        \
         match found(&STACKS, {}, Kind::{kind}, Side::{side}, bytes) {{\n            Ok(object) => match object.shape {{\n{}                \
         _ => {last},\n            }},\n            Err(error) => error as u32,\n        }}\n    }}",
        bytes.join(", "),
        kind.to_lowercase(),
        others.collect::<String>(),
    )
}
