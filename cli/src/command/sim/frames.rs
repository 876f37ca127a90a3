//! What became of the frames of the bus between nodes.

use std::fmt;

use serde_json::json;

/// What became of the frames of a node, or of all.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Frames {
    /// The node.
    node: String,
    sent: u64,
    lost: u64,
    /// Those that came, with another checksum than their bytes have.
    corrupt: u64,
}

impl Frames {
    /// Reads a line of a simulation program: `bus: NODE SENT LOST CORRUPT`.
    pub fn read(line: &str) -> Option<Frames> {
        let mut words = line.strip_prefix("bus: ")?.split_whitespace();
        let node = words.next()?.to_owned();
        let mut count = || words.next()?.parse().ok();
        Some(Frames { node, sent: count()?, lost: count()?, corrupt: count()? })
    }

    /// Those of all nodes.
    pub fn all(nodes: &[Frames]) -> Frames {
        nodes.iter().fold(Frames::default(), |all, own| Frames {
            node: String::new(),
            sent: all.sent.saturating_add(own.sent),
            lost: all.lost.saturating_add(own.lost),
            corrupt: all.corrupt.saturating_add(own.corrupt),
        })
    }

    /// A line for all, and one for each node if some didn't come as they were sent.
    pub fn lines(nodes: &[Frames]) -> Vec<String> {
        let all = Frames::all(nodes);
        let each = nodes.iter().filter(|_| all.lost + all.corrupt > 0);
        let each = each.map(|own| format!("  of {}: {own}", own.node));
        std::iter::once(format!("bus: {all}")).chain(each).collect()
    }

    /// For readers that are programs.
    pub fn object(&self) -> serde_json::Value {
        json!({ "node": self.node, "sent": self.sent, "lost": self.lost, "corrupt": self.corrupt })
    }
}

impl fmt::Display for Frames {
    fn fmt(&self, to: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(to, "{} frames, {} lost, {} corrupt", self.sent, self.lost, self.corrupt)
    }
}

#[cfg(test)]
mod tests {
    use super::Frames;

    #[test]
    fn nodes_are_told_apart_where_frames_went_wrong() {
        let read = |text: &str| text.lines().filter_map(Frames::read).collect::<Vec<_>>();
        let well = read("bus: left 5 0 0\nwarning: else\nbus: right 5 0 0");
        assert_eq!(Frames::lines(&well), ["bus: 10 frames, 0 lost, 0 corrupt"]);
        let wrong = read("bus: left 5 1 0\nbus: right 6 0 2\nbus: broken 1");
        assert_eq!(
            Frames::lines(&wrong),
            [
                "bus: 11 frames, 1 lost, 2 corrupt",
                "  of left: 5 frames, 1 lost, 0 corrupt",
                "  of right: 6 frames, 0 lost, 2 corrupt",
            ]
        );
    }
}
