//! State messages and regions: which words are touched, in which order.

use beryl_abi::CallNumber;
use beryl_user::call::CallError;
use beryl_user::port::Plain;
use beryl_user::region::Region;
use beryl_user::state::{Overrun, Reader, SlowReader, StateMessageId, Writer};

use crate::script::Event::{Call, Point};
use crate::script::{SHARED, STACK, Script};

const INDEX: u32 = SHARED;
const BUFFERS: u32 = SHARED + 4;

fn writer<T: Plain>(depth: u32) -> Writer<T> {
    // SAFETY: all of it lies in the script's memory, and nobody else uses it.
    unsafe { Writer::new(INDEX, BUFFERS, depth) }
}

fn reader<T: Plain>(depth: u32) -> Reader<T> {
    // SAFETY: as in `writer`.
    unsafe { Reader::new(INDEX, BUFFERS, depth) }
}

#[test]
fn a_write_fills_the_next_buffer_and_then_announces_it() {
    let host = Script::without_kernel(INDEX);
    host.set(INDEX, 6);
    let ((), events) = host.run(|| writer(4).write(&[1_i32, 2, 3]));
    assert_eq!(events, [Point(6); 4], "the index, two words at once, the third, the index");
    let words: Vec<_> = (0..13).map(|word| host.word(INDEX + 4 * word)).collect();
    assert_eq!(words, [7, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1, 2, 3]);
    let (value, events) = host.run(|| reader::<[i32; 3]>(4).read());
    assert_eq!(value, Ok([1, 2, 3]));
    assert_eq!(events, [Point(7); 4], "the index, two words at once, the third, the index");
}

#[test]
fn what_is_read_is_what_was_written_last_across_the_wrap_of_the_index() {
    let host = Script::without_kernel(INDEX);
    host.set(INDEX, u32::MAX - 3);
    for round in 0..8 {
        let (value, _) = host.run(|| {
            writer(2).write(&(f64::from(round) / 3.0));
            reader::<f64>(2).read()
        });
        assert_eq!(value, Ok(f64::from(round) / 3.0));
    }
    assert_eq!(host.word(INDEX), 4);
}

#[test]
fn a_value_of_one_word_is_that_word() {
    let host = Script::without_kernel(BUFFERS);
    let (value, events) = host.run(|| {
        writer(1).write(&[-1_i8, 2, 3]);
        reader::<[i8; 3]>(1).read()
    });
    assert_eq!((value, host.word(BUFFERS), host.word(INDEX)), (Ok([-1, 2, 3]), 0x0003_02FF, 0));
    assert_eq!(events, [Point(0), Point(0x0003_02FF)]);
}

#[test]
fn numbers_and_flags_have_one_representation() {
    let host = Script::without_kernel(INDEX);
    let (flags, _) = host.run(|| {
        writer(2).write(&[f32::from_bits(0xFFC0_0001), 1.0]);
        assert_eq!(host.word(BUFFERS + 8), 0x7FC0_0000);
        host.set(BUFFERS, 0x0200_FF01);
        host.set(INDEX, 0);
        reader::<[bool; 8]>(2).read()
    });
    assert_eq!(flags, Ok([true, true, false, true, false, false, false, false]));
}

#[test]
fn a_reader_is_told_when_the_index_has_moved_too_far() {
    // A host that lets writes happen at points isn't needed: a depth of one buffer is always too small.
    let host = Script::without_kernel(INDEX);
    let (value, events) = host.run(|| reader::<[i32; 2]>(1).read());
    assert_eq!(value, Err(Overrun));
    assert_eq!(events, [Point(0); 6], "it looks twice");
}

#[test]
fn a_slow_reader_lets_the_kernel_copy() {
    let host = Script::new(INDEX, |host, _, [_, address, _, _]| {
        host.set(address, 5);
        host.set(address + 4, 6);
        if host.word(INDEX) == 0 { [0; 3] } else { [CallError::NoSuchObject as u32, 0, 0] }
    });
    // SAFETY: no kernel is behind it.
    let mut slow = unsafe { SlowReader::<[i32; 2]>::new(StateMessageId(9)) };
    let (value, events) = host.run(|| slow.read());
    assert_eq!(value, Ok([5, 6]));
    assert_eq!(events, [Call(CallNumber::StateMessageRead, [9, STACK, 0, 0], 0)]);
    host.set(INDEX, 1);
    assert_eq!(host.run(|| slow.read()).0, Err(CallError::NoSuchObject));
}

#[test]
fn a_regions_words_are_those_inside() {
    let host = Script::without_kernel(SHARED);
    // SAFETY: as in `writer`.
    let mut region = unsafe { Region::new(SHARED, 10) };
    let (results, events) = host.run(|| {
        let stored = [region.store(0, 3), region.store(4, 4), region.store(8, 5), region.store(6, 6)];
        let loaded = [0, 4, 2, 8, 12, u32::MAX - 3, u32::MAX].map(|offset| region.load(offset));
        assert_eq!((region.bytes().cast::<u8>(), region.bytes().len()), (beryl_user::memory::at(SHARED), 10));
        (stored, loaded)
    });
    assert_eq!(results, ([Some(()), Some(()), None, None], [Some(3), Some(4), None, None, None, None, None]));
    assert_eq!(events, [Point(0), Point(3), Point(3), Point(3)]);
    assert_eq!([0, 4, 8].map(|offset| host.word(SHARED + offset)), [3, 4, 0]);
}
