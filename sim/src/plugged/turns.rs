//! Turns of emulated cores: a plugin that ends a core's turn when it has had its instructions.
//!
//! The emulator carries out the instructions of all processors on one native thread, one processor behind the other. A turn ends where
//! a timer is due, and then it begins with the first processor anew: so one that always has something to do leaves nothing to
//! those behind it. The emulator breaks off a turn when its processors have to learn that a plugin hears of something else
//! than before. So that is changed when a turn is over, and changed back at the end of the next one; what is heard of never happens.
//!
//! Whose turn is over is said by [`Rounds`].
//!
//! It counts instructions, so a run is the same on a slow host and on a fast one.
#![expect(unsafe_code, reason = "the emulator loads the plugin and calls it, by an interface of C")]

mod rounds;

use std::ffi::{c_char, c_int, c_uint, c_void};
use std::ptr;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, OnceLock};

use super::arguments::Arguments;
use super::plugin::{Block, NO_REGISTERS, answer, function, texts};
use rounds::Rounds;

/// The functions of the emulator that are used here.
struct Emulator {
    on_translation: extern "C" fn(u64, extern "C" fn(u64, *mut Block)),
    instructions: extern "C" fn(*const Block) -> usize,
    on_begin: extern "C" fn(*mut Block, extern "C" fn(c_uint, *mut c_void), c_int, *mut c_void),
    /// Of calls from a program to its system, which there are none of where a whole machine is emulated. Without a function, no more.
    on_system_call: extern "C" fn(u64, Option<extern "C" fn()>),
}

/// What is the same during the whole run.
struct Loaded {
    emulator: Emulator,
    /// The plugin's number.
    id: u64,
    /// Who has had what. One native thread of the emulator asks, so nobody waits.
    rounds: Mutex<Rounds>,
}

static LOADED: OnceLock<Loaded> = OnceLock::new();
/// Whether calls are heard of.
static HEARS: AtomicBool = AtomicBool::new(false);

/// Loads the plugin, which is told how many instructions a `turn` has; as [`install`](super::install).
///
/// # Safety
///
/// As there.
pub unsafe fn install_turns(id: u64, count: c_int, arguments: *const *const c_char) -> c_int {
    // SAFETY: as the caller says.
    let told = unsafe { texts(count, arguments) };
    let loaded = || {
        let rounds = Mutex::new(Rounds::of(Arguments(&told).number("turn")?));
        Ok(Loaded { emulator: Emulator::find()?, id, rounds })
    };
    answer(loaded().map(|loaded| (LOADED.get_or_init(|| loaded).emulator.on_translation)(id, translated)))
}

impl Emulator {
    fn find() -> Result<Emulator, String> {
        // SAFETY: the functions of these names have these types, in the version of the interface that this plugin
        // says; the emulator refuses to load it if it has another one.
        unsafe {
            Ok(Emulator {
                on_translation: function(c"qemu_plugin_register_vcpu_tb_trans_cb")?,
                instructions: function(c"qemu_plugin_tb_n_insns")?,
                on_begin: function(c"qemu_plugin_register_vcpu_tb_exec_cb")?,
                on_system_call: function(c"qemu_plugin_register_vcpu_syscall_cb")?,
            })
        }
    }
}

/// Each block tells how many instructions it has when it begins.
extern "C" fn translated(_id: u64, block: *mut Block) {
    let Some(Loaded { emulator, .. }) = LOADED.get() else { return };
    let instructions = (emulator.instructions)(block);
    (emulator.on_begin)(block, began, NO_REGISTERS, ptr::without_provenance_mut(instructions));
}

/// A block begins.
extern "C" fn began(processor: c_uint, instructions: *mut c_void) {
    let Some(Loaded { emulator, id, rounds }) = LOADED.get() else { return };
    let Ok(mut rounds) = rounds.lock() else { return };
    if rounds.is_last(processor, instructions.addr()) {
        let hears = !HEARS.fetch_xor(true, Ordering::Relaxed);
        (emulator.on_system_call)(*id, hears.then_some(called));
    }
}

/// A program has called its system, where there is neither.
extern "C" fn called() {}
