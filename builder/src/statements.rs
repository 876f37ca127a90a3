//! Log statements of the crate `defmt`: where the linker puts what they are called by, and what traces are read with.
//!
//! A statement is a symbol, whose name is its text, in a section that isn't loaded; a trace has the lowest 16 bits of its address.
//! In an image of a process the section begins at 1. In a simulation program it does, too, and the program is loaded at a
//! multiple of 64 kB: so what code sees of an address is what the linker put there.

use std::fs;
use std::path::Path;

use beryl_trace::log::Statements;
use object::write::{Object as Written, Symbol, SymbolSection};
use object::{
    Architecture, BinaryFormat, Endianness, File, Object, ObjectSection, ObjectSymbol, SectionIndex,
    SectionKind, SymbolFlags, SymbolKind, SymbolScope,
};

use crate::error::BuildError;
use crate::workshop::replace;

/// By which variable the crate is told which statements are compiled.
pub const FILTER: &str = "DEFMT_LOG";

/// The names that the crate leaves to a linker script: no time is written down, since each event has one.
const NAMES: &str = "PROVIDE(_defmt_timestamp = __defmt_default_timestamp);\nPROVIDE(_defmt_panic = __defmt_default_panic);\n";

/// The section, for a linker script. Those that are named first come first, whoever is linked: the first address is no
/// statement's, since a zero ends a list.
const SECTION: &str =
    ".defmt 1 (INFO) : { . = 1; *(.defmt.prim.*) *(.defmt.*) KEEP(*(.defmt.end .defmt.end.*)) }";

/// Names and section, for the script of a process.
pub(crate) fn in_process() -> [String; 2] {
    [NAMES.to_owned(), format!("  {SECTION}\n")]
}

/// Leaves the script for a simulation program in a folder; answers what tells its linker.
///
/// # Errors
/// It can't be written.
pub(crate) fn in_simulation(folder: &Path) -> Result<[String; 4], BuildError> {
    let path = folder.join("log.ld");
    let text = format!(
        "/* Where log statements go. Written by the builder; changes are lost. */\n{NAMES}SECTIONS {{ {SECTION} }} INSERT AFTER .comment;\n"
    );
    replace(&path, text.as_bytes())?;
    let path = path.canonicalize().map_err(|reason| BuildError::file("find", &path, reason))?;
    let option = |option: String| ["-C".to_owned(), format!("link-arg={option}")];
    let [[a, b], [c, d]] =
        [option(format!("-Wl,-T,{}", path.display())), option("-Wl,-z,max-page-size=65536".to_owned())];
    Ok([a, b, c, d])
}

/// The statements of a simulation program, whatever processes they are in.
///
/// # Errors
/// It can't be read.
pub fn of_program(path: &Path) -> Result<Statements, BuildError> {
    let bytes = fs::read(path).map_err(|reason| BuildError::file("read", path, reason))?;
    Ok(Statements::of_all(section_of(&bytes)?.as_deref()))
}

/// The statements of linked processes, by their names.
///
/// # Errors
/// One can't be read.
pub(crate) fn of_processes<'a>(
    processes: impl Iterator<Item = (&'a str, &'a [u8])>,
) -> Result<Statements, BuildError> {
    let mut all = Vec::new();
    for (name, elf) in processes {
        if let Some(section) = section_of(elf)? {
            all.push((name, section));
        }
    }
    Ok(Statements::of_processes(all.iter().map(|(name, section)| (*name, section.as_slice()))))
}

/// Of a linked program, the section with the names of log statements as a file of its own; none if it has no statements.
fn section_of(elf: &[u8]) -> Result<Option<Vec<u8>>, BuildError> {
    let unreadable = |output: String| BuildError::Step { what: "reading log statements".to_owned(), output };
    let file = File::parse(elf).map_err(|reason| unreadable(reason.to_string()))?;
    let Some(section) = file.section_by_name(".defmt") else { return Ok(None) };
    let content = section.data().map_err(|reason| unreadable(reason.to_string()))?;
    let mut written = Written::new(BinaryFormat::Elf, Architecture::X86_64, Endianness::Little);
    let kept = written.add_section(Vec::new(), b".defmt".to_vec(), SectionKind::ReadOnlyData);
    written.append_section_data(kept, content, 1);
    let mut has_any = false;
    for symbol in file.symbols() {
        let (Ok(name), true) = (symbol.name(), is_in(&symbol, section.index())) else { continue };
        if name.is_empty() {
            continue;
        }
        has_any |= name.starts_with('{');
        written.add_symbol(Symbol {
            name: name.as_bytes().to_vec(),
            value: symbol.address().saturating_sub(section.address()),
            size: symbol.size(),
            kind: SymbolKind::Data,
            scope: SymbolScope::Linkage,
            weak: false,
            section: SymbolSection::Section(kept),
            flags: SymbolFlags::None,
        });
    }
    let whole = written.write().map_err(|reason| unreadable(reason.to_string()))?;
    Ok(has_any.then_some(whole))
}

fn is_in<'a>(symbol: &impl ObjectSymbol<'a>, section: SectionIndex) -> bool {
    symbol.section_index() == Some(section)
}
