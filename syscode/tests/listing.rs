//! The disassembler's listings, recorded.

mod programs;

use beryl_abi::{Line, ThreadId};
use beryl_syscode::Instruction::{Branch, Phase, When};
use beryl_syscode::{Condition, Listing, PortId, Relation};
use programs::{DRIVERS, DURATIONS, FLIGHT, TASKS, call, release, words};

#[test]
fn the_flight_controller_reads_as_its_timing() {
    let code = words(FLIGHT);
    let listing = Listing {
        code: &code,
        durations: &DURATIONS,
        conditions: &[],
        tick: 40,
        driver: &|number| DRIVERS.get(usize::from(number)).copied(),
        task: &|number| TASKS.get(usize::from(number)).copied(),
        port: &|_| None,
    };
    let expected = "   0  jump     @3
   1  call     publish navigate
   2  call     publish control
   3  phase    actuators
   4  call     rotor
   5  phase    releases
   6  call     gps
   7  call     gps to navigate
   8  call     attitude
   9  call     attitude to navigate
  10  call     control.command to navigate
  11  release  navigate, 10ms
  12  call     navigate.motion to control
  13  call     attitude to control
  14  release  control, 20ms
  15  future   10ms, @17
  16  return
  17  call     publish navigate
  18  phase    releases
  19  call     gps
  20  call     gps to navigate
  21  call     attitude
  22  call     attitude to navigate
  23  call     control.command to navigate
  24  release  navigate, 10ms
  25  future   10ms, @1
  26  return
";
    assert_eq!(listing.to_string(), expected);
}

#[test]
fn what_has_no_name_is_listed_by_number() {
    let mut code = words(&[
        call(4),
        release(3, 0),
        release(3, 1),
        Branch { address: 9 },
        Phase { phase: 2 },
        Phase { phase: 7 },
        When { condition: 0, address: 0 },
        When { condition: 1, address: 0 },
        When { condition: 2, address: 0 },
        When { condition: 3, address: 0 },
        When { condition: 4, address: 0 },
    ]);
    code.push(0xABCD_EF00);
    let conditions = [
        Condition::Completed(ThreadId(3)),
        Condition::Changed(PortId(1)),
        Condition::Compare(PortId(2), Relation::AtLeast, -3),
        Condition::Interrupt(Line(5)),
    ];
    let durations = [beryl_abi::Duration::from_ticks(30)];
    let listing = Listing {
        code: &code,
        durations: &durations,
        conditions: &conditions,
        tick: 50,
        driver: &|_| None,
        task: &|_| None,
        port: &|number| (number == 1).then_some("height"),
    };
    let expected = "   0  call     driver 4
   1  release  task 3, 1us
   2  release  task 3, duration 1
   3  branch   @9
   4  phase    switches
   5  phase    7
   6  when     complete(task 3), @0
   7  when     change(height), @0
   8  when     port 2 >= -3, @0
   9  when     interrupt(5), @0
  10  when     condition 4, @0
  11  unknown  abcdef00
";
    assert_eq!(listing.to_string(), expected);
}
