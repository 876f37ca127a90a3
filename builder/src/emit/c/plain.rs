//! Calls about no object, for functions in C: time, mathematics, the environment, and the words for statuses and waits.
//! The header and the glue are made from one table.

use std::fmt::Write as _;

use beryl_abi::CallError;
use beryl_abi::call::{FOREVER, LONGEST_WAIT, OWNER_DIED, POLL, SUCCESS};

use super::{common, rare};
use crate::emit::File;

/// Where the header is, in the system's folder; beside that of the ports, which includes it.
pub const HEADER: &str = "c/beryl.h";

/// A function: what it is for, as the header declares it, as the glue does, and what it does.
pub(super) struct Call {
    pub(super) what: &'static str,
    pub(super) header: &'static str,
    pub(super) glue: &'static str,
    pub(super) body: &'static str,
}

impl Call {
    /// As the header has it.
    pub(super) fn declared(&self) -> String {
        format!("\n/* {} */\n{};\n", self.what, self.header)
    }

    /// As the glue has it, with what it does.
    pub(super) fn defined(&self, body: &str) -> String {
        format!(
            "\n#[unsafe(no_mangle)]\nunsafe extern \"C\" fn {} {{\n    // SAFETY: what the header asks of who calls.\n    \
             {body}\n}}\n",
            self.glue
        )
    }

    /// Its name.
    pub(super) fn name(&self) -> &'static str {
        self.glue.split('(').next().unwrap_or_default()
    }
}

/// The header's types, and what it defines itself.
const TYPES: [&str; 4] = ["beryl_status", "beryl_wait", "beryl_at_most", "beryl_period"];

const CALLS: [Call; 17] = [
    Call {
        what: "Kernel time in ticks. A job that uses it is no function of its ports any more.",
        header: "uint64_t beryl_time(void)",
        glue: "beryl_time() -> u64",
        body: "beryl_user::call::time().ticks()",
    },
    Call {
        what: "The processor time that the calling thread has used, in ticks.",
        header: "uint64_t beryl_execution_time(void)",
        glue: "beryl_execution_time() -> u64",
        body: "beryl_user::call::execution_time().ticks()",
    },
    Call {
        what: "In the simulator: uses up so many ticks of processor time. On a board the code itself takes time.",
        header: "void beryl_spend(uint64_t ticks)",
        glue: "beryl_spend(ticks: u64)",
        body: "beryl_user::call::spend(beryl_abi::Duration::from_ticks(ticks))",
    },
    Call {
        what: "Sleeps for so many ticks; BERYL_RAISED inside a lock.",
        header: "beryl_status beryl_sleep(uint64_t ticks)",
        glue: "beryl_sleep(ticks: u64) -> u32",
        body: "beryl_user::c::sleep(ticks)",
    },
    Call {
        what: "Sleeps until an instant in ticks.",
        header: "beryl_status beryl_sleep_until(uint64_t instant)",
        glue: "beryl_sleep_until(instant: u64) -> u32",
        body: "beryl_user::c::sleep_until(instant)",
    },
    Call {
        what: "Ends a job of a periodic thread; answers how many releases came meanwhile. Both may be null.",
        header: "beryl_status beryl_wait_period(beryl_period *period, uint32_t *missed)",
        glue: "beryl_wait_period(_period: *mut period::Period, missed: *mut u32) -> u32",
        body: "unsafe { beryl_user::c::wait_period(missed) }",
    },
    Call {
        what: "Waits for one of some bits of the thread's notifications and interrupts; answers and takes those that are set.",
        header: "beryl_status beryl_wait_any(uint32_t bits, beryl_wait wait, uint32_t *set)",
        glue: "beryl_wait_any(bits: u32, wait: u32, set: *mut u32) -> u32",
        body: "unsafe { beryl_user::c::wait_any(bits, wait, set) }",
    },
    Call {
        what: "Lets the next thread of the same priority run.",
        header: "void beryl_yield(void)",
        glue: "beryl_yield()",
        body: "beryl_user::call::yield_now()",
    },
    Call {
        what: "Ends the calling thread for good.",
        header: "_Noreturn void beryl_stop(void)",
        glue: "beryl_stop() -> !",
        body: "beryl_user::call::stop()",
    },
    Call {
        what: "Tells something of the application's own to whoever traces the system.",
        header: "void beryl_tell(uint16_t event, uint32_t value)",
        glue: "beryl_tell(event: u16, value: u32)",
        body: "beryl_user::trace::tell(event, value)",
    },
    Call {
        what: "Takes the next value of a sensor. Where there is none of this length, the value stays what it was.",
        header: "void beryl_environment_read(uint32_t channel, void *value, uint32_t length)",
        glue: "beryl_environment_read(channel: u32, value: *mut u8, length: u32)",
        body: "unsafe { beryl_user::c::environment_read(channel, value, length) }",
    },
    Call {
        what: "Leaves a value for an actuator.",
        header: "void beryl_environment_write(uint32_t channel, const void *value, uint32_t length)",
        glue: "beryl_environment_write(channel: u32, value: *const u8, length: u32)",
        body: "unsafe { beryl_user::c::environment_write(channel, value, length) }",
    },
    Call {
        what: "Prints a text in UTF-8 on the console.",
        header: "void beryl_print(const char *text, uint32_t length)",
        glue: "beryl_print(text: *const u8, length: u32)",
        body: "unsafe { beryl_user::c::print(text, length) }",
    },
    Call {
        what: "Lets the console's receiver interrupt for each byte that arrives. For who serves that interrupt, in a process \
               with the device.",
        header: "void beryl_console_listen(void)",
        glue: "beryl_console_listen()",
        body: "beryl_user::console::listen()",
    },
    Call {
        what: "The byte that has arrived at the console, or -1. There is room for one: the next one takes its place.",
        header: "int32_t beryl_console_receive(void)",
        glue: "beryl_console_receive() -> i32",
        body: "beryl_user::console::receive().map_or(-1, i32::from)",
    },
    Call {
        what: "Hands a byte to the console, which interrupts when it has taken it. While it has one, this waits.",
        header: "void beryl_console_transmit(uint8_t byte)",
        glue: "beryl_console_transmit(byte: u8)",
        body: "beryl_user::console::transmit(byte)",
    },
    Call {
        what: "Enters the kernel and does nothing there.",
        header: "void beryl_null(void)",
        glue: "beryl_null()",
        body: "beryl_user::call::null()",
    },
];

