//! The costs of other kernels: measured once, with the method of this bench, and kept in
//! `docs/measurements/peers.jsonl`.
//!
//! A line is a peer or an operation. Peers and Beryl change; when you measure one again, update its version
//! and figures there.

use std::collections::BTreeMap;
use std::fs;

use anyhow::{Context, Result, ensure};
use serde::Deserialize;

use crate::recorded::folder;

/// All records of other kernels.
pub struct Peers {
    /// The peers, in table order.
    pub peers: Vec<Peer>,
    /// The measured operations.
    pub operations: Vec<Operation>,
}

/// Another kernel.
#[derive(Debug, Deserialize)]
pub struct Peer {
    /// Its name.
    #[serde(rename = "peer")]
    pub name: String,
    /// The measured version.
    pub version: String,
    /// How it was built.
    pub configuration: String,
}

/// An operation measured on several peers.
#[derive(Debug, Deserialize)]
pub struct Operation {
    /// Its name.
    #[serde(rename = "operation")]
    pub name: String,
    /// By peer.
    figures: BTreeMap<String, Figure>,
    /// Peers that do something else instead, and what.
    #[serde(default)]
    unlike: BTreeMap<String, String>,
}

/// One number, or the minimum and the maximum.
#[derive(Clone, Copy, Debug, Deserialize)]
#[serde(untagged)]
enum Figure {
    Always(u64),
    Between(u64, u64),
}

/// The cost of an operation on a kernel.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Cost<'a> {
    /// The minimum.
    pub least: u64,
    /// The maximum.
    pub most: u64,
    /// What it does instead, if it isn't the same operation.
    pub unlike: Option<&'a str>,
}

impl Cost<'_> {
    /// A cost of the same operation.
    pub fn of(least: u64, most: u64) -> Cost<'static> {
        Cost { least, most, unlike: None }
    }
}

#[derive(Deserialize)]
#[serde(untagged)]
enum Line {
    Peer(Peer),
    Operation(Operation),
}

impl Peers {
    /// Reads the file.
    ///
    /// # Errors
    /// If there is no file, or it has other content.
    pub fn read() -> Result<Peers> {
        let path = folder().join("peers.jsonl");
        let text = fs::read_to_string(&path).with_context(|| format!("reading {}", path.display()))?;
        Peers::parse(&text).with_context(|| path.display().to_string())
    }

    fn parse(text: &str) -> Result<Peers> {
        let mut peers = Peers { peers: Vec::new(), operations: Vec::new() };
        for line in text.lines() {
            match serde_json::from_str(line)
                .with_context(|| format!("`{line}` is no peer and no operation"))?
            {
                Line::Peer(peer) => peers.peers.push(peer),
                Line::Operation(operation) => peers.operations.push(operation),
            }
        }
        for operation in &peers.operations {
            for name in operation.figures.keys() {
                let is_known = peers.peers.iter().any(|peer| peer.name == *name);
                ensure!(is_known, "`{}` has a figure of `{name}`, which no line describes", operation.name);
            }
            for name in operation.unlike.keys() {
                let has_figure = operation.figures.contains_key(name);
                ensure!(has_figure, "`{}`: `{name}` does something else, and has no figure", operation.name);
            }
        }
        Ok(peers)
    }

    /// An operation.
    ///
    /// # Errors
    /// If it hasn't been measured.
    pub fn operation(&self, name: &str) -> Result<&Operation> {
        let found = self.operations.iter().find(|operation| operation.name == name);
        found.with_context(|| format!("no `{name}` in docs/measurements/peers.jsonl"))
    }
}

impl Operation {
    /// A peer's cost for it, if measured.
    pub fn cost(&self, peer: &str) -> Option<Cost<'_>> {
        let (least, most) = match *self.figures.get(peer)? {
            Figure::Always(figure) => (figure, figure),
            Figure::Between(least, most) => (least, most),
        };
        Some(Cost { least, most, unlike: self.unlike.get(peer).map(String::as_str) })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const PEER: &str = r#"{"peer":"one","version":"1","configuration":"plain"}"#;

    #[test]
    fn a_figure_is_a_number_or_two() -> Result<()> {
        let operation = r#"{"operation":"yield","figures":{"one":[5,7]},"unlike":{"one":"no switch"}}"#;
        let peers = Peers::parse(&format!("{PEER}\n{operation}"))?;
        let cost = peers.operation("yield")?.cost("one");
        assert_eq!(cost, Some(Cost { least: 5, most: 7, unlike: Some("no switch") }));
        assert_eq!(peers.operation("yield")?.cost("two"), None);
        assert!(peers.operation("wake").is_err());
        let plain = Peers::parse(&format!("{PEER}\n{}", r#"{"operation":"yield","figures":{"one":5}}"#))?;
        assert_eq!(plain.operation("yield")?.cost("one"), Some(Cost::of(5, 5)));
        Ok(())
    }

    #[test]
    fn figures_of_nobody_are_refused() {
        for wrong in [
            r#"{"operation":"yield","figures":{"two":5}}"#,
            r#"{"operation":"yield","figures":{"one":5},"unlike":{"two":"no switch"}}"#,
            r#"{"operation":"yield","figures":{"one":"five"}}"#,
            r#"{"nothing":1}"#,
        ] {
            assert!(Peers::parse(&format!("{PEER}\n{wrong}")).is_err(), "{wrong}");
        }
    }
}
