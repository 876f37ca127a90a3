use beryl_abi::{DriverId, Instant, Range, Record, ThreadId};
use proptest::prelude::*;

use super::*;

/// Records of different lengths, each later than the one before.
fn records(count: u64) -> Vec<u8> {
    let mut bytes = Vec::new();
    for number in 0..count {
        let at = Instant::from_ticks(number * 7);
        let record = match number % 3 {
            0 => Record::Switch { from: ThreadId(1), to: ThreadId(2) },
            1 => Record::Complete { task: ThreadId(1) },
            _ => Record::Driver {
                driver: DriverId(3),
                instant: at,
                value: Range::new(0, 4 * (u32::try_from(number).expect("small") % 5)),
            },
        };
        record.encode(at, |word| bytes.extend(word.to_le_bytes()), |address| address);
    }
    bytes
}

fn decoded(bytes: &[u8]) -> Vec<Event> {
    decode::decode(bytes).expect("whole records")
}

#[test]
fn what_is_read_is_what_was_written_and_blocks_are_as_documented() {
    let raw = records(500);
    let file = sealed(&raw);
    assert_eq!(file[..8], *b"BRYL\x03\0\0\0");
    assert_eq!((readable(&file), super::records(&file)), ((decoded(&raw), None), raw.clone()));
    assert_eq!(decode::decode(&file), Ok(decoded(&raw)), "files are decoded like their records");
    // Check the first block by hand: its length, and the checksum over the file's header, the length and the
    // records.
    let length = u32::from_le_bytes(file[8..12].try_into().expect("four"));
    let end = 16 + usize::try_from(length).expect("small");
    let checksum = crc32fast::hash(&[&file[..12], &file[16..end]].concat());
    assert_eq!(file[12..16], checksum.to_le_bytes());
    assert_eq!(file[16..end], raw[..end - 16]);
    assert!((FULL_BLOCK..LONGEST_BLOCK).contains(&(end - 16)));
    assert_eq!(readable(&sealed(&[])), (vec![], None), "a trace without records");
}

/// Flips every single bit of a file: the damage is found no later than at that bit, and all blocks before it
/// are readable.
#[test]
fn no_flipped_bit_goes_unnoticed() {
    let raw = records(240);
    let (file, events) = (sealed(&raw), decoded(&raw));
    assert!(file.len() > 4 * FULL_BLOCK, "several blocks: {}", file.len());
    let mut whole = 0;
    for bit in 0..file.len() * 8 {
        let mut flipped = file.clone();
        flipped[bit / 8] ^= 1 << (bit % 8);
        let (read, damage) = readable(&flipped);
        let damage = damage.unwrap_or_else(|| panic!("bit {bit} isn't noticed"));
        assert!(
            damage.offset <= bit / 8 && bit / 8 - damage.offset < LONGEST_BLOCK + HEAD,
            "bit {bit}: {damage}"
        );
        assert!(read.len() >= whole && read[..] == events[..read.len()], "bit {bit}");
        whole = read.len();
    }
}

#[test]
fn blocks_that_are_missing_or_change_places_are_noticed() {
    let (mut sealer, beginning) = Sealer::begin();
    let raw = records(9);
    let ends = [0, 3, 6, 9].map(|count| records(count).len());
    let [one, two, three] = [0, 1, 2].map(|part| sealer.seal(&raw[ends[part]..ends[part + 1]]));
    let read = |parts: &[&[u8]]| {
        let (events, damage) = readable(&[&[beginning.as_slice()], parts].concat().concat());
        (events.len(), damage.map(|damage| matches!(damage.reason, Reason::Checksum { .. })))
    };
    let all = read(&[&one, &two, &three]);
    assert!(all.0 > 5 && all.1.is_none(), "{all:?}");
    for wrong in [[&one, &three, &two], [&one, &one, &two], [&two, &one, &three]] {
        let (count, is_noticed) = read(&wrong.map(Vec::as_slice));
        assert!(count < all.0 && is_noticed == Some(true), "{count}");
    }
}

/// A reader that follows a file reads each event once, however the file grows.
#[test]
fn a_file_is_read_while_it_grows() {
    let raw = records(200);
    let file = sealed(&raw);
    for step in [1, 3, 100, 1000, 5000] {
        let (mut unsealer, mut events, mut end) = (Unsealer::default(), Vec::new(), 0);
        while end < file.len() {
            end = (end + step).min(file.len());
            let unsealed = unsealer.take(&file[unsealer.read()..end]);
            assert!(
                unsealed
                    .damage
                    .as_ref()
                    .is_none_or(|damage| matches!(damage.reason, Reason::Truncated { .. }))
            );
            events.extend(unsealed.events().0);
        }
        assert_eq!((events, unsealer.read()), (decoded(&raw), file.len()), "{step} bytes at a time");
    }
}

#[test]
fn what_is_no_file_of_this_form_is_told_in_words() {
    let said = |bytes: &[u8]| readable(bytes).1.map(|damage| damage.to_string()).unwrap_or_default();
    assert!(
        said(b"this is no trace").contains("it doesn't begin as a trace does: "),
        "{}",
        said(b"this is no trace")
    );
    // Records as earlier versions wrote them.
    assert!(said(&records(3)).contains("a `beryl` that knew no checksums wrote it"), "{}", said(&records(3)));
    let other = [b"BRYL".as_slice(), &9_u32.to_le_bytes()].concat();
    assert!(said(&other).contains("the trace has form 9, and this program reads form 3"), "{}", said(&other));
    assert!(said(b"").contains("was the file written to its end?"), "{}", said(b""));
}

proptest! {
    #[test]
    fn of_any_damage_what_comes_before_is_read(
        count in 1..120_u64,
        flips in prop::collection::vec((any::<prop::sample::Index>(), 0..8_u32), 0..4),
        cut: prop::sample::Index,
        is_cut: bool,
    ) {
        let raw = records(count);
        let (whole, events) = (sealed(&raw), decoded(&raw));
        let mut file = whole.clone();
        for (place, bit) in &flips {
            file[place.index(whole.len())] ^= 1 << bit;
        }
        if is_cut {
            file.truncate(cut.index(whole.len()));
        }
        let (read, damage) = readable(&file);
        prop_assert_eq!(&read[..], &events[..read.len()]);
        prop_assert!(damage.is_some() || file == whole || read.len() < events.len());
    }

    #[test]
    fn any_bytes_behind_a_beginning_are_read_without_harm(bytes in prop::collection::vec(any::<u8>(), 0..300)) {
        let (_, mut file) = Sealer::begin();
        file.extend(&bytes);
        let (events, damage) = readable(&file);
        prop_assert!(events.is_empty() && (damage.is_some() || bytes.is_empty()));
    }
}
