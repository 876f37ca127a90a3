//! What goes where in the flash.

use std::path::Path;

use super::merge;
use crate::error::BuildError;
use crate::parsed::Variant;
use crate::project::Project;

fn plan_of_the_helicopter() -> crate::plan::Plan {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../examples/helicopter");
    Project::load(&folder, Variant::default()).expect("a project").plan
}

/// A linked program for the board: each segment has the physical address and the bytes given.
fn elf(segments: &[(u32, &[u8])]) -> Vec<u8> {
    let headers = 52 + 32 * segments.len();
    let halves = |values: &[u16]| values.iter().flat_map(|value| value.to_le_bytes()).collect::<Vec<_>>();
    let words = |values: &[u32]| values.iter().flat_map(|value| value.to_le_bytes()).collect::<Vec<_>>();
    let number = |length: usize| u32::try_from(length).expect("a short program");
    let mut elf = b"\x7fELF\x01\x01\x01\0\0\0\0\0\0\0\0\0".to_vec();
    elf.extend(halves(&[2, 40]));
    elf.extend(words(&[1, 0, 52, 0, 0]));
    elf.extend(halves(&[52, 32, u16::try_from(segments.len()).expect("few"), 40, 0, 0]));
    let mut offset = headers;
    for (address, bytes) in segments {
        let length = number(bytes.len());
        // Its virtual address is another one, as that of initialised variables is.
        elf.extend(words(&[1, number(offset), 0x2000_0000, *address, length, length, 4, 4]));
        offset += bytes.len();
    }
    segments.iter().for_each(|(_, bytes)| elf.extend_from_slice(bytes));
    elf
}

#[test]
fn segments_lie_at_their_physical_addresses_and_gaps_are_erased_flash() {
    let kernel = elf(&[(12, &[9, 10]), (0, &[1, 2, 3, 4]), (8, &[]), (6, &[7])]);
    let image = merge(&plan_of_the_helicopter(), &kernel, &[]).expect("an image");
    assert_eq!(image, [1, 2, 3, 4, 255, 255, 7, 255, 255, 255, 255, 255, 9, 10]);
}

#[test]
fn an_image_fills_the_flash_to_the_last_byte_and_not_further() {
    let plan = plan_of_the_helicopter();
    let limit = plan.limits.flash.get();
    let whole = merge(&plan, &elf(&[(limit - 1, &[7])]), &[]).expect("an image");
    assert_eq!((whole.len(), whole.last()), (usize::try_from(limit).expect("small"), Some(&7)));
    match merge(&plan, &elf(&[(limit - 1, &[7, 8])]), &[]) {
        Err(BuildError::Limit { message, proposal }) => {
            assert_eq!(message, "the image has 65537 bytes, the description allows 65536 of flash");
            assert!(proposal.starts_with("raise `flash` in [board]"), "{proposal}");
        }
        other => panic!("{other:?}"),
    }
}

/// A segment far away must not make the builder fill memory up to there.
#[test]
fn a_segment_far_away_is_refused() {
    let kernel = elf(&[(0, &[1]), (0xFFFF_FFFF, &[7])]);
    assert!(matches!(merge(&plan_of_the_helicopter(), &kernel, &[]), Err(BuildError::Limit { .. })));
}

#[test]
fn what_is_no_linked_program_is_refused() {
    let whole = elf(&[(0, &[1, 2, 3, 4])]);
    for length in 0..whole.len() {
        let merged = merge(&plan_of_the_helicopter(), &whole[..length], &[]);
        assert!(merged.is_err(), "cut off after {length} bytes: {merged:?}");
    }
}
