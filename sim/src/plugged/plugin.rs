//! The emulator's side: its interface for plugins, which is one of C.
//!
//! The emulator is one program with one processor that carries out instructions on one native thread; that thread has
//! the plant. Functions of the emulator are looked up when the plugin is loaded: other programs that link this library
//! don't have them.
#![expect(unsafe_code, reason = "the emulator loads the plugin and calls it, by an interface of C")]

use std::cell::{Cell, RefCell};
use std::ffi::{CStr, c_char, c_int, c_uint, c_void};
use std::fs::File;
use std::os::unix::fs::FileExt;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::OnceLock;
use std::sync::atomic::{AtomicU64, Ordering};

use super::inputs::Emulated;
use super::{Access, Broken, Plugged, Settings, Shared};
use crate::environment::Environment;

/// The version of the emulator's interface for plugins.
pub const VERSION: c_int = 1;

/// What makes the environment, from its seed.
type Make = fn(u64) -> Box<dyn Environment>;

/// A piece of code that the emulator translates.
type Block = c_void;
/// An instruction of it.
type Instruction = c_void;
/// About an access.
type Info = u32;

/// The functions of the emulator that are used here.
struct Emulator {
    on_translation: extern "C" fn(u64, extern "C" fn(u64, *mut Block)),
    instructions: extern "C" fn(*const Block) -> usize,
    instruction: extern "C" fn(*const Block, usize) -> *mut Instruction,
    on_access: extern "C" fn(
        *mut Instruction,
        extern "C" fn(c_uint, Info, u64, *mut c_void),
        c_int,
        c_int,
        *mut c_void,
    ),
    count: extern "C" fn(*mut Instruction, c_int, *mut c_void, u64),
    on_begin: extern "C" fn(*mut Block, extern "C" fn(c_uint, *mut c_void), c_int, *mut c_void),
    is_store: extern "C" fn(Info) -> bool,
    at_exit: extern "C" fn(u64, extern "C" fn(u64, *mut c_void), *mut c_void),
}

/// What is the same during the whole run.
struct Loaded {
    emulator: Emulator,
    settings: Settings,
    make: Make,
}

static LOADED: OnceLock<Loaded> = OnceLock::new();
/// Instructions that were carried out. Compiled code counts here by itself.
static COUNT: AtomicU64 = AtomicU64::new(0);
/// How many there are when interrupts are looked at next.
static NEXT_LOOK: AtomicU64 = AtomicU64::new(0);

thread_local! {
    // Never dropped, so it is still there when the emulator ends.
    static PLUGGED: Cell<Option<&'static RefCell<Plugged<SharedFile, Emulated>>>> = const { Cell::new(None) };
}

/// Loads the plugin: what the emulator asks for by the name `qemu_plugin_install`. Answers 0 if all is well.
///
/// # Safety
///
/// `arguments` are `count` texts in C's form.
pub unsafe fn install(id: u64, count: c_int, arguments: *const *const c_char, make: Make) -> c_int {
    let all = (0..usize::try_from(count).unwrap_or(0)).map(|index| {
        // SAFETY: as the caller says.
        let text = unsafe { CStr::from_ptr(*arguments.add(index)) };
        text.to_string_lossy().into_owned()
    });
    let loaded = Settings::parse(&all.collect::<Vec<_>>())
        .and_then(|settings| Ok(Loaded { emulator: Emulator::find()?, settings, make }));
    match loaded {
        Ok(loaded) => {
            let Loaded { emulator, .. } = LOADED.get_or_init(|| loaded);
            (emulator.on_translation)(id, translated);
            (emulator.at_exit)(id, ended, std::ptr::null_mut());
            0
        }
        Err(reason) => {
            eprintln!("error: {reason}");
            1
        }
    }
}

impl Emulator {
    fn find() -> Result<Emulator, String> {
        // SAFETY: the functions of these names have these types, in the version of the interface that this plugin
        // says; the emulator refuses to load it if it has another one.
        unsafe {
            Ok(Emulator {
                on_translation: function(c"qemu_plugin_register_vcpu_tb_trans_cb")?,
                instructions: function(c"qemu_plugin_tb_n_insns")?,
                instruction: function(c"qemu_plugin_tb_get_insn")?,
                on_access: function(c"qemu_plugin_register_vcpu_mem_cb")?,
                count: function(c"qemu_plugin_register_vcpu_insn_exec_inline")?,
                on_begin: function(c"qemu_plugin_register_vcpu_tb_exec_cb")?,
                is_store: function(c"qemu_plugin_mem_is_store")?,
                at_exit: function(c"qemu_plugin_register_atexit_cb")?,
            })
        }
    }
}

/// The emulator's function of a name.
///
/// # Safety
///
/// `F` is the type of a pointer to it.
unsafe fn function<F: Copy>(name: &CStr) -> Result<F, String> {
    const { assert!(size_of::<F>() == size_of::<*mut c_void>(), "a pointer to a function") };
    // SAFETY: a name in C's form, looked up in this program.
    let found = unsafe { libc::dlsym(libc::RTLD_DEFAULT, name.as_ptr()) };
    if found.is_null() {
        return Err(format!("the emulator has no function {}", name.to_string_lossy()));
    }
    // SAFETY: a pointer to a function, as the caller says; and it isn't null.
    Ok(unsafe { std::mem::transmute_copy(&found) })
}

