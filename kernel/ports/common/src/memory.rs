//! The kernel's memory, and how it begins.

use core::cell::UnsafeCell;
use core::mem::MaybeUninit;

use beryl_abi::{Classes, ThreadId};
use beryl_kernel::{Kernel, Machine};

use crate::board::Board;
use crate::images;
use crate::layout::{Image, Tables};

/// What a port keeps of a thread that never runs.
pub trait Blank {
    /// All of it zero.
    const BLANK: Self;
}

/// All of a kernel's memory. A port's `kernel!` makes one static of it. The state stands first, since
/// most steps ask it for more than they ask the contexts.
#[repr(C)]
pub struct Memory<T: Tables<THREADS>, M: Machine<T::Sizes>, const THREADS: usize> {
    /// The state in it is blank from the start on, the door to the world isn't; [`Memory::begin`] makes both.
    inside: UnsafeCell<MaybeUninit<Kernel<T::Sizes, M>>>,
    /// Reached by raw pointers only: the entry code loads and saves them outside of Rust.
    pub contexts: [UnsafeCell<T::Context>; THREADS],
}

// SAFETY: one processor has the kernel, and the memory is touched by boot, which runs before any exception or trap is possible,
// and by these, which never nest. So there is never more than one place at work on it, and it needs no lock.
unsafe impl<T: Tables<THREADS>, M: Machine<T::Sizes>, const THREADS: usize> Sync for Memory<T, M, THREADS> {}

impl<T: Tables<THREADS, Context: Blank>, M: Machine<T::Sizes>, const THREADS: usize> Memory<T, M, THREADS> {
    /// How far into the kernel's memory the door to the world lies.
    pub const MACHINE: usize = core::mem::offset_of!(Kernel<T::Sizes, M>, machine);

    /// The memory of a kernel that hasn't been booted; all of it zero or nothing at all, so it takes no flash.
    #[must_use]
    #[expect(clippy::new_without_default, reason = "it is a static, from the start on")]
    pub const fn new() -> Self {
        let mut inside = MaybeUninit::<Kernel<T::Sizes, M>>::uninit();
        // SAFETY: the place of the state, inside of what is going to be returned. The kernel's `Memory` is a state with
        // another name.
        unsafe {
            (&raw mut (*inside.as_mut_ptr()).state)
                .cast::<beryl_kernel::Memory<T::Sizes>>()
                .write(beryl_kernel::Memory::BLANK);
        }
        Memory {
            inside: UnsafeCell::new(inside),
            contexts: [const { UnsafeCell::new(T::Context::BLANK) }; THREADS],
        }
    }

    /// Fills the processes' memory, starts the board, and begins the kernel's state and its door to the world.
    ///
    /// # Safety
    ///
    /// Called once, by boot. The layout is what the builder placed: stacks and images lie in RAM that nothing else uses.
    #[inline(always)]
    pub unsafe fn begin<B: Board>(&'static self, door: impl FnOnce(B, ThreadId) -> M) {
        // SAFETY: the caller vouches for the layout.
        T::layout().images.iter().for_each(|image: &Image| unsafe { images::fill(image) });
        let inside = self.inside.get().cast::<Kernel<T::Sizes, M>>();
        // SAFETY: nothing else runs yet, and nobody has a reference to the inside. Its state is the blank
        // memory that `new` has put there; it begins in its place, since the stack has no room for a copy.
        unsafe {
            let memory = &mut *(&raw mut (*inside).state).cast::<beryl_kernel::Memory<T::Sizes>>();
            let state = memory.begin(T::system());
            let board = B::start();
            state.record(if board.is_tracing() { Classes::RUN } else { Classes::NONE });
            (&raw mut (*inside).machine).write(door(board, state.running()));
        }
    }

    /// What [`Memory::begin`] has written.
    ///
    /// # Safety
    ///
    /// Called after that, in boot or in an exception or a trap, while no other reference is in use.
    #[inline(always)]
    #[expect(clippy::mut_from_ref, reason = "there is one at a time")]
    pub unsafe fn inside(&self) -> &mut Kernel<T::Sizes, M> {
        // SAFETY: it has been written, and the caller vouches that this is the only reference.
        unsafe { (*self.inside.get()).assume_init_mut() }
    }
}
