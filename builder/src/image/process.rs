//! Linking a process by itself, and what comes out of it.

use std::fs;
use std::path::Path;

use object::read::elf::{ElfFile32, ProgramHeader};
use object::{Endianness, Object, ObjectSymbol};

use crate::board::Image;
use crate::c::Compiled;
use crate::emit::identifier;
use crate::emit::process::sections_symbol;
use crate::error::BuildError;
use crate::plan::{Linked, Plan, ProcessPlan};
use crate::quantity::Bytes;
use crate::statements;
use crate::toolchain::Toolchain;
use crate::workshop::{finish, replace};

/// The environment's window, as code asks for its address.
pub(super) const ENVIRONMENT: &str = "__beryl_environment";

/// A process that is to be linked.
pub struct Link<'a> {
    /// Its name.
    pub what: &'a str,
    /// The compiled glue and application.
    pub archive: &'a Path,
    /// What was in C.
    pub in_c: &'a Compiled,
    /// Where the linker script goes.
    pub script: &'a Path,
    /// Where the result goes.
    pub elf: &'a Path,
    /// The first address of its text.
    pub flash: u32,
    /// The first address of its variables.
    pub variables: u32,
    /// The functions that the kernel starts.
    pub roots: Vec<String>,
    /// Where everything is, under names whose addresses its code may ask for.
    pub plan: &'a Plan,
    /// Where the process itself is.
    pub place: &'a ProcessPlan,
}

/// A linked process.
#[derive(Clone, Debug)]
pub struct ProcessImage {
    pub(super) name: String,
    elf: Vec<u8>,
    flash: u32,
    text: u32,
    /// Where its initialised variables are.
    variables: u32,
    data: u32,
    zeros: u32,
    loads: Vec<(u32, Vec<u8>)>,
}

