//! Code in C that would mask interrupts: `cpsid`, or a write to a register that does. In user mode the first does nothing
//! at all, so what was thought to be alone isn't; the builder refuses it where it was compiled. On RISC-V the assembler
//! refuses such instructions, and the processor would stop the thread.

use object::{Architecture, Object, ObjectSection, ObjectSymbol, SectionKind};

use crate::error::BuildError;

/// What to write instead.
const PROPOSAL: &str = "a ceiling lock keeps other threads out: `<lock>_enter`, or `beryl_lock_enter`; a process that is to touch a device \
                        without being interrupted by it doesn't wait for its interrupt meanwhile";

/// Refuses an object with such code.
///
/// # Errors
/// The first function that has it.
pub(super) fn check(source: &str, object: &[u8]) -> Result<(), BuildError> {
    let Some((function, instruction)) = object::File::parse(object).ok().and_then(|file| found(&file)) else {
        return Ok(());
    };
    Err(BuildError::Limit {
        message: format!(
            "`{function}` in {source} has `{instruction}`, which masks no interrupt: threads run in user mode, where nobody may"
        ),
        proposal: PROPOSAL.to_owned(),
    })
}

/// The function, and its instruction.
fn found(file: &object::File<'_>) -> Option<(String, &'static str)> {
    if file.architecture() != Architecture::Arm {
        return None;
    }
    let code = file.sections().filter(|section| section.kind() == SectionKind::Text);
    code.filter_map(|section| {
        let bytes = section.data().ok()?;
        let marks = marks(file, section.index());
        let (at, instruction) = thumb(bytes, &marks)?;
        Some((function(file, section.index(), at), instruction))
    })
    .next()
}

/// Where code begins and where data does, as the assembler marks it: `$t` and `$d`.
fn marks(file: &object::File<'_>, section: object::SectionIndex) -> Vec<(u64, bool)> {
    let own = file.symbols().filter(|symbol| symbol.section_index() == Some(section));
    let mut marks: Vec<_> = own
        .filter_map(|symbol| {
            let name = symbol.name().ok()?;
            let is_code = name.starts_with("$t");
            (is_code || name.starts_with("$d")).then_some((symbol.address(), is_code))
        })
        .collect();
    marks.sort_unstable();
    marks
}

/// Whether there is code at a place.
fn is_code(marks: &[(u64, bool)], at: usize) -> bool {
    let before = marks.iter().take_while(|(place, _)| usize::try_from(*place).is_ok_and(|place| place <= at));
    before.last().is_none_or(|(_, is_code)| *is_code)
}

/// The function at a place.
fn function(file: &object::File<'_>, section: object::SectionIndex, at: usize) -> String {
    let functions = file.symbols().filter(|symbol| {
        symbol.section_index() == Some(section) && symbol.kind() == object::SymbolKind::Text
    });
    let before = functions.filter(|symbol| {
        usize::try_from(symbol.address() & !1).is_ok_and(|address| address <= at)
            && !symbol.name().unwrap_or_default().starts_with('$')
    });
    let last = before.max_by_key(ObjectSymbol::address);
    last.and_then(|symbol| symbol.name().ok().map(str::to_owned)).unwrap_or_else(|| "code".to_owned())
}

fn half_word(bytes: &[u8], at: usize) -> Option<u16> {
    Some(u16::from_le_bytes(bytes.get(at..at.checked_add(2)?)?.try_into().ok()?))
}

/// Instructions of Thumb, each one or two half-words long.
fn thumb(bytes: &[u8], marks: &[(u64, bool)]) -> Option<(usize, &'static str)> {
    let mut at = 0;
    while let Some(first) = half_word(bytes, at) {
        if !is_code(marks, at) {
            at += 2;
            continue;
        }
        if first & 0xFFE8 == 0xB660 {
            return Some((at, if first & 0x10 == 0 { "cpsie" } else { "cpsid" }));
        }
        let is_long = first >> 11 >= 0b1_1101;
        if is_long && first & 0xFFE0 == 0xF380 {
            let second = half_word(bytes, at + 2)?;
            let masks = matches!(second & 0xFF, 0x10..=0x13);
            if second & 0xD000 == 0x8000 && masks {
                return Some((at, "msr"));
            }
        }
        at += if is_long { 4 } else { 2 };
    }
    None
}
