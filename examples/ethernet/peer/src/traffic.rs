//! What comes over the wire, as `traffic.toml` says.

use std::fmt;
use std::path::Path;

use serde::Deserialize;

/// How often what comes. All times are microseconds.
#[derive(Clone, Copy, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Traffic {
    /// From one ping to the next.
    pub ping: u32,
    /// From one datagram to the next.
    pub datagram: u32,
    /// Frames that nobody asked for.
    pub flood: Option<Flood>,
}

/// When they come, and how often.
#[derive(Clone, Copy, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Flood {
    /// The first.
    pub from: u32,
    /// None from then on.
    pub to: u32,
    /// From one to the next.
    pub every: u32,
}

impl Traffic {
    /// Reads it from the system's folder.
    ///
    /// # Errors
    /// It can't be read, or something in it comes without any time between.
    pub fn read(folder: &Path) -> Result<Traffic, TrafficError> {
        let file = folder.join("traffic.toml");
        let failed = |reason: String| TrafficError(format!("{}: {reason}", file.display()));
        let text = std::fs::read_to_string(&file).map_err(|reason| failed(reason.to_string()))?;
        let traffic: Traffic = toml::from_str(&text).map_err(|reason| failed(reason.to_string()))?;
        let distances = [Some(traffic.ping), Some(traffic.datagram), traffic.flood.map(|flood| flood.every)];
        match distances.contains(&Some(0)) {
            true => Err(failed("a time of 0 from one to the next; 1 is the least".to_owned())),
            false => Ok(traffic),
        }
    }
}

/// There is no such file, or something is wrong with it.
#[derive(Clone, Debug)]
pub struct TrafficError(String);

impl fmt::Display for TrafficError {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str(&self.0)
    }
}

impl std::error::Error for TrafficError {}