impl Link<'_> {
    /// Links the process.
    ///
    /// # Errors
    /// What the linker says.
    pub fn run(&self, toolchain: &Toolchain) -> Result<ProcessImage, BuildError> {
        replace(self.script, self.text().as_bytes())?;
        let mut linker = toolchain.linker();
        // If something has no room, the plan says so, with its bytes.
        linker.arg("--no-check-sections");
        // Which code asks for what stays readable.
        linker.arg("--emit-relocs");
        linker.args(["--gc-sections", "--no-dynamic-linker", "-nostdlib", "-T"]).arg(self.script);
        for root in self.roots.iter().map(String::as_str).chain(["BERYL_PORTS"]) {
            linker.args(["--undefined", root]);
        }
        linker.arg("-o").arg(self.elf).arg(self.archive).args(&self.in_c.objects).args(&self.in_c.library);
        finish(&format!("linking process `{}`", self.what), linker)?;
        let elf = fs::read(self.elf).map_err(|reason| BuildError::file("read", self.elf, reason))?;
        self.image(elf)
    }

    /// Where text, constants and variables go. Initial values of variables follow the text.
    fn text(&self) -> String {
        let [names, log] = statements::in_process();
        let symbols = [self.devices(), self.journal(), self.sections(), self.places(), names].concat();
        format!(
            "/* Process `{}`. Written by the builder; changes are lost. */\n{symbols}\
             PHDRS {{ text PT_LOAD; data PT_LOAD; }}\nSECTIONS\n{{\n  .text {:#010x} : {{ *(.text .text.*) }} :text\n  \
             .rodata : ALIGN(4) {{ KEEP(*(.rodata.BERYL_PORTS)) KEEP(*(.rodata.BERYL_PUBLISHED)) *(.rodata .rodata.*) . = ALIGN(4); }} :text\n  \
             __beryl_load = .;\n  \
             .data {:#010x} : AT(__beryl_load) ALIGN(4) {{ *(.data .data.*) . = ALIGN(4); }} :data\n  \
             .bss (NOLOAD) : ALIGN(4) {{ *(.bss .bss.* COMMON) . = ALIGN(4); }} :data\n  \
             __beryl_variables_end = .;\n  __beryl_data = ADDR(.data);\n  __beryl_data_length = SIZEOF(.data);\n{log}  \
             /DISCARD/ : {{ *(.ARM.exidx .ARM.exidx.* .ARM.attributes) }}\n}}\n",
            self.what, self.flash, self.variables
        )
    }

    fn devices(&self) -> String {
        let address = |name: &str| {
            let device = self.plan.board.devices.iter().find(|device| device.name == name);
            device.map_or(0, |device| device.interval.base)
        };
        let symbols = [
            (ENVIRONMENT, address(self.plan.board.environment)),
            ("__beryl_console", address(self.plan.board.console)),
            ("__beryl_ethernet", address("ethernet")),
            ("__beryl_i2c", address("i2c")),
        ];
        symbols.map(|(name, address)| format!("{name} = {address:#010x};\n")).concat()
    }

    /// Where the process writes down events, or something in place of that, and where it reads their time.
    fn journal(&self) -> String {
        let journal = match self.place.journal.is_empty() {
            true => "BERYL_NO_JOURNAL".to_owned(),
            false => format!("{:#010x}", self.place.journal.base),
        };
        format!(
            "PROVIDE(__beryl_journal = {journal});\nPROVIDE(__beryl_clock = {:#010x});\n",
            self.plan.board.count
        )
    }

    /// Which ceiling each thread takes for a critical section: a table in the glue.
    fn sections(&self) -> String {
        format!("PROVIDE(__beryl_sections = {});\n", sections_symbol(self.what))
    }

    /// Where the memory of the kernel and of each process begins, what all may read, and each stack: for code that goes
    /// wrong on purpose. The linker takes the names that some code asks for.
    fn places(&self) -> String {
        let plan = self.plan;
        let memory = plan.processes.iter().map(|process| {
            (format!("memory_{}", identifier(&process.name)), process.memory.region.interval.base)
        });
        let stacks = plan
            .stacks
            .iter()
            .map(|stack| (format!("stack_{}", identifier(&stack.thread)), stack.block.region.interval.base));
        let fixed = [
            ("kernel_memory".to_owned(), plan.kernel.ram.base),
            ("published".to_owned(), plan.published.region.interval.base),
        ];
        let symbols = fixed.into_iter().chain(memory).chain(stacks);
        symbols.map(|(name, address)| format!("PROVIDE(__beryl_{name} = {address:#010x});\n")).collect()
    }

    fn image(&self, elf: Vec<u8>) -> Result<ProcessImage, BuildError> {
        let image = ProcessImage {
            name: self.what.to_owned(),
            flash: self.flash,
            text: 0,
            variables: self.variables,
            data: 0,
            zeros: 0,
            loads: loads(&elf)?,
            elf,
        };
        let data = image.symbol("__beryl_data_length")?;
        let variables = image.symbol("__beryl_data")?;
        // Before a variable with an alignment of its own there may be a gap, which is zero at the start.
        let zeros =
            image.symbol("__beryl_variables_end")?.saturating_sub(self.variables).saturating_sub(data);
        let text = image.symbol("__beryl_load")?.saturating_sub(self.flash);
        Ok(ProcessImage { text, variables, data, zeros, ..image })
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

    /// Its name, and the linked program.
    #[must_use]
    pub fn named(&self) -> (&str, &[u8]) {
        (&self.name, &self.elf)
    }

    /// Its sizes.
    #[must_use]
    pub fn linked(&self) -> Linked {
        let [text, data, zeros] = [self.text, self.data, self.zeros].map(Bytes::new);
        Linked { text, data, zeros }
    }

    /// What it has in flash: addresses and bytes.
    pub fn loads(&self) -> impl Iterator<Item = (u32, &[u8])> {
        self.loads.iter().map(|(address, bytes)| (*address, bytes.as_slice()))
    }

    /// What its variables start with; the rest, up to the limit, is zero.
    #[must_use]
    pub fn variables(&self, limit: u32) -> Image {
        let zeros = limit.saturating_sub(self.variables.saturating_add(self.data)) / 4 * 4;
        let load = self.flash.saturating_add(self.text);
        Image { load, address: self.variables, length: self.data, zeros }
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
