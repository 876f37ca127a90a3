//! What a run's table, last line, exit code and JSON say of jobs that take too long: overruns and lost
//! releases, apart from misses.

use common::{beryl, lock, threads};

mod common;

const LENGTH: u64 = 200_000;

/// A system of one thread that works for 1.1 ms in each of its jobs, whatever its description says.
fn system(name: &str, thread: &str) -> String {
    let one = "[thread.one]\nprocess = \"one\"\npriority = 3\nentry = \"one\"\nstack = \"512\"\n";
    threads(name, "../../../../conformance/app", &[one, thread, "\n"].concat()).display().to_string()
}

/// The cells of the thread's row: column and text.
fn row(said: &str) -> Vec<(String, String)> {
    let words = |line: &str| -> Vec<String> { line.split("  ").map(str::trim).map(str::to_owned).collect() };
    let cells = |line| words(line).into_iter().filter(|word| !word.is_empty()).collect::<Vec<_>>();
    let head = said.lines().find(|line| line.starts_with("task ")).expect("a head");
    let row = said.lines().find(|line| line.starts_with("one ")).expect("a row");
    cells(head).into_iter().zip(cells(row)).collect()
}

fn of<'a>(row: &'a [(String, String)], column: &str) -> &'a str {
    row.iter().find(|(head, _)| head == column).map(|(_, cell)| cell.as_str()).expect(column)
}

fn last(said: &str) -> &str {
    said.lines().last().unwrap_or_default()
}

fn json(said: &str) -> Vec<serde_json::Value> {
    said.lines().map(|line| serde_json::from_str(line).expect("JSON")).collect()
}

/// Each job takes thirteen times its `worst` and is done long before its deadline.
#[test]
fn an_overrun_stands_in_the_last_line_and_the_exit_code_says_it() {
    let _lock = lock("greedy");
    let system = system("greedy", "period = \"20ms\"\nworst = \"0.084ms\"");
    let ran = beryl(&["sim", &system, "--for", "200ms"]);
    let said = ran.ended(1);
    assert_eq!(last(&said), "greedy: 0 deadline misses, 10 overruns");
    let row = row(&said);
    assert_eq!((of(&row, "took"), of(&row, "worst"), of(&row, "overran")), ("1.1 ms", "84 us", "10"));
    let said = json(&beryl(&["sim", &system, "--for", "200ms", "--json"]).ended(1));
    let tally = said.iter().find(|object| object.get("overruns").is_some()).expect("a last object");
    assert_eq!((&tally["overruns"], &tally["deadline_misses"]), (&10.into(), &0.into()));
    let ran = beryl(&["run", &system, "--for", "200ms"]);
    let said = ran.ended(1);
    let expected = "identical on sim and mps2-an385; 0 deadline misses, 10 overruns";
    assert!(last(&said).ends_with(expected), "{said}");
}

/// A job takes three releases and more: of each release came a job, or it is lost, or it will still be made up for.
#[test]
fn releases_that_are_lost_are_told_apart_from_misses() {
    for (catch_up, period) in [(0, 300), (2, 300)] {
        let name = format!("lossy_{catch_up}_{period}");
        let _lock = lock(&name);
        let thread = format!(
            "period = \"{period}us\"\nworst = \"0.1ms\"\ndeadline = \"{period}us\"\ncatch_up = {catch_up}"
        );
        let ran = beryl(&["sim", &system(&name, &thread), "--unchecked", "--for", "200ms"]);
        let said = ran.ended(1);
        let row = row(&said);
        let number = |column| of(&row, column).parse::<u64>().expect("a number");
        let arrivals = LENGTH / period + 1;
        let unserved = arrivals - number("released") - number("lost");
        assert!(unserved <= catch_up, "{said}");
        assert!(number("lost") > 40, "{said}");
        assert!(last(&said).contains(&format!(", {} lost releases", number("lost"))), "{said}");
    }
}
