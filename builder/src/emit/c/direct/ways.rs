//! How functions in C enter the kernel, one way for each set of registers, and what helps with waits and with
//! messages in registers.

use beryl_abi::call::{FOREVER, LONGEST_WAIT};

use crate::board::processor::Compiler;

/// Ways into the kernel: a name, and the registers that are set. What isn't set holds whatever it held.
const WAYS: [(&str, &[&str]); 7] = [
    ("beryl_call", &[]),
    ("beryl_call_1", &["r1"]),
    ("beryl_call_2", &["r1", "r2"]),
    ("beryl_call_3", &["r1", "r2", "r3"]),
    ("beryl_call_1_wait", &["r1", "r12"]),
    ("beryl_call_2_wait", &["r1", "r2", "r12"]),
    ("beryl_call_3_wait", &["r1", "r2", "r3", "r12"]),
];

/// What stands before everything.
const BEGINNING: &str = "\
/* The calls that functions in C make of the board's kernel themselves. Written by the builder; changes are lost. */
#pragma once
#pragma GCC system_header

#define BERYL_INSIDE static inline __attribute__((always_inline))
/* Of a function that the glue has, too: never compiled apart. */
#define BERYL_DIRECT extern inline __attribute__((gnu_inline, always_inline))

/* What the kernel answers in r0, r1 and r2. A call that did what it says leaves its number in r0. */
typedef struct beryl_answer {
    beryl_status status;
    uint32_t first, second;
} beryl_answer;
";

/// What helps with handles and short messages.
const HELP: &str = "
/* What a handle begins with: the object's number, or bits. Who has another thread's handle reads that thread's stack here. */
BERYL_INSIDE uint32_t beryl_own(const void *handle) {
    return *(const volatile uint8_t *)handle;
}

BERYL_INSIDE uint32_t beryl_own_bits(const void *handle) {
    return *(const volatile uint32_t *)handle;
}

BERYL_INSIDE uint32_t beryl_word(const void *at, uint32_t offset) {
    uint32_t word;
    __builtin_memcpy(&word, (const char *)at + offset, sizeof word);
    return word;
}

BERYL_INSIDE beryl_status beryl_put(beryl_answer answer, void *to) {
    if (answer.status > BERYL_OWNER_DIED) {
        return answer.status;
    }
    __builtin_memcpy(to, &answer.first, sizeof answer.first);
    return BERYL_SUCCESS;
}

BERYL_INSIDE beryl_status beryl_put_two(beryl_answer answer, void *to) {
    if (answer.status > BERYL_OWNER_DIED) {
        return answer.status;
    }
    const uint32_t words[2] = {answer.first, answer.second};
    __builtin_memcpy(to, words, sizeof words);
    return BERYL_SUCCESS;
}
";

/// What every header begins with.
#[must_use]
pub(super) fn text(compiler: &Compiler) -> String {
    let mut text = BEGINNING.to_owned();
    text.extend(WAYS.map(|(name, registers)| way(name, registers, compiler)));
    text += &format!(
        "\nBERYL_INSIDE bool beryl_is_too_long(beryl_wait wait) {{\n    return wait > UINT32_C({LONGEST_WAIT}) && wait != \
         UINT32_C({FOREVER:#x});\n}}\n"
    );
    text + HELP
}

/// A way into the kernel. It preserves what it doesn't answer, and may write memory.
fn way(name: &str, registers: &[&str], compiler: &Compiler) -> String {
    let [status, others @ ..] = compiler.registers;
    let mut parameters = "uint32_t number".to_owned();
    let mut text = format!("    register uint32_t r0 __asm__(\"{status}\") = number;\n");
    let (mut outputs, mut inputs) = ("\"+r\"(r0)".to_owned(), Vec::new());
    for (register, place) in ["r1", "r2", "r3", "r12"].into_iter().zip(others) {
        let is_set = registers.contains(&register);
        let is_answered = ["r1", "r2"].contains(&register);
        let value = if is_set { format!(" = in_{register}") } else { String::new() };
        if is_set {
            parameters += &format!(", uint32_t in_{register}");
        }
        if is_set || is_answered {
            text += &format!("    register uint32_t {register} __asm__(\"{place}\"){value};\n");
        }
        match (is_answered, is_set) {
            (true, _) => outputs += &format!(", \"{}r\"({register})", if is_set { "+" } else { "=" }),
            (false, true) => inputs.push(format!("\"r\"({register})")),
            (false, false) => {}
        }
    }
    let (inputs, enters) = (inputs.join(", "), compiler.enters);
    format!(
        "\nBERYL_INSIDE beryl_answer {name}({parameters}) {{\n{text}    __asm__ volatile(\"{enters}\" : {outputs} : {inputs} : \
         \"memory\", \"cc\");\n    return (beryl_answer){{r0 < BERYL_OWNER_DIED ? BERYL_SUCCESS : r0, r1, r2}};\n}}\n"
    )
}
