//! From addresses to source lines.

use std::borrow::Cow;

use addr2line::gimli::{Dwarf, EndianSlice, LittleEndian, SectionId};
use addr2line::{Context, LookupResult};
use object::{Object, ObjectSection, SymbolMap, SymbolMapName};

use crate::image::readable;
use crate::{ImageError, image};

type Slice<'data> = EndianSlice<'data, LittleEndian>;

/// A source position of an instruction.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Frame {
    /// The function, also where it was inlined.
    pub function: Option<String>,
    /// The source file as the compiler was given it; empty if unknown.
    pub file: String,
    /// The line, from 1; 0 if unknown.
    pub line: u32,
}

/// The line table of an image.
pub struct Lines<'data> {
    context: Context<Slice<'data>>,
    /// Names by addresses, for functions that the line table has no name of: into which nothing was inlined.
    names: SymbolMap<SymbolMapName<'data>>,
}

impl<'data> Lines<'data> {
    /// Opens the line table of a linked program.
    ///
    /// # Errors
    /// If it isn't one, or is damaged.
    pub fn read(elf: &'data [u8]) -> Result<Self, ImageError> {
        Lines::new(&image::parse(elf)?)
    }

    /// Opens the line table of `file`, which may be empty.
    ///
    /// # Errors
    /// If it is damaged.
    pub fn new(file: &object::File<'data>) -> Result<Self, ImageError> {
        let dwarf = Dwarf::load(|id| section(file, id))?;
        let context = Context::from_dwarf(dwarf).map_err(|error| ImageError::Image(error.to_string()))?;
        Ok(Lines { context, names: file.symbol_map() })
    }

    /// Where the instruction at `address` comes from: innermost first, then the places that it was inlined
    /// into. Empty where the compiler doesn't say.
    #[must_use]
    pub fn frames(&self, address: u32) -> Vec<Frame> {
        let mut frames = self.known_frames(address);
        if let Some(outermost) = frames.last_mut().filter(|frame| frame.function.is_none()) {
            // A symbol of the processor's functions has its lowest bit set.
            outermost.function =
                self.names.before(u64::from(address | 1)).map(|symbol| readable(symbol.name()));
        }
        if frames.iter().all(|frame| frame.line > 0) { frames } else { Vec::new() }
    }

    /// The same where the compiler says a part only: of some instructions it knows the functions and no line,
    /// which is 0 then.
    #[must_use]
    pub fn known_frames(&self, address: u32) -> Vec<Frame> {
        let LookupResult::Output(Ok(mut frames)) = self.context.find_frames(u64::from(address)) else {
            return Vec::new();
        };
        let mut found = Vec::new();
        while let Ok(Some(frame)) = frames.next() {
            let function = frame.function.and_then(|name| name.demangle().ok().map(Cow::into_owned));
            let place = frame.location.and_then(|place| Some((place.file?, place.line.unwrap_or(0))));
            let (file, line) = place.unwrap_or_default();
            found.push(Frame { function, file: file.to_owned(), line });
        }
        found
    }
}

fn section<'data>(file: &object::File<'data>, id: SectionId) -> Result<Slice<'data>, ImageError> {
    let data = match file.section_by_name(id.name()) {
        Some(section) => section.data().map_err(|error| ImageError::Image(error.to_string()))?,
        None => &[],
    };
    Ok(EndianSlice::new(data, LittleEndian))
}
