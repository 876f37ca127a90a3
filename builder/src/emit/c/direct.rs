//! Calls that functions in C make to the board's kernel directly: the glue's functions again, which the C compiler
//! can inline.
//!
//! The glue is Rust and made by another compiler. So each call through it is a subroutine that moves registers,
//! judges the answer, and copies messages to its stack and back. The declarations stay as they are: this is a third
//! header, for the board alone. Its functions are always inlined, so a pointer to one is still the glue's function.
//! Like the glue, they read their object's number from its handle.
//!
//! The glue keeps what needs more than a call: words that threads share, values that must be made canonical or
//! admitted, and messages that the kernel doesn't take as they are.

mod messages;
mod ways;

use std::collections::BTreeMap;

use beryl_abi::CallNumber;
use beryl_abi::call::{Operand, Wanted};

use super::objects::{self, Call, Handle};
use super::parameters;
use crate::assembly::objects::Count;
use crate::assembly::{Assembly, Use};
use crate::board::processor::Compiler;
use crate::emit::File;

/// Where the header is, in the system's folder.
pub const HEADER: &str = "c/direct.h";

/// The names that it has beside those of the others: of functions and types, and of what a function is given.
const NAMES: [&str; 20] = [
    "beryl_answer",
    "beryl_call",
    "beryl_call_1",
    "beryl_call_2",
    "beryl_call_3",
    "beryl_call_1_wait",
    "beryl_call_2_wait",
    "beryl_call_3_wait",
    "beryl_is_too_long",
    "beryl_own",
    "beryl_own_bits",
    "beryl_word",
    "beryl_put",
    "beryl_put_two",
    "beryl_came_to",
    "beryl_handle",
    "beryl_1",
    "beryl_2",
    "beryl_3",
    "beryl_4",
];

/// What each function is given, behind its handle.
const GIVEN: [&str; 4] = ["beryl_1", "beryl_2", "beryl_3", "beryl_4"];

/// The names that it adds to what else C sees.
pub(super) fn names(assembly: &Assembly) -> impl Iterator<Item = String> {
    let glue =
        objects::each(assembly).map(|(_, handle, call)| glue(&format!("{}_{}", handle.name, call.verb)));
    NAMES.iter().map(|name| (*name).to_owned()).chain(glue)
}

/// The header for the compiler of a board's processor.
#[must_use]
pub fn header(assembly: &Assembly, compiler: &Compiler) -> File {
    let mut text = ways::text(compiler);
    text += &plain();
    let mut functions = BTreeMap::new();
    for (used, handle, call) in objects::each(assembly) {
        if let Some(body) = body(assembly, used, &handle, &call) {
            functions.insert(format!("{}_{}", handle.name, call.verb), function(&handle, &call, &body));
        }
    }
    text.extend(functions.into_values());
    File::new(HEADER, text)
}

/// Of the calls about no object, those that threads make often.
fn plain() -> String {
    let bits = format!(
        "beryl_put(beryl_call_2_wait({}, {}, bits, wait), set)",
        CallNumber::NotificationWait as u32,
        Operand::NO_OBJECT
    );
    let two = |call: CallNumber| {
        format!(
            "    const beryl_answer time = beryl_call({});\n    return (uint64_t)time.second << 32 | time.first;\n",
            call as u32
        )
    };
    [
        ("void beryl_null(void)", format!("    beryl_call({});\n", CallNumber::Null as u32)),
        ("void beryl_yield(void)", format!("    beryl_call({});\n", CallNumber::Yield as u32)),
        ("uint64_t beryl_time(void)", two(CallNumber::Time)),
        ("uint64_t beryl_execution_time(void)", two(CallNumber::ExecutionTime)),
        (
            "beryl_status beryl_wait_period(beryl_period *period, uint32_t *missed)",
            format!(
                "    (void)period;\n    const beryl_answer answer = beryl_call_1({}, {});\n    \
                 return missed == 0 ? answer.status : beryl_put(answer, missed);\n",
                CallNumber::WaitPeriod as u32,
                Operand::NO_OBJECT
            ),
        ),
        (
            "beryl_status beryl_wait_any(uint32_t bits, beryl_wait wait, uint32_t *set)",
            format!("{}    return {bits};\n", refusing("wait")),
        ),
    ]
    .map(|(declared, body)| format!("\nBERYL_DIRECT {declared} {{\n{body}}}\n"))
    .concat()
}

/// A wait that is too long is refused before anything else, as by the glue.
fn refusing(wait: &str) -> String {
    format!("    if (beryl_is_too_long({wait})) {{\n        return BERYL_TOO_LONG;\n    }}\n")
}

/// A function about an object.
fn function(handle: &Handle, call: &Call<'_>, body: &Body) -> String {
    let given = objects::given(call).into_iter().zip(GIVEN).map(|(parameter, name)| parameter.named(name));
    let parameters: Vec<_> = std::iter::once(handle.parameter().named("beryl_handle")).chain(given).collect();
    let name = format!("{}_{}", handle.name, call.verb);
    let declared =
        |name: &str| objects::declared(call, &format!("{name}({})", parameters::list(&parameters)));
    let mut text = String::new();
    if body.may_come_to_the_glue {
        text += &format!("\n{} __asm__(\"{name}\");", declared(&glue(&name)));
    }
    text + &format!(
        "\nBERYL_DIRECT {} {{\n{}{}}}\n",
        declared(&name),
        body.refuses.map(refusing).unwrap_or_default(),
        body.text
    )
}

