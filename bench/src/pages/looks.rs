//! The table of what instants take at which a trigger looks at a port.

use anyhow::Result;

use super::{Page, markdown};
use crate::looks::{CHANGED, LOOKED_AT, NOTHING, SAME, case};
use crate::recorded::Recorded;

pub fn page(recorded: &Recorded) -> Result<Page> {
    Ok(Page { file: "looks.md", tables: vec![("looks", table(recorded)?)], plots: Vec::new() })
}

fn table(recorded: &Recorded) -> Result<String> {
    let most = |bench: &str, case: &str| Ok::<_, anyhow::Error>(recorded.row(bench, case)?.figures.max);
    let mut rows = vec![[NOTHING.to_owned(), most(SAME, NOTHING)?.to_string(), String::new()].to_vec()];
    for (words, port) in LOOKED_AT {
        let [same, changed] = [most(SAME, &case(words))?, most(CHANGED, &case(words))?];
        rows.push(vec![format!("{words}, `{port}`"), same.to_string(), changed.to_string()]);
    }
    let header = ["words", "an instant without a change", "an instant with one"];
    Ok(markdown(&header.map(str::to_owned), &rows))
}
