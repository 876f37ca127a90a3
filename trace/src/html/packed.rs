//! The columns' bytes, packed: what came before is not written again, since most of a run is periodic.
//!
//! First the number of bytes that come out. Then, by turns, so many bytes as they are, and so many that stood at a
//! distance before; the distance follows its length. All of these are numbers as in [`columns`](super::columns). It is of
//! the kind of Ziv and Lempel, "A universal algorithm for sequential data compression" (IEEE Transactions on Information
//! Theory 23(3), 1977), without a window. `read.js` unpacks it, at once and without help of the browser, so that the page
//! is there when its script has ended.

/// What is shorter than this takes less as it is.
const LEAST: usize = 6;
/// Places to remember, by the next bytes.
const PLACES: usize = 1 << 18;

/// Packs bytes; time and room grow with their number.
pub(super) fn packed(bytes: &[u8]) -> Vec<u8> {
    let mut out = Vec::new();
    number(&mut out, bytes.len());
    let mut places: Vec<usize> = vec![usize::MAX; PLACES];
    let (mut at, mut written) = (0, 0);
    while let Some(place) = bytes.get(at..).and_then(place) {
        let before = std::mem::replace(&mut places[place], at);
        let length = bytes.get(before..).map_or(0, |earlier| equal(earlier, &bytes[at..]));
        if length < LEAST {
            at += 1;
            continue;
        }
        write(&mut out, &bytes[written..at], Some((length, at - before)));
        // A few places within it are enough to find it again.
        for inner in (at + 1..at + length).step_by(8) {
            if let Some(place) = bytes.get(inner..).and_then(self::place) {
                places[place] = inner;
            }
        }
        at += length;
        written = at;
    }
    write(&mut out, &bytes[written..], None);
    out
}

/// Where the next bytes are remembered; `None` if they are too few.
fn place(bytes: &[u8]) -> Option<usize> {
    let next = u32::from_le_bytes(*bytes.first_chunk()?);
    let mixed = next.wrapping_mul(0x9E37_79B1) >> (32 - PLACES.trailing_zeros());
    usize::try_from(mixed).ok()
}

fn equal(earlier: &[u8], later: &[u8]) -> usize {
    earlier.iter().zip(later).take_while(|(one, other)| one == other).count()
}

fn write(out: &mut Vec<u8>, plain: &[u8], again: Option<(usize, usize)>) {
    number(out, plain.len());
    out.extend_from_slice(plain);
    if let Some((length, distance)) = again {
        number(out, length);
        number(out, distance);
    }
}

fn number(out: &mut Vec<u8>, mut rest: usize) {
    while rest >= 0x80 {
        out.push((rest & 0x7F) as u8 | 0x80);
        rest >>= 7;
    }
    out.push(rest as u8);
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    /// As `read.js` does it.
    fn unpacked(mut packed: &[u8]) -> Vec<u8> {
        let read = |packed: &mut &[u8]| {
            let (mut value, mut shift) = (0_usize, 0);
            while let Some((byte, rest)) = packed.split_first() {
                *packed = rest;
                value |= usize::from(byte & 0x7F) << shift;
                shift += 7;
                if *byte < 0x80 {
                    break;
                }
            }
            value
        };
        let length = read(&mut packed);
        let mut bytes = Vec::new();
        loop {
            let plain = read(&mut packed);
            bytes.extend_from_slice(&packed[..plain]);
            packed = &packed[plain..];
            if bytes.len() == length {
                return bytes;
            }
            let (again, distance) = (read(&mut packed), read(&mut packed));
            (0..again).for_each(|_| bytes.push(bytes[bytes.len() - distance]));
        }
    }

    #[test]
    fn what_repeats_is_short() {
        let bytes: Vec<u8> =
            (0..100_000_u32).flat_map(|number| [2, (number % 7) as u8, 0xD0, 0x0F]).collect();
        let packed = packed(&bytes);
        assert!(packed.len() < 100, "{}", packed.len());
        assert_eq!(unpacked(&packed), bytes);
        assert_eq!(super::packed(&[]), [0, 0]);
    }

    proptest! {
        #[test]
        fn any_bytes_come_out_again(parts in prop::collection::vec((0..20_u8, 0..30_usize), 0..80)) {
            let bytes: Vec<u8> = parts.into_iter().flat_map(|(byte, count)| {
                (0..count).map(move |at| byte.wrapping_mul((at % 5) as u8 + 1))
            }).collect();
            prop_assert_eq!(unpacked(&packed(&bytes)), bytes);
        }
    }
}
