//! What has no synchronous values is refused, with a place, a reason and a proposal.

use beryl_builder::assembly::{JoinError, assemble};
use beryl_builder::description::Description;
use beryl_timing::Source;
use miette::Diagnostic;

pub const TIMING: &str = "module M {
  sensor int place uses read;
  task a { input int i; output int x := 0; output int y := 0; uses fa(i, x, y); }
  task b { input int i; output int x := 0; uses fb(i, x); }
  public task c { input int i; output int x := 0; uses fc(i, x); }
  start mode m [period = 20ms] {
    task [freq = 4] a(place);
    task [freq = 2] b(a.x);
    task [freq = 1] c(b.x);
  }
}
";

pub const DESCRIPTION: &str = "[system]
name = \"small\"
timing = [\"small.tdl\"]
application = \"app\"
outputs = \"synchronous\"
[board]
name = \"mps2-an385\"
flash = \"1M\"
ram = \"1M\"
[process.p]
memory = \"64\"
driver_stack = \"512\"
[[band]]
name = \"all\"
policy = \"fixed\"
[[band]]
name = \"other\"
policy = \"fixed\"
[task.a]
process = \"p\"
band = \"all\"
priority = 9
worst = \"1ms\"
stack = \"512\"
waits = \"never\"
[task.b]
process = \"p\"
band = \"all\"
priority = 8
worst = \"1ms\"
stack = \"512\"
waits = \"never\"
[task.c]
process = \"p\"
band = \"all\"
priority = 7
worst = \"1ms\"
stack = \"512\"
[driver.read]
process = \"p\"
worst = \"50us\"
";

/// A text with some of its parts changed.
fn changed(text: &str, changes: &[(&str, &str)]) -> String {
    changes.iter().fold(text.to_owned(), |text, (from, to)| {
        assert!(text.contains(from), "there is no {from}");
        text.replacen(from, to, 1)
    })
}

fn assembled(timing: &str, description: &str) -> Result<(), JoinError> {
    let source = Source { name: "small.tdl".to_owned(), text: timing.to_owned() };
    let model = beryl_timing::compile(&[source]).unwrap_or_else(|wrong| panic!("{wrong:?}"));
    let description =
        Description::parse("beryl.toml", description).unwrap_or_else(|wrong| panic!("{wrong:?}"));
    assemble(&model, &description).map(drop)
}

/// Everything that is said: the place, why, and what can be done.
fn refused(timing: &[(&str, &str)], description: &[(&str, &str)]) -> Vec<[String; 3]> {
    let wrong = assembled(&changed(TIMING, timing), &changed(DESCRIPTION, description)).expect_err("refused");
    let said = wrong.iter().map(|mismatch| {
        let place = mismatch.labels().and_then(|mut labels| labels.next()).expect("a place");
        let source = mismatch.source_code().expect("a text");
        let text = source.read_span(place.inner(), 0, 0).expect("it is in the text");
        let text = String::from_utf8(text.data().to_vec()).expect("a text");
        [text, mismatch.to_string(), mismatch.help().expect("a proposal").to_string()]
    });
    said.collect()
}

/// The only thing that is said.
#[track_caller]
fn assert_refused(timing: &[(&str, &str)], description: &[(&str, &str)], expected: [&str; 3]) {
    assert_eq!(refused(timing, description), [expected.map(str::to_owned)]);
}

#[test]
fn the_system_that_all_others_are_changed_from_is_right() {
    assembled(TIMING, DESCRIPTION).expect("nothing is wrong");
}

#[test]
fn values_of_one_instant_do_not_go_round() {
    let round = [
        ("input int i; output int x := 0; output", "input int i; input int back; output int x := 0; output"),
        ("fa(i,", "fa(i, back,"),
        ("a(place)", "a(place, c.x)"),
    ];
    assert_refused(
        &round,
        &[],
        [
            "a",
            "values of one instant go round: `a` reads `c` reads `b` reads `a`",
            "let one of them read with a delay: `delayed = [\"c.x\"]` for `a`",
        ],
    );
    let delayed = [("[task.a]", "[task.a]\ndelayed = [\"c.x\"]")];
    assembled(&changed(TIMING, &round), &changed(DESCRIPTION, &delayed)).expect("with a delay they may");
    assert_refused(
        &[("b(a.x)", "b(b.x)")],
        &[],
        [
            "b",
            "values of one instant go round: `b` reads `b`",
            "let one of them read with a delay: `delayed = [\"b.x\"]` for `b`",
        ],
    );
}

#[test]
fn a_writer_goes_before_its_reader() {
    assert_refused(
        &[],
        &[("priority = 8", "priority = 9")],
        [
            "b",
            "task `b` can't read values of the same instant from `a`: they have the same priority, so nobody knows which goes first",
            "give `a` a higher priority, or write `delayed = [\"a.x\"]` for `b`",
        ],
    );
    assert_refused(
        &[],
        &[("priority = 7", "priority = 10")],
        [
            "c",
            "task `c` can't read values of the same instant from `b`: the reader is more urgent and so goes first",
            "give `b` a higher priority than `c`, or write `delayed = [\"b.x\"]` for `c`",
        ],
    );
    // With a delay any order will do.
    let delayed = [("priority = 7", "priority = 10\ndelayed = [\"b.x\"]")];
    assembled(TIMING, &changed(DESCRIPTION, &delayed)).expect("nothing is wrong");
}

#[test]
fn both_are_in_one_band_that_goes_by_priorities() {
    assert_refused(
        &[],
        &[("band = \"all\"\npriority = 7", "band = \"other\"\npriority = 7")],
        [
            "c",
            "task `c` can't read values of the same instant from `b`: they are in different bands",
            "put both into one band, with the higher priority for `b`, or write `delayed = [\"b.x\"]` for `c`",
        ],
    );
    let dynamic = [
        ("policy = \"fixed\"", "policy = \"dynamic\""),
        ("priority = 9\n", ""),
        ("priority = 8\n", ""),
        ("priority = 7\n", ""),
    ];
    let said = refused(&[], &dynamic);
    assert_eq!(said.len(), 2, "{said:?}");
    assert_eq!(
        said[0],
        [
            "b",
            "task `b` can't read values of the same instant from `a`: their band has no priorities, so the reader may begin first",
            "give the band `policy = \"fixed\"`, with the higher priority for `a`, or write `delayed = [\"a.x\"]` for `b`"
        ]
    );
}

#[test]
fn both_are_in_one_module_and_modes_invoke_them() {
    let other = "module N {\n  import M;\n  task d { input int i; output int x := 0; uses fd(i, x); }\n  start mode n [period = 20ms] { task [freq = 1] d(M.c.x); }\n}\n";
    let text = format!("{TIMING}{other}");
    let section =
        "[task.d]\nprocess = \"p\"\nband = \"all\"\npriority = 6\nworst = \"1ms\"\nstack = \"512\"\n";
    let description = DESCRIPTION.replace("[driver.read]", &format!("{section}[driver.read]"));
    let description = changed(&description, &[("priority = 7", "priority = 7\nwaits = \"never\"")]);
    let said = assembled(&text, &description).expect_err("refused").to_string();
    let wrong = assembled(&text, &description).expect_err("refused");
    let first = wrong.iter().next().expect("one").to_string();
    assert_eq!(
        first,
        "task `d` can't read values of the same instant from `c`: they are in different modules, whose modes and instants \
         are their own",
        "{said}"
    );
    let delayed = description.replace("priority = 6", "priority = 6\ndelayed = [\"c.x\"]");
    assembled(&text, &delayed).expect("with a delay it may");

    let events = (
        "    task [freq = 1] c(b.x);\n  }\n",
        "  }\n  asynchronous { task [trigger = b.x, priority = 0] c(b.x); }\n",
    );
    assert_refused(
        &[events],
        &[],
        [
            "c",
            "task `c` can't read values of the same instant from `b`: no mode invokes `c`, so nobody knows which of its jobs is meant",
            "write `delayed = [\"b.x\"]` for `c`",
        ],
    );
}

#[test]
fn jobs_are_done_or_stopped() {
    assert_refused(
        &[],
        &[("[task.a]", "[task.a]\non_miss = \"skip\"")],
        [
            "a",
            "task `b` can't read values of the same instant from `a`: a late job of `a` goes on, and so isn't done at its next release",
            "let `on_miss` of `a` stop the job, or write `delayed = [\"a.x\"]` for `b`",
        ],
    );
    assert_refused(
        &[],
        &[("[task.c]", "[task.c]\non_miss = \"skip\"")],
        [
            "c",
            "task `c` can't read values of the same instant from `b`: a late job of `c` goes on, and so isn't done at its next release",
            "let `on_miss` of `c` stop the job, or write `delayed = [\"b.x\"]` for `c`",
        ],
    );
    assert_refused(
        &[],
        &[("[task.a]", "[task.a]\non_miss = { outputs = \"initial\" }")],
        [
            "a",
            "task `b` can't read values of the same instant from `a`: `on_miss` of `a` gives its outputs their initial values, which only others see",
            "leave `outputs` out of it, or write `delayed = [\"a.x\"]` for `b`",
        ],
    );
}

#[test]
fn a_writer_never_waits() {
    assert_refused(
        &[],
        &[("waits = \"never\"\n[task.b]", "waits = \"turns\"\n[task.b]")],
        [
            "a",
            "task `b` can't read values of the same instant from `a`: a job of `a` may wait for something, and the reader begin meanwhile",
            "write `waits = \"never\"` for `a`, or write `delayed = [\"a.x\"]` for `b`",
        ],
    );
}

#[test]
fn a_delay_is_one_of_something() {
    assert_refused(
        &[],
        &[("[task.b]", "[task.b]\ndelayed = [\"a.z\"]")],
        ["\"a.z\"", "task `b` doesn't read `a.z`", "did you mean `a.x`? The outputs that it reads: `a.x`"],
    );
    assert_refused(
        &[],
        &[("[task.a]", "[task.a]\ndelayed = [\"a.x\"]")],
        ["\"a.x\"", "task `a` doesn't read `a.x`", "it reads no outputs of tasks: leave `delayed` out"],
    );
    let changes = [("outputs = \"synchronous\"\n", ""), ("[task.b]", "[task.b]\ndelayed = [\"a.x\"]")];
    let wrong = Description::parse("beryl.toml", &changed(DESCRIPTION, &changes)).expect_err("refused");
    let said: Vec<_> = wrong.iter().map(ToString::to_string).collect();
    assert_eq!(said, ["only synchronous values can be read with a delay"]);
}
