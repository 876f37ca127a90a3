//! Linking a process by itself, and what comes out of it.

use std::fs;
use std::path::{Path, PathBuf};

use object::read::elf::{ElfFile32, ProgramHeader};
use object::{Endianness, Object, ObjectSymbol};

use crate::BuildError;
use crate::emit::kernel::Image;
use crate::plan::Device;
use crate::toolchain::Toolchain;
use crate::workshop::{finish, replace};

/// A process that is to be linked.
pub struct Link<'a> {
    /// Its name.
    pub what: &'a str,
    /// The compiled glue and application.
    pub archive: &'a Path,
    /// What was in C.
    pub objects: &'a [PathBuf],
    /// Where the linker script goes.
    pub script: &'a Path,
    /// Where the result goes.
    pub elf: &'a Path,
    /// The first address of its text.
    pub flash: u32,
    /// The first address of its variables.
    pub variables: u32,
    /// The most that its variables may take.
    pub limit: u32,
    /// The functions that the kernel starts.
    pub roots: Vec<String>,
    /// Devices whose addresses its code may ask for.
    pub devices: &'a [Device],
}

/// A linked process.
#[derive(Clone, Debug)]
pub struct ProcessImage {
    pub(super) name: String,
    elf: Vec<u8>,
    flash: u32,
    text: u32,
    data: u32,
    loads: Vec<(u32, Vec<u8>)>,
}

impl Link<'_> {
    /// Links the process.
    ///
    /// # Errors
    /// What the linker says, and variables that are larger than the description allows.
    pub fn run(&self, toolchain: &Toolchain) -> Result<ProcessImage, BuildError> {
        replace(self.script, self.text().as_bytes())?;
        let mut linker = toolchain.linker();
        linker.args(["--gc-sections", "--no-dynamic-linker", "-nostdlib", "-T"]).arg(self.script);
        for root in self.roots.iter().map(String::as_str).chain(["BERYL_PORTS"]) {
            linker.args(["--undefined", root]);
        }
        linker.arg("-o").arg(self.elf).arg(self.archive).args(self.objects);
        finish(&format!("linking process `{}`", self.what), linker)?;
        let elf = fs::read(self.elf).map_err(|reason| BuildError::file("read", self.elf, reason))?;
        self.image(elf)
    }

    /// Where text, constants and variables go. Initial values of variables follow the text.
    fn text(&self) -> String {
        let address = |name: &str| {
            self.devices.iter().find(|device| device.name == name).map(|device| device.interval.base)
        };
        let symbols =
            [("__beryl_environment", address("environment")), ("__beryl_console", address("uart0"))];
        let symbols: String = symbols
            .iter()
            .map(|(name, address)| format!("{name} = {:#010x};\n", address.unwrap_or(0)))
            .collect();
        format!(
            "/* Process `{}`. Written by the builder; changes are lost. */\n{symbols}\
             PHDRS {{ text PT_LOAD; data PT_LOAD; }}\nSECTIONS\n{{\n  .text {:#010x} : {{ *(.text .text.*) }} :text\n  \
             .rodata : ALIGN(4) {{ KEEP(*(.rodata.BERYL_PORTS)) KEEP(*(.rodata.BERYL_PUBLISHED)) *(.rodata .rodata.*) . = ALIGN(4); }} :text\n  \
             __beryl_load = .;\n  \
             .data {:#010x} : AT(__beryl_load) ALIGN(4) {{ *(.data .data.*) . = ALIGN(4); }} :data\n  \
             .bss (NOLOAD) : ALIGN(4) {{ *(.bss .bss.* COMMON) . = ALIGN(4); }} :data\n  \
             __beryl_data_length = SIZEOF(.data);\n  __beryl_bss_length = SIZEOF(.bss);\n  \
             /DISCARD/ : {{ *(.ARM.exidx .ARM.exidx.* .ARM.attributes) }}\n}}\n",
            self.what, self.flash, self.variables
        )
    }

    fn image(&self, elf: Vec<u8>) -> Result<ProcessImage, BuildError> {
        let image = ProcessImage {
            name: self.what.to_owned(),
            flash: self.flash,
            text: 0,
            data: 0,
            loads: loads(&elf)?,
            elf,
        };
        let data = image.symbol("__beryl_data_length")?;
        let zeros = image.symbol("__beryl_bss_length")?;
        let text = image.symbol("__beryl_load")?.saturating_sub(self.flash);
        let needed = data.saturating_add(zeros);
        if needed > self.limit {
            return Err(BuildError::Limit {
                message: format!(
                    "the variables of process `{}` take {needed} bytes, the description allows {}",
                    self.what, self.limit
                ),
                proposal: format!(
                    "raise `memory` in [process.{}] to \"{needed}\", or make its variables smaller",
                    self.what
                ),
            });
        }
        Ok(ProcessImage { text, data, ..image })
    }
}

