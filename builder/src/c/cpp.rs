//! Files in C++, by the ends of their names: `.cpp`, `.cc`, `.cxx`. They see the headers for C, with its linkage, and have neither
//! exceptions nor type information, nor a library of their own. Nobody constructs variables before the first thread, so what
//! would have to be constructed is refused.

use object::{Object, ObjectSection, ObjectSymbol};

use super::Machine;
use crate::emit::File;
use crate::error::BuildError;

/// What the compiler is told instead of what it is told for C.
pub(super) const OPTIONS: [&str; 5] =
    ["-std=c++17", "-fno-exceptions", "-fno-rtti", "-nostdinc++", "-Werror=missing-declarations"];

/// Where the header for a machine is, in the system's folder.
pub(super) const fn path(machine: Machine) -> &'static str {
    match machine {
        Machine::Host => "c/host.hpp",
        Machine::Board | Machine::Floating => "c/board.hpp",
    }
}

/// The header: those for C, whose names are C's. A pure function that is called all the same stops its thread.
pub(super) fn header(machine: Machine, headers: &[&str]) -> File {
    let name = |path: &str| path.rsplit('/').next().unwrap_or(path).to_owned();
    let included: String = headers.iter().map(|header| format!("#include \"{}\"\n", name(header))).collect();
    let text = format!(
        "/* The headers for C, for C++. Written by the builder; changes are lost. */\n#pragma once\n#pragma GCC system_header\n\n#include <stddef.h>\n\
         #include <stdint.h>\n\n#pragma push_macro(\"_Noreturn\")\n#pragma push_macro(\"_Static_assert\")\n#undef _Noreturn\n\
         #undef _Static_assert\n#define _Noreturn [[noreturn]]\n#define _Static_assert static_assert\nextern \"C\" {{\n{included}\
         __attribute__((weak)) void __cxa_pure_virtual(void);\nvoid __cxa_pure_virtual(void) {{\n    beryl_stop();\n}}\n}}\n\
         #pragma pop_macro(\"_Noreturn\")\n#pragma pop_macro(\"_Static_assert\")\n"
    );
    File { path: path(machine).to_owned(), text }
}

/// Sections with what has to be called before anything else.
const BEFORE: [&str; 3] = [".init_array", ".ctors", ".preinit_array"];
/// What is called where a variable within a function is constructed at its first use.
const AT_FIRST_USE: &str = "__cxa_guard_acquire";

/// Refuses an object with variables that somebody would have to construct.
///
/// # Errors
/// The file, and what to write.
pub(super) fn check(source: &str, object: &[u8]) -> Result<(), BuildError> {
    let Ok(file) = object::File::parse(object) else { return Ok(()) };
    let is_before = |name: &str| BEFORE.iter().any(|section| name.starts_with(section));
    let before = file.sections().any(|section| section.size() > 0 && section.name().is_ok_and(is_before));
    let at_first_use = file.symbols().any(|symbol| symbol.name() == Ok(AT_FIRST_USE));
    let when = match (before, at_first_use) {
        (true, _) => "before the first thread",
        (_, true) => "at its first use, whichever thread comes first",
        _ => return Ok(()),
    };
    Err(BuildError::Limit {
        message: format!("{source} has a variable that would be constructed {when}; nobody does that here"),
        proposal: "give it a `constexpr` constructor and constant values; what depends on more, a thread sets when it begins".to_owned(),
    })
}
