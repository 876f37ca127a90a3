use beryl_abi::{Instant, ProgramId, ThreadId};
use beryl_testing::{Draw, SplitMix64};

use super::*;

const DOOR: ProgramId = ProgramId(1);

/// Two modes: `shut` with blocks at 1 and 8, of which the first tests a switch; `open` with a block at 20
/// that tests another.
fn names() -> Names {
    let mut names = Names::parse(include_str!("../../tests/names.json")).expect("names");
    let mode = |name: &str, from, asks: &[u16]| ModeName { name: name.into(), from, asks: asks.to_vec() };
    names.modes = vec![ModuleModes {
        program: DOOR.0,
        tasks: vec![1],
        start: 0,
        modes: vec![mode("shut", 1, &[1]), mode("open", 20, &[20])],
    }];
    names
}

fn at(ticks: u64) -> Instant {
    Instant::from_ticks(ticks)
}

fn react(ticks: u64, address: u16) -> Event {
    let told = DecodedNote::React { program: DOOR, address, instant: at(ticks) };
    Event { time: at(ticks + 3), happening: Happening::Note(told) }
}

/// Mode, begin and end of each stretch.
fn stretches(events: &[Event]) -> Vec<(Which, u64, u64)> {
    let told = Modes::of(events, &names()).stretches.into_iter();
    told.map(|stretch| (stretch.mode, stretch.from.ticks(), stretch.to.ticks())).collect()
}

const SHUT: Which = Which::Mode(0);
const OPEN: Which = Which::Mode(1);

#[test]
fn a_switch_is_dated_where_it_was_taken_and_the_last_one_is_left_open() {
    // After the start, the first block's switch isn't taken; at 40 it is; at 60 the other isn't; at 80 it is.
    let events = [react(0, 0), react(20, 8), react(40, 1), react(60, 20), react(80, 20), react(100, 8)];
    assert_eq!(stretches(&events), [(SHUT, 0, 40), (OPEN, 40, 80), (SHUT, 80, 103)]);
    // The block at 1 tests a switch: whether it was taken isn't known yet.
    assert_eq!(stretches(&events[..3]), [(SHUT, 0, 40)]);
    assert_eq!(stretches(&events[..1]), []);
    // The block at 8 doesn't.
    assert_eq!(stretches(&events[..2]), [(SHUT, 0, 23)]);
    let modes = Modes::of(&events, &names());
    let switches = modes.switches();
    let told: Vec<_> = switches.iter().map(|switch| switch.words(&names())).collect();
    assert_eq!(
        told,
        ["at 0.0016 ms Control went from shut to open", "at 0.0032 ms Control went from open to shut"]
    );
}

#[test]
fn phases_of_an_instant_are_none_of_their_own() {
    // At 40 come the releases on entering `open`, whose code is after all blocks.
    let events =
        [react(0, 0), react(0, 2), react(40, 1), react(40, 2), react(40, 90), react(60, 20), react(60, 21)];
    assert_eq!(stretches(&events), [(SHUT, 0, 40), (OPEN, 40, 60)]);
    assert_eq!(stretches(&events[..4]), [(SHUT, 0, 40)]);
}

#[test]
fn what_is_lost_in_between_may_be_a_switch() {
    let lost = Event { time: at(50), happening: Happening::Note(DecodedNote::Lost { count: 2 }) };
    let events = [react(0, 0), react(20, 8), react(40, 1), lost, react(100, 20), react(120, 20)];
    assert_eq!(stretches(&events), [(SHUT, 0, 40), (OPEN, 100, 120)]);
    assert_eq!(Modes::of(&events, &names()).switches(), []);
}

#[test]
fn of_a_program_that_took_over_the_room_is_known() {
    let swap = |ticks, room| Event {
        time: at(ticks + 3),
        happening: Happening::Swap { program: DOOR, room, instant: at(ticks) },
    };
    let events = [
        react(0, 0),
        react(20, 8),
        react(40, 1),
        swap(40, 2),
        react(60, 20),
        react(80, 1),
        swap(80, 0),
        react(100, 8),
    ];
    assert_eq!(stretches(&events), [(SHUT, 0, 40), (Which::Room(2), 40, 80), (SHUT, 80, 103)]);
    assert_eq!(names().mode(DOOR, Which::Room(2)), "the program in room 2");
}

#[test]
fn a_job_is_told_with_its_mode_and_what_changed_meanwhile() {
    let mut events = vec![react(0, 0), react(20, 8)];
    events.extend((1..20).map(|count| react(count * 40, if count % 2 == 1 { 20 } else { 1 })));
    let modes = Modes::of(&events, &names());
    let told = modes.around(ThreadId(1), at(10), at(85), &names());
    assert_eq!(
        told,
        [
            "released in mode shut of Control, which began at 0 ms",
            "at 0.0008 ms Control went from shut to open",
            "at 0.0016 ms Control went from open to shut",
            "at 0.0032 ms Control went from shut to open",
        ]
    );
    assert_eq!(
        modes.around(ThreadId(1), at(0), at(1000), &names()).last().map(String::as_str),
        Some("and 14 more changes of modes")
    );
    assert_eq!(modes.around(ThreadId(0), at(10), at(15), &names()), Vec::<String>::new());
}

/// For any trace, a module's stretches are in order and don't overlap.
#[test]
fn stretches_of_any_trace_do_not_overlap() {
    for seed in 0..2000 {
        let mut random = SplitMix64(seed);
        let mut draw = |below| random.under(below);
        let mut now = 0;
        let events: Vec<Event> = (0..draw(12))
            .map(|_| {
                now += draw(3);
                let address = [0, 1, 8, 20, 21, u16::MAX][usize::try_from(draw(6)).expect("small")];
                let instant = at(now.saturating_sub(draw(3)));
                let happening = match draw(10) {
                    0 => Happening::Note(DecodedNote::Lost { count: 1 }),
                    1 => Happening::Swap {
                        program: DOOR,
                        room: u8::try_from(draw(3)).expect("small"),
                        instant,
                    },
                    _ => Happening::Note(DecodedNote::React { program: DOOR, address, instant }),
                };
                Event { time: at(now), happening }
            })
            .collect();
        let told = stretches(&events);
        assert!(told.iter().all(|(_, from, to)| from < to), "seed {seed}, {events:?}: {told:?}");
        assert!(told.windows(2).all(|pair| pair[0].2 <= pair[1].1), "seed {seed}, {events:?}: {told:?}");
    }
}
