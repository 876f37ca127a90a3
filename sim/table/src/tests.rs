//! What is wrong with tables, in words.

use std::path::Path;

use super::Table;

#[test]
fn what_is_wrong_with_a_table_is_told_with_its_line_and_a_proposal() {
    let types = "types are boolean, byte, short, int, long, char, float, double";
    let range = "write a whole number from";
    for (text, expected) in [
        ("", "line 1: there is no heading; write one as in `time, 0 int, 1 float`".to_owned()),
        (
            "\n0, 1\n",
            "line 2: `0` is no column of times; the first is `time` (in seconds), `time ms` or `time us`".to_owned(),
        ),
        ("time\n", "line 1: there is no column but the times; write one more, as in `time, 0 int`".to_owned()),
        (
            "time, speed\n",
            format!(
                "line 1: `speed` is no column; write a channel and the type of its value, as in `0 int`, or a line, as in \
                 `interrupt 10`; {types}"
            ),
        ),
        (
            "time, 0 real\n",
            format!(
                "line 1: `0 real` is no column; write a channel and the type of its value, as in `0 int`, or a line, as in \
                 `interrupt 10`; {types}"
            ),
        ),
        ("time, 0 int\n", "line 1: there are no rows below the heading; write at least one".to_owned()),
        (
            "time, 0 int\n0, 1\n# all is well here\n1\n",
            "line 4: 1 cells where the heading has 2; an empty cell keeps what was there, its comma is needed".to_owned(),
        ),
        (
            "time, 0 int\n1, 1\n1.0, 2\n",
            "line 3: time 1.0 isn't behind that of the row before; order the rows by time".to_owned(),
        ),
        (
            "time, 0 int\n-1, 1\n",
            "line 2: `-1` is no time; write a number as in `0.25`, not below 0 and no finer than 1 ns".to_owned(),
        ),
        (
            "time us, 0 int\n0.0001, 1\n",
            "line 2: `0.0001` is no time; write a number as in `0.25`, not below 0 and no finer than 1 ns".to_owned(),
        ),
        ("time, 0 int\n0, fast\n", format!("line 2: `fast` is no int; {range} -2147483648 to 2147483647")),
        ("time, 0 byte\n0, 128\n", format!("line 2: `128` is no byte; {range} -128 to 127")),
        (
            "time, 0 float\n0, inf\n",
            "line 2: `inf` is no float; write a finite number, as in `-1.5` or `2e-3`".to_owned(),
        ),
        ("time, 0 char\n0, x\n", format!("line 2: `x` is no char; {range} 0 to 255")),
        ("time, 0 boolean\n0, 2\n", "line 2: `2` is no boolean; write 0 or 1".to_owned()),
        (
            "time, 0 int level\n0, x\n",
            format!("line 2: level: `x` is no int; {range} -2147483648 to 2147483647"),
        ),
        (
            "time, interrupt 3\n0, 2\n",
            "line 2: `2` in the column of an interrupt; write 1 where it comes, or nothing".to_owned(),
        ),
    ] {
        let error = Table::parse(text).expect_err(text);
        assert_eq!(error.to_string(), expected, "{text:?}");
    }
    let missing = Table::read(Path::new("/nowhere/at.csv")).expect_err("no file").to_string();
    assert!(missing.starts_with("/nowhere/at.csv: "), "{missing}");
}
