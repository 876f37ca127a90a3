//! Rotation: what could be tried in several places is tried in one of them, which its name says.

use crate::turn;

/// Those of `places` in which something of this `name` is tried: one, or all of them where nobody asks for a share, as
/// with [`whose_turn`](crate::whose_turn).
///
/// Which one follows from the names alone, so what failed fails again; and where there is one place more, what is tried
/// elsewhere then is tried there.
///
/// ```
/// let boards = beryl_testing::rotation("helicopter", &["m3", "m33", "virt"]);
/// assert!(boards.len() == 1 || boards.len() == 3);
/// ```
#[must_use]
pub fn rotation<'a>(name: &str, places: &[&'a str]) -> Vec<&'a str> {
    match turn() {
        Some(_) => rotated(name, places).into_iter().collect(),
        None => places.to_vec(),
    }
}

/// The place whose number for this name is the greatest.
fn rotated<'a>(name: &str, places: &[&'a str]) -> Option<&'a str> {
    places.iter().copied().max_by_key(|place| number(name, place))
}

/// A number for each pair of names: FNV-1a in 64 bits, and then mixed, as short names leave the upper bits alike.
fn number(name: &str, place: &str) -> u64 {
    let bytes = name.bytes().chain([b'@']).chain(place.bytes());
    let hash = bytes.fold(0xCBF2_9CE4_8422_2325_u64, |hash, byte| {
        (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01B3)
    });
    let mixed = (hash ^ (hash >> 33)).wrapping_mul(0xFF51_AFD7_ED55_8CCD);
    mixed ^ (mixed >> 33)
}

#[cfg(test)]
mod tests {
    use super::*;

    const PLACES: [&str; 4] = ["here", "there", "beyond", "above"];

    fn names() -> Vec<String> {
        (0..400).map(|number| format!("system {number}")).collect()
    }

    #[test]
    fn each_name_has_its_place_whatever_the_order_and_each_place_its_share() {
        let mut reversed = PLACES;
        reversed.reverse();
        for place in PLACES {
            let has = |name: &&String| rotated(name, &PLACES) == Some(place);
            let (names, count) = (names(), 80..=120);
            assert!(count.contains(&names.iter().filter(has).count()), "{place}");
            assert!(names.iter().filter(has).all(|name| rotated(name, &reversed) == Some(place)));
        }
        assert_eq!(rotated("a system", &[]), None);
    }

    #[test]
    fn who_moves_moves_to_the_place_that_is_new() {
        let before = &PLACES[..3];
        let moved = names().into_iter().filter(|name| rotated(name, before) != rotated(name, &PLACES));
        assert!(moved.into_iter().all(|name| rotated(&name, &PLACES) == Some(PLACES[3])));
    }

    #[test]
    fn the_numbers_are_fixed_for_good() {
        assert_eq!(
            [number("bands", "virt"), number("", "")],
            [3_500_816_574_527_559_185, 4_431_321_923_187_011_650]
        );
    }
}
