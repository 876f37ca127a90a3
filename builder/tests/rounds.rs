//! System code in proportion to what is written, not to how often it comes.

mod common;

use beryl_builder::Project;
use beryl_builder::code::{Apart, CodeError};
use beryl_builder::emit::container::containers;
use beryl_builder::error::BuildError;
use beryl_builder::in_the_text;
use beryl_testing::multiple;
use beryl_timing::Source;
use common::{described, listing, project, try_project};

/// A module with tasks of these frequencies in a period, each with an input and an output.
fn at_rates(period: &str, frequencies: &[u32]) -> Project {
    let (mut tasks, mut invoked, mut names) = (String::new(), String::new(), Vec::new());
    for frequency in frequencies {
        tasks += &format!(
            "task t{frequency} {{ input int i; output int o := 0; uses t{frequency}_impl(i, o); }} "
        );
        invoked += &format!("task [freq = {frequency}] t{frequency}(level); ");
        names.push(format!("t{frequency}"));
    }
    let timing = format!(
        "module Rates {{ sensor int level uses read_level; {tasks} start mode only [period = {period}] {{ {invoked} }} }}"
    );
    let tasks: Vec<_> = names.iter().map(|name| ("one", name.as_str())).collect();
    project(&timing, &tasks, &[("one", "read_level")])
}

fn size(project: &Project) -> usize {
    containers(project).iter().map(|(_, bytes)| bytes.len()).sum()
}

#[test]
fn a_millisecond_beside_ten_seconds_is_a_block_with_two_beats() {
    let project = at_rates("10s", &[10_000, 1]);
    let expected = "0 jump @4, 1 call publish t10000, 2 beat 10000ms, @4, 3 call publish t1, \
        4 phase releases, 5 call level, 6 call level to t10000, 7 release t10000, 1ms, \
        8 beat 10000ms, @11, 9 call level to t1, 10 release t1, 10000ms, \
        11 next round(10000ms, 1ms), @1, 12 return";
    assert_eq!(listing(&project, 0).join(", "), expected);
    assert!(size(&project) < 1000, "{} bytes", size(&project));
}

#[test]
fn two_rates_beside_each_other_take_no_more_than_both_alone() {
    // Few instants have a block each; many share one.
    for (few, many, is_folded) in [(3, 7, false), (31, 70, true), (3, 700, true), (997, 1000, true)] {
        let projects = [&[few][..], &[many], &[few, many]]
            .map(|rates| at_rates(&format!("{}us", 10 * few * many), rates));
        let [one, other, both] = projects.each_ref().map(size);
        assert!(both <= one + other, "{few} and {many}: {one} and {other} bytes, and {both} together");
        // The sensor may have been read where both come.
        let read_again = projects[2].programs[0].read_again.len();
        assert_eq!(read_again, usize::from(is_folded), "{few} and {many}");
    }
}

/// How often things come is a number in the pool, and nothing else.
#[test]
fn code_is_as_long_whatever_the_frequencies_are() {
    let lengths = [[18_u32, 19], [80, 81], [800, 900], [999, 1000]].map(|rates| {
        let product = 10 * multiple(rates[0].into(), rates[1].into());
        at_rates(&format!("{product}us"), &rates).programs[0].code.len()
    });
    assert_eq!(lengths, [lengths[0]; 4]);
}

/// What is said of a timing program whose code is too large: the message, the line's text, the label and the proposal.
#[track_caller]
fn refused(timing: &str, expected: Apart) -> [String; 4] {
    let tasks = ["a", "b", "c", "d", "e"].map(|task| ("one", task));
    let tasks: Vec<_> =
        tasks.into_iter().filter(|(_, task)| timing.contains(&format!("task {task} "))).collect();
    let error = try_project(timing, described("", &tasks, &[])).expect_err("it is too large");
    let CodeError::TooLong { apart, .. } = &error else { panic!("{error}") };
    assert_eq!(*apart, Some(expected));
    let source = Source { name: "small.tdl".to_owned(), text: timing.to_owned() };
    let model = beryl_timing::compile(&[source]).expect("right");
    let BuildError::Timing(found) = in_the_text(error, &model) else { panic!("it has a line") };
    let problem = found.iter().next().expect("one").problem();
    let line = timing[..problem.place.offset].lines().count() - 1;
    let line = timing.lines().nth(line).expect("a line").trim().to_owned();
    [problem.message.clone(), line, problem.label.clone(), problem.help.to_string()]
}

fn tasks(names: &[&str]) -> String {
    names.iter().map(|name| format!("task {name} {{ output int o := 0; uses {name}_impl(o); }}\n")).collect()
}

#[test]
fn what_remains_too_large_is_refused_at_its_line_with_a_proposal() {
    let tasks_of = tasks(&["a", "b"]);
    let slots = format!(
        "module M {{ {tasks_of}
        start mode only [period = 100s] {{
          task [freq = 100000] a();
          task [freq = 100, slots = 3] b();
        }} }}"
    );
    let switch = slots.replace("task [freq = 100, slots = 3] b();", "mode [freq = 100, slots = 3] only;");
    let [_, line, label, _] = refused(&switch, Apart::SwitchSlots(0));
    assert_eq!(line, "mode [freq = 100, slots = 3] only;");
    assert_eq!(label, "because of these slots, each instant of mode `only` has code of its own");
    let [message, line, label, help] = refused(&slots, Apart::Slots(1));
    assert_eq!(message, "module `M` needs 100001 instructions; a program has at most 65535");
    assert_eq!(line, "task [freq = 100, slots = 3] b();");
    assert_eq!(label, "because of these slots, each instant of mode `only` has code of its own");
    assert_eq!(
        help,
        "put what comes in slots into a module of its own, or give its task a rate without slots"
    );

    let tasks_of = tasks(&["a", "b", "c", "d", "e"]);
    let rates = format!(
        "module M {{ {tasks_of}
        start mode only [period = 360360ms] {{
          task [freq = 40040] a(); task [freq = 32760] b(); task [freq = 27720] c(); task [freq = 51480] d();
          task [freq = 45045] e();
        }} }}"
    );
    let [_, line, label, help] = refused(&rates, Apart::Rates(5));
    assert_eq!(line, "start mode only [period = 360360ms] {");
    assert_eq!(
        label,
        "5 rates of this mode have nothing in common, so each of its instants has code of its own"
    );
    assert_eq!(
        help,
        "choose frequencies that divide each other, or put some of the activities into a module of their own"
    );
}
