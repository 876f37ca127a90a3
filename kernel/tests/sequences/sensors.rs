//! Sensors that several programs read are read once an instant, by whichever comes first.

use beryl_abi::{Duration, ProcessId, ThreadId};
use beryl_kernel::{Driver, DriverKind, System};
use beryl_syscode::Instruction;
use beryl_testing::{Draw, XorShiftStar as Random};

use crate::assert_story;
use crate::host::Do::{At, Done};
use crate::host::code::{RETURN, call, future};
use crate::host::draft::{Draft, Queue, Small};
use crate::host::{Do, records, ticks};

const BUDGET: Duration = ticks(3);

fn getter(shared: u32) -> Driver {
    Driver {
        kind: DriverKind::Getter { function: 7, shared, budget: BUDGET },
        process: ProcessId(1),
        task: ThreadId::NONE,
        from: 0x100,
        to: 0x200,
        length: 4,
        ..Driver::NONE
    }
}

fn copy() -> Driver {
    Driver {
        kind: DriverKind::Copy,
        process: ProcessId(1),
        from: 0x200,
        to: 0x300,
        length: 4,
        ..Driver::NONE
    }
}

/// One program reads the sensor every 10 ticks, another one every 20; each copies its value.
fn two_readers(shared: u32) -> System<Small> {
    let mut draft = Draft::<Small>::new(&[Queue::Dynamic(2)]);
    draft.driver_thread(1);
    let sensor = draft.driver(getter(shared));
    let copies = [draft.driver(copy()), draft.driver(copy())];
    for (period, copy) in [10, 20].into_iter().zip(copies) {
        draft.program(&[period], &[call(sensor), call(copy), future(0, 0), RETURN]);
    }
    draft.finish().0
}

#[test]
fn a_sensor_that_two_programs_read_is_read_once_an_instant() {
    let script = [
        Done(false),
        Do::Write(0x100, 5),
        Done(false),
        At(10),
        Done(false),
        At(20),
        Do::Write(0x100, 6),
        Done(false),
    ];
    assert_story(
        &records(&two_readers(1), &script),
        &[
            "0 switch 1 to 0",
            "0 driver 0 at 0 = 5",
            "0 driver 1 at 0 = 5",
            // the other program finds the value there
            "0 driver 2 at 0 = 5",
            "0 switch 0 to 1",
            "10 switch 1 to 0",
            "10 driver 0 at 10 = 5",
            "10 driver 1 at 10 = 5",
            "10 switch 0 to 1",
            "20 switch 1 to 0",
            "20 driver 0 at 20 = 6",
            "20 driver 1 at 20 = 6",
            "20 driver 2 at 20 = 6",
            "20 switch 0 to 1",
        ],
    );
}

/// What a reading that failed didn't bring, nobody has.
#[test]
fn a_sensor_that_was_not_read_counts_as_not_read() {
    let mut draft = Draft::<Small>::new(&[Queue::Dynamic(2)]);
    draft.driver_thread(1);
    draft.stop_only_the_thread(1);
    let sensor = draft.driver(getter(1));
    for _ in 0..2 {
        draft.program(&[10], &[call(sensor), future(0, 0), RETURN]);
    }
    let script = [Done(false), At(3), At(6), At(10), Done(false), Do::Write(0x100, 5), Done(false)];
    assert_story(
        &records(&draft.finish().0, &script),
        &[
            "0 switch 1 to 0",
            "3 fault 0: budget used up",
            "3 skip of 0 at 0",
            // the other program tries, too
            "3 switch 0 to 0",
            "6 fault 0: budget used up",
            "6 skip of 1 at 0",
            "6 switch 0 to 1",
            "10 switch 1 to 0",
            "10 driver 0 at 10 = 5",
            "10 switch 0 to 1",
        ],
    );
}

/// Programs with any periods that read any of three sensors, of which some are shared, beside the plainest reference.
#[test]
fn random_programs_read_shared_sensors_once_an_instant_and_others_each_time() {
    let mut spared = 0;
    for seed in 0..300 {
        let mut random = Random::from_zero(seed);
        let mut draft = Draft::<Small>::new(&[Queue::Dynamic(2)]);
        draft.driver_thread(1);
        let is_shared = [0, 1, 2].map(|_| random.once_in(2));
        let sensors = [0, 1, 2].map(|bit| draft.driver(getter(u32::from(is_shared[bit]) << bit)));
        let programs = [0, 1].map(|_| {
            let period = *random.one_of(&[10_u64, 20, 30]);
            let calls: Vec<_> = (0..random.within(1, 3)).map(|_| random.below(3)).collect();
            (period, calls)
        });
        for (period, calls) in &programs {
            let calls = calls.iter().map(|sensor| call(sensors[*sensor]));
            let code: Vec<Instruction> = calls.chain([future(0, 0), RETURN]).collect();
            draft.program(&[*period], &code);
        }
        // The first time, the driver thread asks for its first driver.
        let (mut script, mut expected) = (vec![Done(false)], Vec::new());
        for at in (0..=60).step_by(10) {
            script.push(At(at));
            let mut read = [false; 3];
            for (_, calls) in programs.iter().filter(|(period, _)| at % period == 0) {
                for sensor in calls {
                    if is_shared[*sensor] && read[*sensor] {
                        spared += 1;
                        continue;
                    }
                    read[*sensor] = true;
                    script.push(Done(false));
                    expected.push(format!("driver {sensor} at {at} = 0"));
                }
            }
        }
        let story = records(&draft.finish().0, &script);
        let story = story.iter().filter_map(|line| line.split_once(' ')).map(|(_, what)| what);
        let drivers: Vec<_> = story.filter(|what| what.starts_with("driver")).collect();
        assert_eq!(drivers, expected, "seed {seed}: {programs:?}, {is_shared:?}");
    }
    assert!(spared > 300, "{spared}");
}
