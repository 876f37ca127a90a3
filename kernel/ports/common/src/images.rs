//! What the memory of processes holds at the start, and once more when one of them begins anew.

use core::ptr::{with_exposed_provenance, with_exposed_provenance_mut};

use beryl_abi::{ProcessId, Range};
use beryl_kernel::{Machine, Piece, Sizes, State, Table};

use crate::layout::Image;

/// Gives a process's memory its initial contents.
///
/// # Safety
///
/// The builder reserved this memory for the process, and put its initial contents into flash; nobody uses it yet.
pub unsafe fn fill(image: &Image) {
    let load = with_exposed_provenance::<u32>(image.load as usize);
    let memory = with_exposed_provenance_mut::<u32>(image.address as usize);
    let words = (image.length / 4) as usize;
    // bound: the words of the process's memory
    for word in 0..words + (image.zeros / 4) as usize {
        // SAFETY: the caller vouches for the memory; volatile accesses keep the compiler from calling a general copy
        // routine.
        unsafe {
            let value = if word < words { load.wrapping_add(word).read_volatile() } else { 0 };
            memory.wrapping_add(word).write_volatile(value);
        }
    }
}

/// Puts back a piece of a process's memory. The stretches are those that boot fills, of all processes. One that isn't this
/// process's is passed over.
#[inline(always)]
pub fn put_back<S: Sizes>(
    machine: &mut impl Machine<S>,
    images: &[Image],
    process: ProcessId,
    Piece { stretch, done }: Piece,
) -> Option<Piece> {
    let Image { load, address, length, zeros } = *images.get(usize::from(stretch))?;
    let row = machine.system().processes.at(process.index());
    let [memory, ..] = row.memory;
    let is_its = memory.contains(Range::new(address, 4)) && address != row.journal.address;
    let all = if is_its { length.saturating_add(zeros) } else { 0 };
    let (from, to) = (load.saturating_add(done), address.saturating_add(done));
    let put = match length.saturating_sub(done) {
        0 => {
            let put = all.saturating_sub(done).min(State::<S>::CHUNK);
            clear(machine, to, put);
            put
        }
        left => {
            let put = if is_its { left.min(State::<S>::CHUNK) } else { 0 };
            machine.copy(from, to, put);
            put
        }
    };
    let done = done.saturating_add(put);
    Some(match done < all {
        true => Piece { stretch, done },
        false => Piece { stretch: stretch.wrapping_add(1), done: 0 },
    })
}

/// Makes words zero; at most the kernel's `CHUNK`.
fn clear<S: Sizes>(machine: &mut impl Machine<S>, address: u32, length: u32) {
    // bound: 16, the words of a chunk
    for word in (0..length / 4).take(16) {
        machine.store(address.wrapping_add(word.wrapping_mul(4)), 0);
    }
}
