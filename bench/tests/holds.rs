//! Kernels in which sections are policed: no step is longer than it is charged, of each kind.

mod changed;
mod held;

use changed::changed;

/// The engine's kernel, where all who take locks are policed, with more lines for each thread.
fn policed(name: &str, more: &str) -> bool {
    let change = |text: &str| {
        let text =
            text.replace("name = \"engine\"", &format!("name = \"engine_{}\"", name.replace('-', "_")));
        let text = text.replace("\nbest = ", &format!("{more}\nbest = "));
        let lines = text.lines().map(|line| match line.contains("_map\"") && line.starts_with("uses") {
            true => format!("{line}\non_hold = \"fault\""),
            false => line.to_owned(),
        });
        lines.collect::<Vec<_>>().join("\n")
    };
    held::all(&changed("engine", name, change)).has_policed()
}

#[test]
fn steps_that_police_sections_take_no_longer_than_they_are_charged() {
    assert!(policed("policed", ""));
}

#[test]
fn steps_that_police_sections_beside_budgets_take_no_longer_than_they_are_charged() {
    assert!(policed("policed-and-budgeted", "\non_overrun = \"end-job\""));
}