/// Functions of `beryl_user::math` by how many numbers they are given, each for `double`, and with an `f`
/// behind for `float`.
const MATHEMATICS: [(usize, &[&str]); 3] = [
    (
        1,
        &[
            "acos", "asin", "atan", "cbrt", "ceil", "cos", "cosh", "exp", "exp2", "fabs", "floor", "log",
            "log2", "log10", "round", "sin", "sinh", "sqrt", "tan", "tanh", "trunc",
        ],
    ),
    (2, &["atan2", "copysign", "fmax", "fmin", "fmod", "hypot", "pow"]),
    (3, &["fma"]),
];

/// Integers that a number can be made, in C and in Rust. C leaves undefined what becomes of one that doesn't fit.
const INTEGERS: [(&str, &str); 8] = [
    ("int8", "i8"),
    ("int16", "i16"),
    ("int32", "i32"),
    ("int64", "i64"),
    ("uint8", "u8"),
    ("uint16", "u16"),
    ("uint32", "u32"),
    ("uint64", "u64"),
];

const LETTERS: [&str; 3] = ["x", "y", "z"];

/// The header that every function in C sees.
#[must_use]
pub fn header() -> File {
    let mut text = format!(
        "/* What the kernel and its library offer to functions in C. Written by the builder; changes are lost. */\n#pragma once\n#pragma GCC system_header\n\n\
         #include <stdbool.h>\n#include <stdint.h>\n\n\
         /* What a call came to. BERYL_OWNER_DIED is a success: the semaphore's last owner stopped inside. */\n\
         typedef uint32_t beryl_status;\n#define BERYL_SUCCESS UINT32_C({SUCCESS})\n#define BERYL_OWNER_DIED \
         UINT32_C({OWNER_DIED})\n"
    );
    for error in CallError::ALL {
        let _ = writeln!(
            text,
            "#define BERYL_{} UINT32_C({:#010x})",
            shouted(&format!("{error:?}")),
            *error as u32
        );
    }
    text += &format!(
        "\n/* Ticks, in which all times are. A tick has BERYL_TICK nanoseconds, which the compiler is told for each board; time \
         of the kernel begins at 0.\n   What isn't whole ticks is made more. */\n\
         #define BERYL_NS(nanoseconds) (((uint64_t)(nanoseconds) + (BERYL_TICK - 1)) / BERYL_TICK)\n\
         #define BERYL_US(microseconds) BERYL_NS((uint64_t)(microseconds) * 1000)\n\
         #define BERYL_MS(milliseconds) BERYL_NS((uint64_t)(milliseconds) * 1000000)\n\
         #define BERYL_S(seconds) BERYL_NS((uint64_t)(seconds) * 1000000000)\n\n\
         /* How long to wait: not at all, as long as it takes, or ticks up to BERYL_LONGEST_WAIT. A constant that is no such \
         word is an error of the\n   compiler; for ticks that are computed there is beryl_at_most. */\n\
         typedef uint32_t beryl_wait;\n#define BERYL_POLL UINT32_C({POLL})\n#define BERYL_FOREVER UINT32_C({FOREVER:#x})\n\
         #define BERYL_LONGEST_WAIT UINT32_C({LONGEST_WAIT})\n\
         static inline beryl_wait beryl_at_most(uint64_t ticks) {{\n    \
         return ticks < BERYL_LONGEST_WAIT ? (beryl_wait)ticks : BERYL_LONGEST_WAIT;\n}}\n\n\
         /* The releases of a periodic thread. */\ntypedef struct beryl_period beryl_period;\n"
    );
    text.extend(CALLS.iter().map(Call::declared));
    text += &common::header();
    text += &rare::types();
    text += &mathematics_declared();
    text += "\n/* A number without what is behind its point. What doesn't fit becomes the nearest that does, and 0 if it is no number; a cast \
             is undefined then. */\n";
    for (name, _) in INTEGERS {
        let _ = writeln!(text, "{name}_t beryl_to_{name}(double x);");
    }
    File::new(HEADER, text)
}

