//! Quantities: what is read, and exactly what is refused.

use super::*;
use proptest::prelude::*;

#[test]
fn sizes_are_read_exactly() {
    let sizes = ["0", "512", "64k", "1.5k", "0.25k", "4M", "1.000k", "4294967295"].map(Bytes::read);
    let bytes = [0, 512, 65_536, 1_536, 256, 4 << 20, 1_024, u32::MAX].map(|size| Ok(Bytes(size)));
    assert_eq!(sizes, bytes);
}

#[test]
fn times_are_read_exactly() {
    let times = ["0.2ms", "50us", "1s", "3ms", "40ns", "0.000000001s", "1.0us"].map(Nanoseconds::read);
    let nanoseconds =
        [200_000, 50_000, 1_000_000_000, 3_000_000, 40, 1, 1_000].map(|time| Ok(Nanoseconds(time)));
    assert_eq!(times, nanoseconds);
}

#[test]
fn wrong_sizes_are_refused() {
    use Misread::*;
    for (text, reason) in [
        ("", Malformed),
        ("k", Malformed),
        (".5k", Malformed),
        ("1.k", Malformed),
        ("1.2.3k", Malformed),
        ("+1k", Malformed),
        ("-1k", Negative),
        ("1.3k", NotWhole),
        ("0.5", NotWhole),
        ("4096M", TooLarge),
        ("99999999999999999999", TooLarge),
        ("64kB", UnknownUnit("kB".to_owned())),
        ("64 k", UnknownUnit(" k".to_owned())),
        ("1e3", UnknownUnit("e3".to_owned())),
        ("½k", Malformed),
    ] {
        assert_eq!(Bytes::read(text), Err(reason), "{text}");
    }
}

#[test]
fn wrong_times_are_refused() {
    use Misread::*;
    for (text, reason) in [
        ("3", NoUnit),
        ("0", NoUnit),
        ("-3ms", Negative),
        ("3m", UnknownUnit("m".to_owned())),
        ("3 ms", UnknownUnit(" ms".to_owned())),
        ("3µs", UnknownUnit("µs".to_owned())),
        ("0.1ns", NotWhole),
        ("0.0000000001s", NotWhole),
        ("18446744074s", TooLarge),
        ("1.00000000000000000000000000000000000000000000000001s", NotWhole),
    ] {
        assert_eq!(Nanoseconds::read(text), Err(reason), "{text}");
    }
}

#[test]
fn ticks_are_rounded_towards_the_safe_side() {
    let tick = Nanoseconds(40);
    let up = [0, 1, 40, 41, 80].map(|time| Nanoseconds(time).rounded_up(tick).ticks());
    let down = [0, 39, 40, 79, 80].map(|time| Nanoseconds(time).rounded_down(tick).ticks());
    assert_eq!((up, down), ([0, 1, 1, 2, 2], [0, 0, 1, 1, 2]));
}

proptest! {
    #[test]
    fn what_is_shown_is_read_back(bytes: u32, nanoseconds: u64) {
        prop_assert_eq!(Bytes::read(&Bytes(bytes).to_string()), Ok(Bytes(bytes)));
        prop_assert_eq!(Nanoseconds::read(&Nanoseconds(nanoseconds).to_string()), Ok(Nanoseconds(nanoseconds)));
    }

    #[test]
    fn no_text_does_harm(text: String, number in "[0-9.]{0,60}(k|M|ns|us|ms|s)?") {
        for text in [text, number] {
            let _ = (Bytes::read(&text), Nanoseconds::read(&text));
        }
    }
}
