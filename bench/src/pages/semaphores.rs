//! Figures 14 and 15: contention for a semaphore with n threads in the band.

use anyhow::Result;

use super::{Page, markdown};
use crate::plot::{Line, Plot};
use crate::recorded::Recorded;
use crate::semaphores::{NAMES, POLICIES, THREADS, WAYS, case};

pub fn page(recorded: &Recorded) -> Result<Page> {
    Ok(Page {
        file: "semaphores.md",
        tables: vec![("cycle", table(recorded)?)],
        plots: vec![
            ("semaphores-dynamic.svg", plot(recorded, "Contention in a dynamic band", "dynamic")?),
            ("semaphores-fixed.svg", plot(recorded, "Contention in a fixed band", "fixed")?),
        ],
    })
}

fn most(recorded: &Recorded, way: &str, policy: &str, threads: usize) -> Result<u64> {
    Ok(recorded.row(NAMES[0], &case(way, policy, threads))?.figures.max)
}

fn table(recorded: &Recorded) -> Result<String> {
    let mut header = vec!["band, hand-over".to_owned()];
    header.extend(THREADS.iter().map(|threads| format!("n = {threads}")));
    let mut rows = Vec::new();
    for policy in POLICIES {
        for way in WAYS {
            let mut row = vec![format!("{policy}, {way}")];
            for threads in THREADS {
                row.push(most(recorded, way, policy, threads)?.to_string());
            }
            rows.push(row);
        }
        let mut row = vec![format!("{policy}, saved by early")];
        for threads in THREADS {
            let [early, standard] = [WAYS[0], WAYS[1]].map(|way| most(recorded, way, policy, threads));
            row.push((i128::from(standard?) - i128::from(early?)).to_string());
        }
        rows.push(row);
    }
    Ok(markdown(&header, &rows))
}

fn plot(recorded: &Recorded, title: &str, policy: &str) -> Result<String> {
    let line = |way: &&str| -> Result<Line> {
        let point = |threads: &usize| Ok((u64::try_from(*threads)?, most(recorded, way, policy, *threads)?));
        Ok(Line { name: (*way).to_owned(), points: THREADS.iter().map(point).collect::<Result<_>>()? })
    };
    let lines = WAYS.iter().map(line).collect::<Result<_>>()?;
    Ok(Plot { title, across: "threads in the band", up: "instructions a cycle", lines }.svg())
}