/// Each instruction of a translated block counts, and tells of its accesses.
extern "C" fn translated(_id: u64, block: *mut Block) {
    /// Callbacks touch no registers.
    const NO_REGISTERS: c_int = 0;
    const LOADS_AND_STORES: c_int = 3;
    const ADD: c_int = 0;
    let Some(Loaded { emulator, settings, .. }) = LOADED.get() else { return };
    if settings.inputs.is_some() {
        (emulator.on_begin)(block, began, NO_REGISTERS, std::ptr::null_mut());
    }
    for index in 0..(emulator.instructions)(block) {
        let instruction = (emulator.instruction)(block, index);
        (emulator.count)(instruction, ADD, COUNT.as_ptr().cast(), 1);
        (emulator.on_access)(instruction, accessed, NO_REGISTERS, LOADS_AND_STORES, std::ptr::null_mut());
    }
}

/// A block begins.
extern "C" fn began(_processor: c_uint, _: *mut c_void) {
    let count = COUNT.load(Ordering::Relaxed);
    if count >= NEXT_LOOK.load(Ordering::Relaxed) {
        guarded(|| with_plugged(|plugged| plugged.look(count)));
    }
}

/// The board has touched memory.
extern "C" fn accessed(_processor: c_uint, info: Info, address: u64, _: *mut c_void) {
    let Some(Loaded { emulator, settings, .. }) = LOADED.get() else { return };
    let Some(address) = u32::try_from(address).ok().filter(|address| settings.is_about(*address)) else {
        return;
    };
    let access = if (emulator.is_store)(info) { Access::Store } else { Access::Load };
    guarded(|| with_plugged(|plugged| plugged.touched(access, address, COUNT.load(Ordering::Relaxed))));
}

/// The board has ended its run, on the thread that carries out its instructions.
extern "C" fn ended(_id: u64, _: *mut c_void) {
    let Some(Loaded { settings, .. }) = LOADED.get() else { return };
    guarded(|| {
        let said = with_plugged(|plugged| Ok(plugged.finish()))?;
        let text = match &said {
            Ok(report) => format!("well\n{report}"),
            Err(report) => format!("unwell\n{report}"),
        };
        let unwritable = |reason: std::io::Error| Broken(format!("{}: {reason}", settings.report.display()));
        std::fs::write(&settings.report, text).map_err(unwritable)
    });
}

/// Calls `body` with the plant, which is made when it is needed first.
fn with_plugged<R>(
    body: impl FnOnce(&mut Plugged<SharedFile, Emulated>) -> Result<R, Broken>,
) -> Result<R, Broken> {
    let plugged = match PLUGGED.get() {
        Some(plugged) => plugged,
        None => {
            let Loaded { settings, make, .. } = LOADED.get().ok_or(Broken("not loaded".to_owned()))?;
            let memory = SharedFile::open(settings)?;
            let plugged = Plugged::new(
                settings.clone(),
                memory,
                make(settings.seed),
                settings.inputs.clone().map(Emulated::new),
            )?;
            let plugged: &'static _ = Box::leak(Box::new(RefCell::new(plugged)));
            PLUGGED.set(Some(plugged));
            plugged
        }
    };
    let mut plugged = plugged.borrow_mut();
    let result = body(&mut plugged);
    NEXT_LOOK.store(plugged.next_look, Ordering::Relaxed);
    result
}

/// Does something that must not unwind into the emulator, and ends the run if it can't go on.
fn guarded(body: impl FnOnce() -> Result<(), Broken>) {
    // The run ends behind a panic: nobody sees what it leaves half done.
    match catch_unwind(AssertUnwindSafe(body)) {
        Ok(Ok(())) => return,
        Ok(Err(reason)) => eprintln!("error: {reason}"),
        Err(_) => eprintln!("error: the environment panicked, as said above"),
    }
    // SAFETY: ends the emulator at once, without what it does at its own end.
    unsafe { libc::_exit(3) }
}

/// The memory as a file: the emulator has mapped it, so both see the same bytes.
struct SharedFile {
    file: File,
    base: u32,
}

impl SharedFile {
    fn open(settings: &Settings) -> Result<SharedFile, Broken> {
        let file = File::options().read(true).write(true).open(&settings.memory);
        let file = file.map_err(|reason| Broken(format!("{}: {reason}", settings.memory.display())))?;
        Ok(SharedFile { file, base: settings.base })
    }

    fn place(&self, address: u32) -> Result<u64, Broken> {
        let place = address.checked_sub(self.base);
        place.map(u64::from).ok_or_else(|| Broken(format!("{address:#x} isn't in the shared memory")))
    }
}

impl Shared for SharedFile {
    fn read(&self, address: u32, bytes: &mut [u8]) -> Result<(), Broken> {
        let read = self.file.read_exact_at(bytes, self.place(address)?);
        read.map_err(|reason| Broken(format!("reading the shared memory: {reason}")))
    }

    fn write(&self, address: u32, bytes: &[u8]) -> Result<(), Broken> {
        let written = self.file.write_all_at(bytes, self.place(address)?);
        written.map_err(|reason| Broken(format!("writing the shared memory: {reason}")))
    }
}