impl ProcessImage {
    /// The address behind everything that it has in flash.
    #[must_use]
    pub fn end(&self) -> u32 {
        self.flash.saturating_add(self.text).saturating_add(self.data).next_multiple_of(8)
    }

    /// The linked program, with its symbols.
    #[must_use]
    pub fn elf(&self) -> &[u8] {
        &self.elf
    }

    /// Bytes of code and constants.
    #[must_use]
    pub fn text_length(&self) -> u32 {
        self.text
    }

    /// Bytes of initialised variables.
    #[must_use]
    pub fn data_length(&self) -> u32 {
        self.data
    }

    /// What it has in flash: addresses and bytes.
    pub fn loads(&self) -> impl Iterator<Item = (u32, &[u8])> {
        self.loads.iter().map(|(address, bytes)| (*address, bytes.as_slice()))
    }

    /// What its variables start with; the rest, up to the limit, is zero.
    #[must_use]
    pub fn variables(&self, address: u32, limit: u32) -> Image {
        let zeros = limit.saturating_sub(address.saturating_add(self.data));
        Image { load: self.flash.saturating_add(self.text), address, length: self.data, zeros: zeros / 4 * 4 }
    }

    /// The address of a symbol.
    ///
    /// # Errors
    /// The process has no such symbol.
    pub fn symbol(&self, name: &str) -> Result<u32, BuildError> {
        let missing =
            |output: String| BuildError::Step { what: format!("reading process `{}`", self.name), output };
        let elf = object::File::parse(self.elf.as_slice()).map_err(|reason| missing(reason.to_string()))?;
        let address = elf.symbols().find(|symbol| symbol.name() == Ok(name)).map(|symbol| symbol.address());
        let address = address.ok_or_else(|| missing(format!("it has no symbol `{name}`")))?;
        u32::try_from(address).map_err(|reason| missing(reason.to_string()))
    }
}

/// What an ELF file puts into flash: physical addresses and bytes.
///
/// # Errors
/// It isn't an ELF file for this processor.
pub fn loads(elf: &[u8]) -> Result<Vec<(u32, Vec<u8>)>, BuildError> {
    let unreadable = |reason: object::Error| BuildError::Step {
        what: "reading a linked program".to_owned(),
        output: reason.to_string(),
    };
    let file = ElfFile32::<Endianness>::parse(elf).map_err(unreadable)?;
    let endian = file.endian();
    let mut loads = Vec::new();
    for header in file.elf_program_headers() {
        if header.p_type(endian) != object::elf::PT_LOAD || header.p_filesz(endian) == 0 {
            continue;
        }
        let bytes = header.data(endian, elf).map_err(|()| unreadable_segment())?;
        loads.push((header.p_paddr(endian), bytes.to_vec()));
    }
    Ok(loads)
}

fn unreadable_segment() -> BuildError {
    BuildError::Step {
        what: "reading a linked program".to_owned(),
        output: "a segment lies outside the file".to_owned(),
    }
}
