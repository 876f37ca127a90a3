//! The records must be consistent.

use anyhow::Result;

use super::*;
use crate::row::Row;

#[test]
fn what_is_recorded_is_whole_and_of_the_recorded_rows() -> Result<()> {
    let (recorded, Breakdowns(rows)) = (Recorded::read()?, Breakdowns::read()?);
    rows.iter().try_for_each(Breakdown::must_be_whole)?;
    agree(&rows, &recorded)
}

#[test]
fn every_row_that_missed_its_aim_in_instructions_is_told_apart() -> Result<()> {
    let (recorded, Breakdowns(rows)) = (Recorded::read()?, Breakdowns::read()?);
    let names: Vec<_> = rows.iter().map(Breakdown::name).collect();
    let missed: Vec<_> =
        told_apart(&recorded).iter().map(|row| format!("{}, {}", row.bench, row.case)).collect();
    assert_eq!(names, missed, "run ./x bench purposes --record");
    Ok(())
}

#[test]
fn an_example_stays_when_it_meets_its_aim() -> Result<()> {
    let row = |bench, figure| Row::instructions(bench, "caller to next caller", &[figure]);
    let names = |rows: Vec<Row>| -> Vec<_> {
        told_apart(&Recorded::of(rows)).into_iter().map(|row| row.bench).collect()
    };
    assert_eq!(names(vec![row("yield/same-process", 67)?]), ["yield/same-process"]);
    let met = vec![row("yield/same-process", 44)?, row("yield/two-processes", 44)?];
    assert_eq!(names(met), ["yield/same-process"]);
    Ok(())
}

#[test]
fn little_is_not_attributed() -> Result<()> {
    let Breakdowns(rows) = Breakdowns::read()?;
    for row in rows {
        let count = row.purposes.get(&Purpose::NotAttributed).copied().unwrap_or_default();
        assert!(
            count * 10 < row.instructions,
            "{}: {count} of {} instructions are not attributed; `./x bench purposes --each` shows which, and \
             bench/src/purposes/rules.rs says what functions are for",
            row.name(),
            row.instructions
        );
    }
    Ok(())
}

#[test]
fn a_row_that_is_measured_anew_makes_what_is_told_apart_stale() -> Result<()> {
    let row = |figure| Row::instructions("yield/same-process", "caller to next caller", &[figure]);
    let breakdown = Breakdown {
        bench: "yield/same-process".to_owned(),
        case: "caller to next caller".to_owned(),
        figure: 67,
        rounds: 1,
        instructions: 67,
        outside: 67,
        purposes: [].into(),
    };
    assert!(agree(std::slice::from_ref(&breakdown), &Recorded::of(vec![row(67)?])).is_ok());
    for recorded in [vec![row(66)?], Vec::new()] {
        let error = agree(std::slice::from_ref(&breakdown), &Recorded::of(recorded))
            .expect_err("it is stale")
            .to_string();
        assert!(error.contains("./x bench purposes --record") && error.contains("67 here"), "{error}");
    }
    Ok(())
}
