//! The linked image: its code and its symbols.

use std::collections::{BTreeMap, BTreeSet};

use object::{Object, ObjectKind, ObjectSection, ObjectSymbol, SectionKind, SymbolKind};

use crate::instruction::{Flow, Instruction};
use crate::{ImageError, Processor};

/// A function that the symbol table names.
#[derive(Debug)]
struct Function {
    name: String,
    size: u32,
}

/// Code and symbols of a linked image.
#[derive(Debug)]
pub struct Image<'data> {
    /// What the code is for.
    pub processor: Processor,
    /// Where tables of jumps begin, as far as the compiler has left their names.
    pub tables: BTreeSet<u32>,
    code: Vec<(u32, &'data [u8])>,
    /// What nothing writes.
    constants: Vec<(u32, &'data [u8])>,
    functions: BTreeMap<u32, Function>,
    names: BTreeMap<String, Vec<u32>>,
    /// The instructions that look at what is pending, as the section [`LOOKS`] lists them.
    pub looks: BTreeSet<u32>,
}

/// The section in which sources list the addresses of instructions that look at what is pending.
const LOOKS: &str = ".step_boundaries";

/// Reads `elf` as a linked file for a processor whose code is read.
pub fn parse(elf: &[u8]) -> Result<object::File<'_>, ImageError> {
    let file = object::File::parse(elf).map_err(|error| ImageError::Image(error.to_string()))?;
    let reason = if Processor::of(file.architecture()).is_none() || !file.is_little_endian() {
        "it isn't for a little-endian 32-bit Arm or RISC-V processor"
    } else if file.kind() != ObjectKind::Executable {
        "it isn't linked"
    } else if file.symbols().next().is_none() {
        "it has no symbols"
    } else {
        return Ok(file);
    };
    Err(ImageError::Image(reason.to_owned()))
}

/// A symbol's name as people write it, without the compiler's hash.
pub fn readable(name: &str) -> String {
    addr2line::demangle_auto(name.into(), None).into_owned()
}

impl<'data> Image<'data> {
    /// Collects the code and the symbols of `file`.
    pub fn new(file: &object::File<'data>) -> Result<Self, ImageError> {
        let unknown = || ImageError::Image("nobody reads the code of its processor".to_owned());
        let mut image = Image {
            processor: Processor::of(file.architecture()).ok_or_else(unknown)?,
            code: Vec::new(),
            constants: Vec::new(),
            functions: BTreeMap::new(),
            names: BTreeMap::new(),
            looks: looks(file)?,
            tables: BTreeSet::new(),
        };
        for section in file.sections() {
            let place = match section.kind() {
                SectionKind::Text => &mut image.code,
                SectionKind::ReadOnlyData | SectionKind::ReadOnlyString => &mut image.constants,
                _ => continue,
            };
            let data = section.data().map_err(|error| ImageError::Image(error.to_string()))?;
            place.push((narrow(section.address())?, data));
        }
        for symbol in file.symbols() {
            let Ok(name) = symbol.name() else { continue };
            if symbol.is_definition() && name.starts_with(".LJTI") {
                image.tables.insert(narrow(symbol.address())?);
            }
            // `$t` and `$d` mark where code and data begin, and these are the assembler's own.
            if symbol.is_definition() && !name.starts_with('$') && !name.starts_with(".L") {
                image.add(name, &symbol)?;
            }
        }
        Ok(image)
    }

    fn add(&mut self, name: &str, symbol: &object::Symbol<'_, '_>) -> Result<(), ImageError> {
        let address = narrow(symbol.address())? & !1;
        if self.code(address).is_none() {
            return Ok(());
        }
        let plain = readable(name);
        if symbol.kind() == SymbolKind::Text {
            let size = narrow(symbol.size())?;
            let function = Function { name: plain.clone(), size };
            self.functions.entry(address).or_insert(function);
        }
        for name in [name.to_owned(), plain] {
            let addresses = self.names.entry(name).or_default();
            if !addresses.contains(&address) {
                addresses.push(address);
            }
        }
        Ok(())
    }