/// The name of the glue's own function where the usual name means the one here.
fn glue(name: &str) -> String {
    format!("beryl_glue_{name}")
}

/// What a function does.
struct Body {
    /// The wait that is looked at first.
    refuses: Option<&'static str>,
    text: String,
    may_come_to_the_glue: bool,
}

impl Body {
    fn new(text: String) -> Body {
        Body { refuses: None, text: format!("    {text};\n"), may_come_to_the_glue: false }
    }

    /// One that waits as long as one of its arguments says.
    fn waiting(wait: &'static str, text: String) -> Body {
        Body { refuses: Some(wait), ..Body::new(text) }
    }
}

/// What a function does that is nothing but a call. Numbers stand in handles, so that a thread with another thread's
/// handle is stopped on its way.
fn body(assembly: &Assembly, used: Use, handle: &Handle, call: &Call<'_>) -> Option<Body> {
    use CallNumber::{
        Acknowledge, ConditionBroadcast, ConditionSignal, EventGroupClear, EventGroupSet, EventGroupWait,
        Notify, SemaphoreSignal, SemaphoreWait,
    };
    let rows = &assembly.objects;
    let one = |number: CallNumber| format!("beryl_call_1({}, {OWN})", number as u32);
    let two = |number: CallNumber| format!("beryl_call_2({}, {OWN}, beryl_1)", number as u32);
    let take = || format!("return beryl_call_1_wait({}, {OWN}, beryl_1).status", SemaphoreWait as u32);
    Some(match (used, call.function) {
        (Use::Semaphore(_), "take") => Body::waiting("beryl_1", take()),
        (Use::Semaphore(_), "give") => Body::new(format!("return {}.status", one(SemaphoreSignal))),
        (Use::Semaphore(index), "own") if is_kernels(&rows.semaphores[index].count) => Body::new(take()),
        (Use::Semaphore(index), "disown") if is_kernels(&rows.semaphores[index].count) => {
            Body::new(one(SemaphoreSignal))
        }
        (Use::Condition(_), "signal") => Body::new(one(ConditionSignal)),
        (Use::Condition(_), "broadcast") => Body::new(one(ConditionBroadcast)),
        (Use::Send(_) | Use::Receive(_) | Use::Call(_) | Use::Serve(_), function) => {
            let glue = glue(&format!("{}_{}", handle.name, call.verb));
            return messages::body(assembly, used, function, &glue);
        }
        (Use::Notify(index), "notify") => {
            let bits = rows.notifications[index].bits;
            Body::new(format!("beryl_call_2({}, {OWN}, UINT32_C({bits:#x}))", Notify as u32))
        }
        (Use::Await(_), "await_notification") => {
            awaiting(&Operand::NO_OBJECT.to_string(), "beryl_own_bits(beryl_handle)")
        }
        (Use::Await(_), "notification_bits") => Body::new("return beryl_own_bits(beryl_handle)".to_owned()),
        (Use::Interrupt(index), "await_interrupt") => {
            awaiting(OWN, &format!("UINT32_C({:#x})", rows.interrupts[index].bits))
        }
        (Use::Interrupt(_), "acknowledge") => Body::new(one(Acknowledge)),
        (Use::Set(_), "set") => Body::new(two(EventGroupSet)),
        (Use::Set(_), "clear") => Body::new(format!("return {}.first", two(EventGroupClear))),
        (Use::AwaitBits(_), function) => {
            let (call, how) = (EventGroupWait as u32, how(function)?);
            let call = format!("beryl_call_3_wait({call}, {OWN}, beryl_1, {how}, beryl_2)");
            Body::waiting("beryl_2", format!("return beryl_put({call}, beryl_3)"))
        }
        _ => return None,
    })
}

/// The number of a function's object.
const OWN: &str = "beryl_own(beryl_handle)";

/// Whether a semaphore is a binary one without a word of its users.
fn is_kernels(count: &Count) -> bool {
    matches!(count, Count::Binary { word: None, .. })
}

/// How bits of an event group are waited for.
fn how(function: &str) -> Option<u32> {
    Some(match function {
        "wait_any_of" => 0,
        "wait_all_of" => Wanted::ALL,
        "take_any_of" => Wanted::TAKE,
        "take_all_of" => Wanted::ALL | Wanted::TAKE,
        _ => return None,
    })
}

fn awaiting(object: &str, bits: &str) -> Body {
    let call = CallNumber::NotificationWait as u32;
    Body::waiting("beryl_1", format!("return beryl_call_2_wait({call}, {object}, {bits}, beryl_1).status"))
}

#[cfg(test)]
mod tests {
    use beryl_abi::CallError;

    #[test]
    fn refusals_are_named_as_the_other_header_does() {
        let header = super::super::plain::header().text;
        for (name, error) in
            [("BERYL_TOO_LONG", CallError::TooLong), ("BERYL_BAD_ADDRESS", CallError::BadAddress)]
        {
            assert!(header.contains(&format!("#define {name} UINT32_C({:#010x})", error as u32)), "{header}");
        }
    }
}
