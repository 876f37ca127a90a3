//! A whole generated program, read as text.

use beryl_assembler::disassemble;
use beryl_generator::{Scheme, Task, TaskSet, generate};

/// Figure 2's tasks: t2 every 10, t1 every 20, which is interrupted at 10.
#[test]
fn the_flight_controller_is_interrupted_at_ten() {
    let set = TaskSet::new("flight", vec![Task::new("t1", 20, 9), Task::new("t2", 10, 4)]);
    let program = generate(&set, Scheme::PreemptiveEdf).expect("17 of 20");
    let expected = "module flight
task t2, t1
driver \"out t2\", \"out t1\", \"in t2\", \"in t1\"
durations 10, 20
conditions clock(10), clock(20)
triggers 1
threads 1
start a0

a0:     fork     a17
        jump     a4
a2:     call     \"out t2\"
        call     \"out t1\"
a4:     phase    releases
        call     \"in t2\"
        call     \"in t1\"
        release  t2, 10
        release  t1, 20
        future   10, a11
        return
a11:    call     \"out t2\"
        phase    releases
        call     \"in t2\"
        release  t2, 10
        future   10, a2
        return
a17:    dispatch t2, clock(10), a20
        dispatch t1, clock(10), a20
        idle     clock(10)
a20:    dispatch t2, clock(20), a23
        dispatch t1, clock(20), a23
        idle     clock(20)
a23:    fork     a17
        return
";
    assert_eq!(disassemble(&program), expected);
}