    /// The bytes from `address` to the end of its section.
    pub fn code(&self, address: u32) -> Option<&'data [u8]> {
        from(&self.code, address)
    }

    /// The word at `address`, if nothing writes it.
    pub fn constant(&self, address: u32) -> Option<u32> {
        let bytes = from(&self.constants, address).or_else(|| from(&self.code, address))?;
        Some(u32::from_le_bytes(*bytes.first_chunk()?))
    }

    /// The first instruction of `code`, which lies at `address`.
    ///
    /// # Errors
    /// It is none, for this reason.
    pub fn decode(&self, code: &[u8], address: u32) -> Result<Instruction, String> {
        self.processor.decode(code, address)
    }

    /// Whether the instruction before `address` is a call, so that a function may return there. What comes before an
    /// instruction can't be told for certain, since they have two lengths.
    #[must_use]
    pub fn is_behind_call(&self, address: u32) -> bool {
        [4, 2].into_iter().any(|length| {
            let place = address.wrapping_sub(length);
            let instruction = self.code(place).and_then(|code| self.decode(code, place).ok());
            instruction.is_some_and(|instruction| {
                instruction.length == length && matches!(instruction.flow, Flow::Call(_) | Flow::CallRegister)
            })
        })
    }

    /// Where a word would return to if it was a return address: behind a call, in the processor's form of one.
    #[must_use]
    pub fn returned_to(&self, word: u32) -> Option<u32> {
        let mark = match self.processor {
            Processor::Thumb => 1,
            Processor::Riscv => 0,
        };
        let address = word & !1;
        (word & 1 == mark && self.is_behind_call(address)).then_some(address)
    }

    /// Whether a function begins at `address`.
    pub fn is_function(&self, address: u32) -> bool {
        self.functions.contains_key(&address)
    }

    /// Whether a symbol of the code is at `address`, be it a function's or a label of an assembly source.
    pub fn is_named(&self, address: u32) -> bool {
        self.names.values().any(|addresses| addresses.contains(&address))
    }

    /// Each half-word of the code with its address, and all that follows it.
    pub fn half_words(&self) -> impl Iterator<Item = (u32, &'data [u8])> {
        self.code.iter().flat_map(|(start, data)| {
            let steps = (0_u32..)
                .step_by(2)
                .map_while(|offset| Some((offset, data.get(usize::try_from(offset).ok()?..)?)));
            steps.map(move |(offset, rest)| (start.wrapping_add(offset), rest))
        })
    }

    /// Where something may be called with the address `target`: each half-word from which on the bytes are
    /// such a call, whether or not control ever comes there.
    pub fn calls_of(&self, target: u32) -> Vec<u32> {
        let is_call = |(address, rest): &(u32, &[u8])| {
            self.decode(rest, *address).is_ok_and(|instruction| instruction.flow == Flow::Call(target))
        };
        self.half_words().filter(is_call).map(|(address, _)| address).collect()
    }

    /// The name of the function that begins at or most closely before `address`.
    pub fn name(&self, address: u32) -> String {
        let before = self.functions.range(..=address).next_back();
        before.map_or_else(|| format!("{address:#x}"), |(_, function)| function.name.clone())
    }

    /// The address after the function that `address` lies in, where the symbol table says.
    pub fn end_of_function(&self, address: u32) -> Option<u32> {
        let (start, function) = self.functions.range(..=address).next_back()?;
        start.checked_add(function.size).filter(|end| *end > address)
    }

    /// The code addresses of a symbol, by its plain or its mangled name.
    pub fn addresses(&self, name: &str) -> Result<&[u32], ImageError> {
        let addresses = self.names.get(name).ok_or_else(|| ImageError::NoSymbol(name.to_owned()))?;
        Ok(addresses)
    }

    /// The plain names of functions that end so.
    pub fn names_ending(&self, end: &str) -> Vec<String> {
        let names = self.functions.values().map(|function| &function.name);
        names.filter(|name| name.ends_with(end)).cloned().collect()
    }

    /// What `table` holds for the function at `address`, by its plain or its mangled name.
    pub fn lookup<'table, V>(&self, table: &'table BTreeMap<String, V>, address: u32) -> Option<&'table V> {
        table.iter().find_map(|(name, value)| {
            self.names.get(name).is_some_and(|addresses| addresses.contains(&address)).then_some(value)
        })
    }
}

/// The bytes of sections from `address` to the end of its own.
fn from<'data>(sections: &[(u32, &'data [u8])], address: u32) -> Option<&'data [u8]> {
    sections.iter().find_map(|(start, data)| {
        let offset = usize::try_from(address.checked_sub(*start)?).ok()?;
        data.get(offset..).filter(|rest| !rest.is_empty())
    })
}

fn looks(file: &object::File<'_>) -> Result<BTreeSet<u32>, ImageError> {
    let Some(section) = file.section_by_name(LOOKS) else { return Ok(BTreeSet::new()) };
    let data = section.data().map_err(|error| ImageError::Image(error.to_string()))?;
    let words = data.chunks_exact(4).filter_map(|word| word.try_into().ok());
    Ok(words.map(|word| u32::from_le_bytes(word) & !1).collect())
}

fn narrow(number: u64) -> Result<u32, ImageError> {
    u32::try_from(number).map_err(|_| ImageError::Image(format!("{number:#x} doesn't fit into 32 bits")))
}
