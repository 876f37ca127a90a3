//! What few threads have, for functions in C: slots for programs, the trace's buffer, and the reports of a supervisor.
//!
//! # Safety
//!
//! As in [`super`].
#![allow(clippy::missing_safety_doc, reason = "said once, above")]

use core::slice;

use beryl_abi::CallError;

use super::{how_long, put, status};
use crate::slot::Slot;
use crate::supervisor::Supervisor;
use crate::trace::{Classes, MOST_NOTES, NOTE_BYTES, Trace};

/// How far a slot's program is, as C has it.
#[repr(C)]
pub struct Progress {
    state: u32,
    reason: u16,
    address: u16,
}

/// What has happened to somebody, as C has it.
#[repr(C)]
pub struct Report {
    last: u64,
    who: u32,
    what: u32,
    count: u32,
}

/// The oldest notes of the trace, as C has them.
#[repr(C)]
pub struct Notes {
    count: u32,
    /// Words in C; there is no gap before them.
    notes: [[u8; NOTE_BYTES]; MOST_NOTES],
}

/// The identity of an image, as C has it.
#[repr(C)]
pub struct Image([u8; 32]);

/// The slot's number.
pub unsafe fn slot_number(slot: *mut Slot) -> u32 {
    // SAFETY: the glue's handle (above).
    unsafe { (*slot).number().into() }
}

/// The identity of the image in which the slot is.
pub unsafe fn slot_image(slot: *mut Slot, image: *mut Image) {
    // SAFETY: the glue's handle, and a place (above).
    unsafe { image.write(Image((*slot).image())) };
}

/// The module's own program, and how many bytes it has.
pub unsafe fn slot_program(slot: *mut Slot, length: *mut u32) -> *const u8 {
    // SAFETY: as in `slot_image`.
    unsafe {
        let program = (*slot).program();
        length.write(program.len() as u32);
        program.as_ptr()
    }
}

/// Writes a whole program.
pub unsafe fn slot_write(slot: *mut Slot, program: *const u8, length: u32) -> u32 {
    if length == 0 {
        return CallError::OutOfPlace as u32;
    }
    // SAFETY: so many bytes are there, and at least one: C gives no bytes a null address, Rust doesn't.
    status(unsafe { (*slot).write(slice::from_raw_parts(program, length as usize)) })
}

/// Does the next step of a check.
pub unsafe fn slot_check(slot: *mut Slot, progress: *mut Progress) -> u32 {
    // SAFETY: as in `slot_image`.
    unsafe {
        let checked = (*slot).check().map(|checked| {
            let [state, address] = checked.encode();
            Progress { state: state & 0xFF, reason: (state >> 8) as u16, address: address as u16 }
        });
        put(checked, progress)
    }
}

/// Lets the program that ran before take over again.
pub unsafe fn slot_rollback(slot: *mut Slot) -> u32 {
    // SAFETY: the glue's handle (above).
    status(unsafe { (*slot).rollback() })
}

/// Has the next whole period recorded.
pub unsafe fn slot_record(slot: *mut Slot) -> u32 {
    // SAFETY: the glue's handle (above).
    status(unsafe { (*slot).record() })
}

/// Fetches the words of a recording.
pub unsafe fn slot_recording(slot: *mut Slot, words: *mut u32, room: u32, count: *mut u32) -> u32 {
    if room == 0 {
        return CallError::OutOfPlace as u32;
    }
    // SAFETY: there is room for so many words, and for at least one.
    unsafe {
        let words = slice::from_raw_parts_mut(words, room as usize);
        put((*slot).recording(words).map(|words| words.len() as u32), count)
    }
}

/// The classes that the description asks for.
pub unsafe fn trace_classes(trace: *mut Trace) -> u32 {
    // SAFETY: the glue's handle (above).
    unsafe { (*trace).first().0.into() }
}

/// Chooses the classes that are told from now on.
pub unsafe fn trace_choose(trace: *mut Trace, classes: u32) -> u32 {
    let known = u16::try_from(classes).map(Classes).ok().filter(|known| known.0 & !Classes::ALL.0 == 0);
    // SAFETY: the glue's handle (above).
    let chosen = known.ok_or(CallError::OutOfRange).and_then(|known| unsafe { (*trace).choose(known) });
    status(chosen)
}

/// Takes out the oldest notes.
pub unsafe fn trace_take(trace: *mut Trace, notes: *mut Notes) -> u32 {
    // SAFETY: as in `slot_image`.
    unsafe {
        let taken = (*trace).take().map(|mut taken| {
            let mut all = Notes { count: 0, notes: [[0; NOTE_BYTES]; MOST_NOTES] };
            for (place, note) in all.notes.iter_mut().zip(taken.bytes().chunks_exact(NOTE_BYTES)) {
                place.copy_from_slice(note);
                all.count += 1;
            }
            all
        });
        put(taken, notes)
    }
}

/// The identity of the image that is traced.
pub unsafe fn trace_image(trace: *mut Trace, image: *mut Image) {
    // SAFETY: as in `slot_image`.
    unsafe { image.write(Image((*trace).image())) };
}

/// Waits for the next report.
pub unsafe fn hear(supervisor: *mut Supervisor<u32>, report: *mut Report, wait: u32) -> u32 {
    // SAFETY: as in `slot_image`.
    unsafe {
        let heard = (*supervisor).hear_for(how_long(wait)).map(|heard| Report {
            last: heard.last.ticks(),
            who: heard.who,
            what: heard.what as u32,
            count: heard.count.into(),
        });
        put(heard, report)
    }
}
