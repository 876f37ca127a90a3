//! The emulator's side: its interface for plugins, which is one of C.
//!
//! The emulator is one program that carries out the instructions of all processors on one native thread; that thread has
//! what the plugin plays. Functions of the emulator are looked up when the plugin is loaded: other programs that link this library
//! don't have them.
#![expect(unsafe_code, reason = "the emulator loads the plugin and calls it, by an interface of C")]

use std::cell::{Cell, RefCell};
use std::ffi::{CStr, c_char, c_int, c_uint, c_void};
use std::os::fd::FromRawFd;
use std::os::unix::net::UnixStream;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::OnceLock;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};

use super::part::{Coupling, Make, Part, Planted, Role};
use super::{Access, Broken, Settings, bus};
use crate::bus::Schedule;

/// The version of the emulator's interface for plugins.
pub const VERSION: c_int = 1;

/// A piece of code that the emulator translates.
pub(super) type Block = c_void;
/// An instruction of it.
type Instruction = c_void;
/// About an access.
type Info = u32;

/// Callbacks touch no registers.
pub(super) const NO_REGISTERS: c_int = 0;
/// What compiled code does with a number of the plugin's.
const ADD: c_int = 0;

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
    role: Box<dyn Role>,
}

static LOADED: OnceLock<Loaded> = OnceLock::new();
/// Instructions that were carried out. Compiled code counts here by itself.
static COUNT: AtomicU64 = AtomicU64::new(0);
/// Whether what the plugin plays has begun.
static HAS_BEGUN: AtomicBool = AtomicBool::new(false);
/// How many there are when interrupts are looked at next.
static NEXT_LOOK: AtomicU64 = AtomicU64::new(0);

thread_local! {
    // Never dropped, so it is still there when the emulator ends.
    static PART: Cell<Option<&'static RefCell<Box<dyn Part>>>> = const { Cell::new(None) };
}

/// Loads the plugin with an environment: what the emulator asks for by the name `qemu_plugin_install`. Answers 0 if all
/// is well.
///
/// # Safety
///
/// `arguments` are `count` texts in C's form.
pub unsafe fn install(id: u64, count: c_int, arguments: *const *const c_char, make: Make) -> c_int {
    // SAFETY: as the caller says.
    let told = unsafe { texts(count, arguments) };
    load(id, Settings::parse(&told).map(|settings| Box::new(Planted { settings, make }) as Box<dyn Role>))
}

/// Loads the plugin with the bus controller of a node, whose line is the emulator's standard input; as [`install`].
///
/// # Safety
///
/// As there; and nothing else in the emulator uses its standard input, which is a socket.
pub unsafe fn install_bus(
    id: u64,
    count: c_int,
    arguments: *const *const c_char,
    schedule: &Schedule<'static>,
) -> c_int {
    // SAFETY: as the caller says.
    let (told, line) = unsafe { (texts(count, arguments), UnixStream::from_raw_fd(libc::STDIN_FILENO)) };
    let schedule = *schedule;
    let role = bus::Settings::parse(&told)
        .map(|settings| Box::new(Coupling { settings, schedule, line }) as Box<dyn Role>);
    load(id, role)
}

/// Texts in C's form.
///
/// # Safety
///
/// There are `count` of them.
pub(super) unsafe fn texts(count: c_int, all: *const *const c_char) -> Vec<String> {
    let one = |index: usize| {
        // SAFETY: as the caller says.
        let text = unsafe { CStr::from_ptr(*all.add(index)) };
        text.to_string_lossy().into_owned()
    };
    (0..usize::try_from(count).unwrap_or(0)).map(one).collect()
}

fn load(id: u64, role: Result<Box<dyn Role>, String>) -> c_int {
    answer(role.and_then(|role| Ok(Loaded { emulator: Emulator::find()?, role })).map(|loaded| {
        let Loaded { emulator, .. } = LOADED.get_or_init(|| loaded);
        (emulator.on_translation)(id, translated);
        (emulator.at_exit)(id, ended, std::ptr::null_mut());
    }))
}

/// What the emulator is told of a plugin that is loaded, or can't be: 0 if all is well.
pub(super) fn answer(loaded: Result<(), String>) -> c_int {
    match loaded {
        Ok(()) => 0,
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
pub(super) unsafe fn function<F: Copy>(name: &CStr) -> Result<F, String> {
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
    const LOADS_AND_STORES: c_int = 3;
    let Some(Loaded { emulator, role }) = LOADED.get() else { return };
    if role.looks() {
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
        guarded(|| with_part(|part| part.look(count)));
    }
}

/// The board has touched memory.
extern "C" fn accessed(processor: c_uint, info: Info, address: u64, _: *mut c_void) {
    let Some(Loaded { emulator, role }) = LOADED.get() else { return };
    let Some(address) = u32::try_from(address).ok().filter(|address| role.is_about(*address)) else {
        return;
    };
    let access = if (emulator.is_store)(info) { Access::Store } else { Access::Load };
    let processor = usize::try_from(processor).unwrap_or(usize::MAX);
    guarded(|| with_part(|part| part.touched(processor, access, address, COUNT.load(Ordering::Relaxed))));
}

/// The board has ended its run, on the thread that carries out its instructions; or somebody has ended the emulator, on
/// another one, where nothing is to be done.
extern "C" fn ended(_id: u64, _: *mut c_void) {
    if PART.get().is_some() || !HAS_BEGUN.load(Ordering::Relaxed) {
        guarded(|| with_part(|part| part.ended()));
    }
}

/// Calls `body` with what the plugin plays, which begins when it is needed first.
fn with_part(body: impl FnOnce(&mut dyn Part) -> Result<(), Broken>) -> Result<(), Broken> {
    let part = match PART.get() {
        Some(part) => part,
        None => {
            let Loaded { role, .. } = LOADED.get().ok_or(Broken("not loaded".to_owned()))?;
            let part: &'static _ = Box::leak(Box::new(RefCell::new(role.begin()?)));
            PART.set(Some(part));
            HAS_BEGUN.store(true, Ordering::Relaxed);
            part
        }
    };
    let mut part = part.borrow_mut();
    let result = body(&mut **part);
    NEXT_LOOK.store(part.next_look(), Ordering::Relaxed);
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