/// Mathematics, as C declares it.
pub(super) fn mathematics_declared() -> String {
    let mut text = "\n/* Mathematics with the same bits on every machine; the functions of a C library have others. */\n"
        .to_owned();
    for (name, kind, count, _) in mathematics() {
        let parameters: Vec<_> =
            LETTERS.iter().take(count).map(|letter| format!("{kind} {letter}")).collect();
        let _ = writeln!(text, "{kind} beryl_{name}({});", parameters.join(", "));
    }
    text
}

/// The names that it declares.
pub(super) fn names() -> impl Iterator<Item = String> {
    let calls = CALLS.iter().map(Call::name).map(str::to_owned);
    let mathematics = mathematics().map(|(name, ..)| format!("beryl_{name}"));
    let integers = INTEGERS.iter().map(|(name, _)| format!("beryl_to_{name}"));
    TYPES
        .iter()
        .map(|name| (*name).to_owned())
        .chain(calls)
        .chain(common::names())
        .chain(rare::names())
        .chain(mathematics)
        .chain(integers)
}

/// What the glue defines.
pub(super) fn definitions() -> String {
    let mut text = String::new();
    text.extend(CALLS.iter().map(|call| call.defined(call.body)));
    text += &mathematics_defined();
    for (name, kind) in INTEGERS {
        let _ = write!(
            text,
            "\n#[unsafe(no_mangle)]\nextern \"C\" fn beryl_to_{name}(x: f64) -> {kind} {{\n    x as {kind}\n}}\n"
        );
    }
    text
}

/// Mathematics, as the glue defines it.
pub(super) fn mathematics_defined() -> String {
    let mut text = String::new();
    for (name, _, count, kind) in mathematics() {
        let letters = &LETTERS[..count.min(LETTERS.len())];
        let parameters: Vec<_> = letters.iter().map(|letter| format!("{letter}: {kind}")).collect();
        let _ = write!(
            text,
            "\n#[unsafe(no_mangle)]\nextern \"C\" fn beryl_{name}({}) -> {kind} {{\n    beryl_user::math::{name}({})\n}}\n",
            parameters.join(", "),
            letters.join(", ")
        );
    }
    text
}

/// Each function of mathematics: its name, its type in C, how many numbers it is given, its type in Rust.
fn mathematics() -> impl Iterator<Item = (String, &'static str, usize, &'static str)> {
    MATHEMATICS.iter().flat_map(|(count, names)| {
        names.iter().flat_map(|name| {
            [((*name).to_owned(), "double", *count, "f64"), (format!("{name}f"), "float", *count, "f32")]
        })
    })
}

/// `TimedOut` as `TIMED_OUT`.
pub(super) fn shouted(name: &str) -> String {
    let mut text = String::new();
    for letter in name.chars() {
        if letter.is_uppercase() && !text.is_empty() {
            text.push('_');
        }
        text.push(letter.to_ascii_uppercase());
    }
    text
}
