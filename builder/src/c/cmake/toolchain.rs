//! The file by which CMake knows for what it shall configure: the compilers that the builder calls, with what it tells them.
//!
//! A simulation is configured as a board is, but for the compilers, so a project that asks what it is compiled for has the same files for both.

use std::fmt::Write as _;

use super::super::{COMMON, Language, Machine, compiler, library};
use crate::board::Board;
use crate::description::CodeInC;

/// Where it is, beside what CMake leaves.
pub(super) const FILE: &str = "beryl.cmake";

/// Its text.
pub(super) fn text(machine: Machine, board: &Board, in_c: &CodeInC) -> String {
    let mut text = String::from("# For what CMake configures. Written by the builder; changes are lost.\n");
    let variables = [
        // A project may ask for these.
        ("BERYL", "TRUE".to_owned()),
        ("BERYL_BOARD", board.name.to_owned()),
        ("CMAKE_SYSTEM_NAME", "Generic".to_owned()),
        ("CMAKE_SYSTEM_PROCESSOR", board.processor.c.processor.to_owned()),
        // What it tries out isn't linked, since there is nothing to link it with.
        ("CMAKE_TRY_COMPILE_TARGET_TYPE", "STATIC_LIBRARY".to_owned()),
        ("CMAKE_DISABLE_PRECOMPILE_HEADERS", "TRUE".to_owned()),
    ];
    let languages = [("C", Language::C), ("CXX", Language::Cpp)].map(|(name, language)| {
        let command = compiler(machine, board, language);
        let given = command.get_args().map(|option| option.to_string_lossy().into_owned());
        let library = in_c.library.filter(|_| machine != Machine::Host).map(|_| library::SPECS);
        let others = COMMON.iter().filter(|option| !option.starts_with("-W")).copied();
        let others = others.chain(library).map(str::to_owned);
        let options: Vec<_> = given.chain(others).collect();
        let program = command.get_program().to_string_lossy().into_owned();
        [(format!("CMAKE_{name}_COMPILER"), program), (format!("CMAKE_{name}_FLAGS_INIT"), options.join(" "))]
    });
    let variables = variables.map(|(name, value)| (name.to_owned(), value));
    for (name, value) in variables.into_iter().chain(languages.into_iter().flatten()) {
        _ = writeln!(text, "set({name} [==[{value}]==])");
    }
    text + NOTHING_IS_COMPILED
}

/// When CMake is asked to make what a target's files are generated from, it compiles nothing but what it tries out.
const NOTHING_IS_COMPILED: &str = "\
get_property(beryl_is_tried GLOBAL PROPERTY IN_TRY_COMPILE)
if(NOT beryl_is_tried)
  foreach(language C CXX)
    set(CMAKE_${language}_COMPILE_OBJECT \"<CMAKE_COMMAND> -E touch <OBJECT>\")
    set(CMAKE_${language}_CREATE_STATIC_LIBRARY \"<CMAKE_COMMAND> -E touch <TARGET>\")
    set(CMAKE_${language}_LINK_EXECUTABLE \"<CMAKE_COMMAND> -E touch <TARGET>\")
  endforeach()
  set(CMAKE_DEPENDS_USE_COMPILER FALSE)
endif()
";
