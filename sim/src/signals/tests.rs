//! Tables and functions as environments.

use beryl_abi::Line;
use beryl_abi::environment::Channel;

use super::{Signals, Table};
use crate::environment::{Environment, Nanoseconds};

const TABLE: &str = "\u{23} a pump that fails\r\n\
                     time ms, 0 int, 1 float, 1 short, interrupt 10\r\n\
                     \r\n\
                     0.5, 100, 0.5, -3,\r\n\
                     2, , 0.75, , 1\r\n\
                     3.000001, -7, , ,\r\n";

fn at(nanoseconds: u64) -> Nanoseconds {
    Nanoseconds::new(nanoseconds)
}

fn int(signals: &mut Signals, instant: u64) -> i32 {
    let mut value = 1_i32.to_le_bytes();
    signals.read(at(instant), Channel::new(0), &mut value);
    i32::from_le_bytes(value)
}

fn pair(signals: &mut Signals, instant: u64) -> (f32, i16) {
    let mut value = [0; 6];
    signals.read(at(instant), Channel::new(1), &mut value);
    let [a, b, c, d, e, f] = value;
    (f32::from_le_bytes([a, b, c, d]), i16::from_le_bytes([e, f]))
}

#[test]
fn a_tables_values_are_held_until_the_next() {
    let mut signals = Signals::new().table(Table::parse(TABLE).expect("a table"));
    let values = [0, 499_999, 500_000, 2_000_000, 3_000_000, 3_000_001, u64::MAX];
    assert_eq!(values.map(|instant| int(&mut signals, instant)), [1, 1, 100, 100, 100, -7, -7]);
    assert_eq!(pair(&mut signals, 0), (0.0, 0));
    assert_eq!(pair(&mut signals, 1_000_000), (0.5, -3));
    assert_eq!(pair(&mut signals, 2_000_000), (0.75, -3));
    assert_eq!(signals.interrupts(at(0)), Some((at(2_000_000), Line(10))));
    assert_eq!(signals.interrupts(at(2_000_000)), None);
    signals.write(at(1), Channel::new(5), &[1]);
    assert_eq!(signals.finish(at(9)), Ok("10 values were read, 1 written".to_owned()));
}

#[test]
fn functions_give_values_and_look_at_them() {
    let [level, pump] = [0, 1].map(Channel::new);
    let mut signals = Signals::new()
        .sensor(level, |instant| instant.count() as i32 * 2)
        .actuator(pump, |instant, value: i16| match value {
            0.. => Ok(()),
            _ => Err(format!("{value} at {} ns", instant.count())),
        })
        .interrupts_at(Line(4), [at(7), at(3)])
        .interrupts_at(Line(2), [at(3)]);
    assert_eq!(int(&mut signals, 21), 42);
    for value in [7_i16, -1, -2] {
        signals.write(at(5), pump, &value.to_le_bytes());
    }
    let mut after = 0;
    let interrupts = [(); 4].map(|()| {
        let next = signals.interrupts(at(after));
        after = next.map_or(after, |(instant, _)| instant.count());
        next
    });
    let expected = [Some((at(3), Line(2))), Some((at(4), Line(4))), Some((at(7), Line(4))), None];
    assert_eq!(interrupts, expected);
    assert_eq!(signals.finish(at(9)), Err("-1 at 5 ns\n1 values were read, 3 written".to_owned()));
}

#[test]
fn accesses_that_nobody_expects_fail_the_run() {
    let report = |access: &dyn Fn(&mut Signals)| {
        let table = Table::parse("time, 0 int\n0, 1\n").expect("a table");
        let mut signals = Signals::new().table(table).sensor(Channel::new(2), |_| 1_i16);
        signals = signals.actuator(Channel::new(3), |_, _: i16| Ok(()));
        access(&mut signals);
        let said = signals.finish(at(1)).expect_err("a mistake");
        said.lines().next().unwrap_or_default().to_owned()
    };
    let of = |channel| Channel::new(channel);
    let reads = report(&|signals| signals.read(at(0), of(0), &mut [0; 8]));
    assert_eq!(reads, "a read of 8 bytes on channel 0, whose values have 4");
    let reads = report(&|signals| signals.read(at(0), of(2), &mut [0; 8]));
    assert_eq!(reads, "a read of 8 bytes on channel 2, whose values have 2");
    let reads = report(&|signals| signals.read(at(0), of(1), &mut [0; 4]));
    assert_eq!(reads, "a read on channel 1, for which there is no sensor");
    let writes = report(&|signals| signals.write(at(0), of(3), &[0; 4]));
    assert_eq!(writes, "a write of 4 bytes on channel 3, whose values have 2");
}
