//! The driver beside a model of its registers.

use std::vec::Vec;

use super::model::Model;
use super::{Ethernet, Refused, Silent};

const ADDRESS: [u8; 6] = [2, 0, 0, 0, 0xAB, 0xCD];

fn started(model: &Model) -> Ethernet<&Model> {
    model.looks.set(3);
    let device = Ethernet::start(model, ADDRESS).expect("there");
    model.written.borrow_mut().clear();
    device
}

fn bytes(length: u8) -> Vec<u8> {
    (1..=length).collect()
}

#[test]
fn a_start_is_these_words() {
    let model = Model::default();
    model.looks.set(3);
    Ethernet::start(&model, ADDRESS).expect("there");
    let expected = [
        (0x64, 0),
        (0x74, 1),
        (0x74, 0x0015_0000),
        (0xA8, 2),
        (0xA4, 0x8000_0003),
        (0xA8, 0xCDAB),
        (0xA4, 0x8000_0002),
        (0x68, 0x4800_0000),
        (0x54, 0x111),
        (0x58, u32::MAX),
        (0x5C, 8),
        (0x6C, 0),
        (0x70, 6),
        (0xA8, 0x0010_000C),
        (0xA4, 0x8000_0001),
    ];
    assert_eq!(*model.written.borrow(), expected);
}

#[test]
fn who_is_not_there_is_silent() {
    let model = Model::default();
    model.looks.set(u32::MAX);
    assert_eq!(Ethernet::start(&model, ADDRESS).err(), Some(Silent));
    assert_eq!(*model.written.borrow(), [(0x64, 0)]);
}

/// Of each length, so that the last word is full or not, and the checksum is in a word of its own or not.
#[test]
fn frames_are_fetched_whole_and_in_their_order() {
    let model = Model::default();
    let mut device = started(&model);
    (14..40).for_each(|length| model.comes(&bytes(length), 0));
    let mut frame = [0; 64];
    for length in 14..40 {
        let fetched = device.receive(&mut frame).expect("a frame");
        assert_eq!(frame[..fetched], bytes(length));
    }
    assert_eq!(device.receive(&mut frame), None);
}

#[test]
fn what_is_damaged_or_too_long_is_thrown_away() {
    let model = Model::default();
    let mut device = started(&model);
    model.comes(&bytes(20), 1 << 15);
    model.comes(&bytes(65), 0);
    model.comes(&bytes(64), 0);
    let mut frame = [0; 64];
    assert_eq!((device.receive(&mut frame), device.receive(&mut frame)), (Some(64), None));
    assert_eq!(frame[..], bytes(64));
}

#[test]
fn a_frame_is_sent_as_two_orders_and_its_words() {
    let model = Model::default();
    let mut device = started(&model);
    model.room.set(24);
    model.unasked.set(2);
    assert_eq!(device.send(&bytes(14)), Ok(()));
    let expected = [0x300E, 0x000E_000E, 0x0403_0201, 0x0807_0605, 0x0C0B_0A09, 0x0000_0E0D];
    assert_eq!(*model.sent.borrow(), expected);
    assert_eq!(model.unasked.get(), 0);
}

#[test]
fn what_has_no_room_or_another_length_is_refused_whole() {
    let model = Model::default();
    let mut device = started(&model);
    model.room.set(23);
    assert_eq!(device.send(&bytes(14)), Err(Refused::Full));
    assert_eq!(device.send(&bytes(13)), Err(Refused::Length));
    assert_eq!(device.send(&[0; 1515]), Err(Refused::Length));
    assert!(model.sent.borrow().is_empty());
}

#[test]
fn only_the_line_of_what_has_come_is_taken_back() {
    let model = Model::default();
    started(&model).acknowledge();
    assert_eq!(*model.written.borrow(), [(0x58, 8)]);
}
