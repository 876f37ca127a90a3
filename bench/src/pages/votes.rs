//! The table of what votes take.

use anyhow::Result;

use super::{Page, markdown};
use crate::recorded::Recorded;
use crate::votes::{AGREEING, BYTES, NAMES, REPLICAS, case};

pub fn page(recorded: &Recorded) -> Result<Page> {
    Ok(Page { file: "votes.md", tables: vec![("votes", table(recorded)?)], plots: Vec::new() })
}

fn table(recorded: &Recorded) -> Result<String> {
    let mut rows = Vec::new();
    for replicas in REPLICAS {
        for bytes in BYTES {
            let most = |agreeing: &&str| {
                Ok(recorded.row(NAMES[0], &case(replicas, bytes, agreeing))?.figures.max.to_string())
            };
            let figures = AGREEING.iter().map(most).collect::<Result<Vec<_>>>()?;
            rows.push([vec![replicas.to_string(), bytes.to_string()], figures].concat());
        }
    }
    let header =
        ["replicas", "bytes", "all say the same", "as many wrong as may be, asked first", "each another"];
    Ok(markdown(&header.map(str::to_owned), &rows))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A vote for each replica and word, and no more: what a task's bound grows by is known beforehand.
    #[test]
    fn a_vote_grows_with_replicas_and_with_bytes() -> Result<()> {
        let recorded = Recorded::read()?;
        let most = |replicas, bytes, agreeing| {
            Ok::<_, anyhow::Error>(recorded.row(NAMES[0], &case(replicas, bytes, agreeing))?.figures.max)
        };
        for agreeing in AGREEING {
            for replicas in REPLICAS {
                assert!(
                    most(replicas, 4, agreeing)? < most(replicas, 64, agreeing)?,
                    "{replicas}, {agreeing}"
                );
            }
            for bytes in BYTES {
                assert!(most(3, bytes, agreeing)? < most(7, bytes, agreeing)?, "{bytes} bytes, {agreeing}");
            }
        }
        for (replicas, bytes) in REPLICAS.into_iter().zip(BYTES) {
            let [same, outvoted] = [most(replicas, bytes, "same")?, most(replicas, bytes, "outvoted")?];
            assert!(same < outvoted, "{replicas} replicas, {bytes} bytes");
        }
        Ok(())
    }
}
