//! A long value that a call is reading: the part that is left to copy, piece by piece.

/// The part of a value that is left to copy.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Reading {
    from: u32,
    to: u32,
    left: u16,
}

impl Reading {
    /// Nothing is being read.
    pub const NONE: Reading = Reading { from: 0, to: 0, left: 0 };

    /// A whole value.
    pub const fn of(from: u32, to: u32, left: u16) -> Reading {
        Reading { from, to, left }
    }

    pub const fn is_under_way(self) -> bool {
        self.left != 0
    }

    /// The next piece of at most `most` bytes: source, target, and length.
    pub fn next(&mut self, most: u32) -> (u32, u32, u32) {
        let Reading { from, to, left } = *self;
        let length = u32::from(left).min(most);
        *self = Reading {
            from: from.wrapping_add(length),
            to: to.wrapping_add(length),
            left: left.saturating_sub(length as u16),
        };
        (from, to, length)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pieces_follow_each_other_and_the_last_may_be_shorter() {
        let mut reading = Reading::of(100, 1000, 140);
        assert_eq!(
            [reading.next(64), reading.next(64), reading.next(64)],
            [(100, 1000, 64), (164, 1064, 64), (228, 1128, 12)]
        );
        assert!(!reading.is_under_way());
    }
}
