//! The text size of system code: the machine, the checker and the loader, in an image that receives programs
//! over a link.
//!
//! Counted by symbols, each with the module of its function. Code inlined into a function of another module
//! counts for that module: so the machine's part of a call, an interrupt and the loop of steps counts as
//! kernel services.

use std::fs;
use std::path::Path;

use anyhow::{Context, Result, ensure};
use beryl_builder::image;
use beryl_builder::workshop::Workshop;
use object::{Object, ObjectSymbol};

use crate::row::Row;
use crate::systems::{LANDING, load};

/// The benches in this file.
pub const NAMES: &[&str] = &[NAME];
/// The only bench.
const NAME: &str = "size/machine-text";
/// The case of all parts together, without cryptography.
pub const WHOLE: &str = "landing: machine, checker and loader";

/// The kernel's folder for carrying out system code, as in symbols.
const MACHINE: &[&str] = &["12beryl_kernel7machine"];
/// The code that checks arriving programs and lets them take over.
const CHECKER: &[&str] = &["12beryl_kernel8arriving", "13beryl_syscode"];
/// The code that receives programs, in a process of its own.
const LOADER: &[&str] = &[
    "12beryl_loader",
    "10beryl_link5bytes",
    "10beryl_link5frame",
    "10beryl_link6loader",
    "10beryl_link7message",
    "10beryl_link5order",
    "10beryl_link7refusal",
    "10beryl_link4slot",
    "10beryl_link7tracing",
];
/// The code that checks their signatures there, including library code inlined into the calling function.
const CRYPTOGRAPHY: &[&str] = &["10beryl_link3key", "15ed25519_compact", "4sha2", "6digest"];

/// Builds the system with a link, and measures its parts.
pub fn rows(workshop: &Workshop) -> Result<Vec<Row>> {
    let project = load(LANDING)?;
    let built = image::build(&project, workshop, |_| ())?;
    let process = workshop.folder(&project.assembly.name).join("loader.elf");
    let machine = weigh(&built.kernel, MACHINE)?;
    let checker = weigh(&built.kernel, CHECKER)?;
    let loader = weigh(&process, LOADER)?;
    Ok(vec![
        Row::bytes(NAME, WHOLE, machine + checker + loader),
        Row::bytes(NAME, "landing: the machine", machine),
        Row::bytes(NAME, "landing: the checker", checker),
        Row::bytes(NAME, "landing: the loader", loader),
        Row::bytes(NAME, "landing: the loader's cryptography", weigh(&process, CRYPTOGRAPHY)?),
    ])
}

/// The bytes of all functions of some modules in a linked file.
fn weigh(path: &Path, modules: &[&str]) -> Result<u64> {
    let elf = fs::read(path).with_context(|| format!("reading {}", path.display()))?;
    let file = object::File::parse(elf.as_slice())?;
    let its = file.symbols().filter(|symbol| symbol.name().is_ok_and(|name| is_of(name, modules)));
    let code = its.filter(|symbol| symbol.kind() == object::SymbolKind::Text);
    let bytes = code.map(|symbol| symbol.size()).sum();
    ensure!(bytes > 0, "{} has no functions of {modules:?}", path.display());
    Ok(bytes)
}

/// Whether a symbol is a function of one of these modules: the first crate in its name followed by a module
/// decides. Functions of a trait have the type in front, with dots instead of lengths.
fn is_of(name: &str, modules: &[&str]) -> bool {
    let path = name.strip_prefix("_ZN").unwrap_or(name);
    modules.iter().any(|module| path.starts_with(module) || is_of_type(path, &parts(module).join("..")))
}

/// The names in a path, each preceded by its length.
fn parts(mut path: &str) -> Vec<&str> {
    let mut parts = Vec::new();
    while let Some((digits, rest)) =
        path.find(|one: char| !one.is_ascii_digit()).map(|end| path.split_at(end))
        && let Ok(length) = digits.parse::<usize>()
        && let Some((part, behind)) = rest.split_at_checked(length)
    {
        parts.push(part);
        path = behind;
    }
    parts
}

/// Whether a path is a function of a trait for a type of a module: a length, `_<`, and the type.
fn is_of_type(path: &str, module: &str) -> bool {
    let behind = path.trim_start_matches(|one: char| one.is_ascii_digit());
    behind
        .strip_prefix("_$LT$")
        .is_some_and(|kind| kind.trim_start_matches("$RF$mut$u20$").starts_with(module))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn functions_are_told_by_their_modules() {
        assert!(is_of("_ZN12beryl_kernel7machine4runs3fooE", MACHINE));
        assert!(
            !is_of("_ZN12beryl_kernel8arriving5slots3fooE", MACHINE)
                && is_of("_ZN12beryl_kernel8arriving5slots3fooE", CHECKER)
        );
        assert!(is_of("_ZN70_$LT$beryl_loader..thread..Thread$u20$as$u20$core..Trait$GT$3fooE", LOADER));
        assert!(!is_of("_ZN70_$LT$core..Foo$u20$as$u20$beryl_loader..Trait$GT$3fooE", LOADER));
        assert!(is_of("_ZN55_$LT$ed25519_compact..Key$u20$as$u20$core..Trait$GT$3fooE", CRYPTOGRAPHY));
        assert!(is_of("_ZN10beryl_link3key9PublicKey10has_signedE", CRYPTOGRAPHY));
        assert!(!is_of("_ZN10beryl_link3key9PublicKey10has_signedE", LOADER));
        assert!(!is_of("memcpy", LOADER));
        assert_eq!(parts("15ed25519_compact4runs"), ["ed25519_compact", "runs"]);
    }
}
