//! What is wrong with a text: place, reason and proposal; all of it in one pass.

use beryl_assembler::assemble;

/// The text with its diagnostics.
#[track_caller]
fn wrong(text: &str, expected: &[&str]) {
    let found: Vec<_> = assemble(text).expect_err("it is wrong").iter().map(ToString::to_string).collect();
    assert_eq!(found, expected, "{text}");
}

#[test]
fn several_errors_are_found_in_one_pass() {
    wrong(
        "task t1\ntick 1ms\na0: dispacth t1\n    release t3, 5ms\n    future 5ms, b0\n    return now\na0: return\n",
        &[
            "3:5: there is no instruction `dispacth`; write `dispatch`",
            "4:13: there is no task `t3`; write `t1`",
            "5:17: there is no label `b0`; write `a0`",
            "6:12: the line should end here; take it away, or put it on a line of its own",
            "7:1: there is a label `a0` already; choose another name",
        ],
    );
}

#[test]
fn names_say_how_to_make_them_known() {
    wrong("call gps", &["1:6: there is no driver `gps`; add a line `driver gps`"]);
    wrong("jump away", &["1:6: there is no label `away`; put `away:` before an instruction"]);
    wrong("driver d, d\ncall d", &["2:6: there are two drivers called `d`; write `#0` or `#1`"]);
    wrong("phase output", &["1:7: there is no phase `output`; write `outputs`"]);
    wrong("handle sharing, @0", &["1:8: there is no exception `sharing`; write `share`"]);
    wrong("port p\nwhen changed(p), @0", &["2:6: there is no condition `changed`; write `change`"]);
}

#[test]
fn times_need_a_unit_that_is_known_and_whole_ticks() {
    wrong(
        "idle 5ms",
        &["1:6: nothing says how long a tick is; put a line such as `tick 1us` above, or write ticks"],
    );
    wrong(
        "tick 40us\nidle 1ms\nidle 90us",
        &["3:6: the time isn't whole ticks of 40000 ns; the nearest below is 2 ticks"],
    );
    wrong("idle 0", &["1:6: a time must be longer than nothing; write a number above 0"]);
    wrong(
        "idle 5min",
        &["1:6: `5min` is no number; write digits, hexadecimal ones behind `0x`, or a time such as `10ms`"],
    );
    wrong("tick 5", &["1:6: the length of a tick is missing; write a time with its unit, such as `40ns`"]);
}

#[test]
fn what_is_missing_is_named_where_it_should_be() {
    wrong("task t\nrelease t", &["2:10: `,` is missing; put `,` here"]);
    wrong("task t\nrelease t,", &["2:11: a time is missing; write one such as `10ms`, or ticks"]);
    wrong(
        "port p\nwhen p 3, @0",
        &["2:8: how the port is compared is missing; write one of <, <=, ==, !=, >=, >, and a number"],
    );
    wrong("task \"t", &["1:6: the name doesn't end; close it with a quotation mark on the same line"]);
    wrong("call", &["1:5: the name of a driver is missing; name a driver here"]);
    wrong(
        "call $",
        &[
            "1:6: `$` means nothing here; names with such characters stand in quotation marks, comments behind `;`",
        ],
    );
}

#[test]
fn what_does_not_fit_is_refused() {
    wrong("call #70000", &["1:6: the driver doesn't fit into the instruction; there are 65536 places"]);
    wrong(
        "task t\ndispatch t, 5, @0",
        &[
            "2:16: the address isn't one of the 256 instructions ahead; go to a `jump` within reach that goes there",
        ],
    );
    wrong("certificate 80, -1", &["1:17: -1 is out of range for a number of ticks; write 0 to 4294967295"]);
    wrong("certificate 80ms", &["1:13: a number of ticks is missing; write 0 to 4294967295"]);
    wrong("triggers 300", &["1:10: 300 is out of range for a number of places; write 1 to 255"]);
    let many: String = (1..300).map(|time| format!("idle {time}\n")).collect();
    assert_eq!(assemble(&many).expect_err("too many").len(), 45, "44 that don't fit, and the sum");
}
