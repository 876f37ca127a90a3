//! The origin of a kernel instruction: its function, the functions that it was inlined into, and its text.

use std::collections::btree_map::Entry;
use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::PathBuf;

use anyhow::{Context, Result, anyhow, ensure};
use beryl_builder::board::Processor;
use beryl_builder::board::code::instruction::Instruction;
use beryl_builder::board::code::{Image, image};
use beryl_builder::toolchain::root;
use beryl_path::{Frame, Lines};
use object::{Object, ObjectSymbol};

use crate::observed::starts;

/// The origin of an instruction.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Origin {
    /// The linked function that contains it.
    pub symbol: String,
    /// The places in the source, the innermost function first; empty if the compiler gives none.
    pub chain: Vec<Frame>,
    /// The instruction as text.
    pub text: String,
    /// Whether that function is where the processor enters the kernel.
    pub is_entry: bool,
}

impl Origin {
    /// The places in readable form; the linked function if there are none.
    pub fn places(&self) -> String {
        let place = |frame: &Frame| {
            let function = frame.function.as_deref().unwrap_or_default();
            let function = function.split('<').next().unwrap_or_default();
            format!("{}:{} {function}", frame.file, frame.line)
        };
        let places: Vec<_> = self.chain.iter().map(place).collect();
        if places.is_empty() { self.symbol.clone() } else { places.join(" < ") }
    }
}

/// A linked kernel, by addresses.
pub struct Origins<'data> {
    image: Image<'data>,
    lines: Lines<'data>,
    /// The names of the functions where the processor enters it.
    entries: BTreeSet<String>,
    known: BTreeMap<u32, Origin>,
}

impl<'data> Origins<'data> {
    /// Reads a kernel for a processor.
    ///
    /// # Errors
    /// If it can't be read, or has no line information.
    pub fn new(elf: &'data [u8], processor: &Processor) -> Result<Origins<'data>> {
        let file = image::parse(elf)?;
        ensure!(
            file.section_by_name(".debug_line").is_some(),
            "the kernel has no line tables; `debug` in its profile (builder/src/emit/manifest.rs) must be \"line-tables-only\""
        );
        let entries =
            names(&file, &starts(&file, &processor.entries.symbols().into_iter().collect::<Vec<_>>()));
        Ok(Origins { image: Image::new(&file)?, lines: Lines::new(&file)?, entries, known: BTreeMap::new() })
    }

    /// The addresses of this many consecutive instructions.
    ///
    /// # Errors
    /// If there aren't that many.
    pub fn block(&self, first: u32, count: u64) -> Result<Vec<u32>> {
        let mut address = first;
        let next = |_| {
            let (here, length) = (address, instruction(&self.image, address)?.length);
            address += length;
            Ok(here)
        };
        (0..count).map(next).collect()
    }

    /// The origin of the instruction at an address.
    ///
    /// # Errors
    /// If there is no instruction.
    pub fn origin(&mut self, address: u32) -> Result<&Origin> {
        let Origins { image, lines, entries, known } = self;
        match known.entry(address) {
            Entry::Occupied(entry) => Ok(entry.into_mut()),
            Entry::Vacant(entry) => {
                let code =
                    image.code(address).with_context(|| format!("there is no code at {address:#x}"))?;
                let text =
                    image.decode(code, address).map_err(|reason| anyhow!("{address:#x}: {reason}"))?.text;
                let chain = lines.known_frames(address).into_iter().map(within_root).collect();
                let symbol = image.name(address);
                let is_entry = entries.contains(&symbol);
                Ok(entry.insert(Origin { symbol, chain, text, is_entry }))
            }
        }
    }
}

/// All names of the functions at some addresses.
fn names(file: &object::File<'_>, addresses: &BTreeSet<u32>) -> BTreeSet<String> {
    let is_there =
        |address: u64| u32::try_from(address & !1).is_ok_and(|address| addresses.contains(&address));
    let there = file.symbols().filter(|symbol| is_there(symbol.address()));
    there.filter_map(|symbol| symbol.name().ok().map(str::to_owned)).collect()
}

fn instruction(image: &Image<'_>, address: u32) -> Result<Instruction> {
    let code = image.code(address).with_context(|| format!("there is no code at {address:#x}"))?;
    image.decode(code, address).map_err(|reason| anyhow!("{address:#x}: {reason}"))
}

/// A frame with its path relative to the root of the sources, if it is inside. A kernel is compiled where links lead to
/// them.
fn within_root(frame: Frame) -> Frame {
    let path = fs::canonicalize(&frame.file).unwrap_or_else(|_| PathBuf::from(&frame.file));
    let file = path.strip_prefix(root()).map(|path| path.display().to_string());
    Frame { file: file.unwrap_or_else(|_| frame.file.clone()), ..frame }
}
