//! Messages of objects by values in C: at any address, of any length that isn't theirs, by who has no right, and what becomes of numbers.

use std::collections::BTreeMap;
use std::fs;

use beryl_abi::CallError;

use common::{beryl, folder, lock, root, told};

mod common;

const DONE: u32 = 0;
const REFUSED: u32 = CallError::NoSuchObject as u32;
const LENGTH: u32 = CallError::OutOfRange as u32;
const BLOCKS: u32 = CallError::WouldBlock as u32;
const LONG: u32 = CallError::TooLong as u32;
/// What is around a message: bytes of a field of 24.
const AROUND: u32 = 24;

/// A message that was sent and received, twice: what came, the byte behind it, and how many bytes around it are as they were.
fn twice(words: &[u32], behind: u32, bytes: u32) -> Vec<u32> {
    let came = [&[DONE, DONE], words].concat();
    [&came[..], &[behind], &came, &[AROUND - bytes]].concat()
}

fn double(value: f64) -> [u32; 2] {
    let bits = value.to_bits();
    [bits as u32, (bits >> 32) as u32]
}

#[test]
fn messages_come_as_they_were_wherever_they_lie() {
    let _lock = lock("bytes");
    let suite = folder().join("bytes.toml");
    let system = root().join("cli/tests/c/bytes");
    let text = format!(
        "[[system]]\nfolder = \"{}\"\nfor = \"1s\"\nshows = \"C\"\ncompare = \"all\"\n",
        system.display()
    );
    fs::write(&suite, text).expect("written");
    let suite = suite.display().to_string();
    beryl(&["conformance", &suite]).ended(0);
    beryl(&["conformance", &suite, "--board", "virt"]).ended(0);
    const BEHIND: u32 = 0x5A;
    const NAN: u32 = 0x7FC0_0000;
    let lengths = [LENGTH, LENGTH, LENGTH, LONG, BLOCKS, LONG, DONE, LENGTH, 1, DONE];
    let sums = |first: f64, second: f64| [&[DONE][..], &double(first), &double(second)].concat();
    let expected: [(u16, Vec<u32>); 13] = [
        (1, twice(&[-1_i32 as u32, 2], BEHIND, 8)),
        (2, [twice(&[11, 12, 13, 14], BEHIND, 16), twice(&[21, 22, 23, 24], BEHIND, 16)].concat()),
        (3, twice(&[0xFFFE_0001, 0xFFFC_0003], BEHIND, 10)),
        (4, twice(&[NAN, NAN], BEHIND, 8)),
        (5, twice(&[0, 0x7FF8_0000, 0, 0x8000_0000], BEHIND, 16)),
        // Any byte is a truth value, and stays what it is.
        (6, twice(&[0xFF02_0100, 0x0700_0080, 0x0301_0101], BEHIND, 12)),
        (
            7,
            [
                &sums(3.0, 12.0)[..],
                &sums(23.0, 182.0),
                &sums(43.0, 552.0),
                &[AROUND - 16, LENGTH, LENGTH],
                &[DONE, 1, 2, 3, 1],
                &[DONE, 11, 2, 3, 2],
            ]
            .concat(),
        ),
        (
            8,
            [
                &[DONE, DONE, 0x3F80_0000, NAN, 0xBF80_0000, DONE, 0x3F80_0000, NAN, 0xBF80_0000][..],
                &[AROUND - 12, LENGTH, DONE, DONE, AROUND - 12, -7_i32 as u32, DONE, -7_i32 as u32],
            ]
            .concat(),
        ),
        (9, lengths.to_vec()),
        (10, lengths.to_vec()),
        (11, lengths.to_vec()),
        (
            13,
            vec![REFUSED, REFUSED, BLOCKS, REFUSED, REFUSED, REFUSED, REFUSED, REFUSED, REFUSED, REFUSED, 1],
        ),
        (14, vec![DONE, DONE, DONE, 5, 6, BLOCKS, DONE, 7, 8]),
    ];
    assert_eq!(told("bytes"), BTreeMap::from(expected));
}
