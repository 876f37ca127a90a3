//! What an image takes of the memory, and which symbols it must not contain.

use object::{Object, ObjectSection, ObjectSymbol, SectionFlags, elf};

use crate::PathError;
use beryl_code::image::{parse, readable};

/// Bytes of an image, by where they live.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Sizes {
    /// Code and constants (`.text`, `.rodata`, vectors), without the tables.
    pub text: u64,
    /// Sections whose name begins with `.tables`.
    pub tables: u64,
    /// Initialised data: in RAM, and a copy in flash.
    pub data: u64,
    /// Zeroed data, in RAM only.
    pub bss: u64,
}

/// Adds up the loaded sections of the linked image `elf`.
///
/// # Errors
///
/// [`PathError::Image`] if it can't be read.
pub fn section_sizes(elf: &[u8]) -> Result<Sizes, PathError> {
    let mut sizes = Sizes::default();
    for section in parse(elf)?.sections() {
        let SectionFlags::Elf { sh_flags, .. } = section.flags() else { continue };
        let name = section.name().map_err(|error| PathError::Image(error.to_string()))?;
        if sh_flags.0 & elf::SHF_ALLOC.0 == 0 {
            continue;
        }
        let size = match () {
            () if name.starts_with(".tables") => &mut sizes.tables,
            () if sh_flags.0 & elf::SHF_WRITE.0 == 0 => &mut sizes.text,
            () if section.file_range().is_some() => &mut sizes.data,
            () => &mut sizes.bss,
        };
        *size = size.saturating_add(section.size());
    }
    Ok(sizes)
}

/// The symbols of `elf` whose plain or mangled name contains one of `patterns`, by plain name, sorted.
///
/// # Errors
///
/// [`PathError::Image`] if the image can't be read or has no symbols: then their absence would prove nothing.
pub fn forbidden_symbols(elf: &[u8], patterns: &[&str]) -> Result<Vec<String>, PathError> {
    let mut found = Vec::new();
    for symbol in parse(elf)?.symbols() {
        let name = symbol.name().map_err(|error| PathError::Image(error.to_string()))?;
        let plain = readable(name);
        if patterns.iter().any(|pattern| name.contains(pattern) || plain.contains(pattern)) {
            found.push(plain);
        }
    }
    found.sort();
    found.dedup();
    Ok(found)
}

/// The addresses of functions whose names contain one of some patterns, as [`forbidden_symbols`] finds them.
///
/// # Errors
/// [`PathError::Image`] if `elf` can't be read.
pub fn symbol_addresses(elf: &[u8], patterns: &[&str]) -> Result<Vec<u32>, PathError> {
    let names = forbidden_symbols(elf, patterns)?;
    let file = parse(elf)?;
    let found =
        file.symbols().filter(|symbol| symbol.name().is_ok_and(|name| names.contains(&readable(name))));
    Ok(found.filter_map(|symbol| u32::try_from(symbol.address() & !1).ok()).collect())
}
