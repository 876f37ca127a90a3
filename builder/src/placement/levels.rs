//! Levels of a fixed band: which neighbours share a priority where there are more tasks than priorities.

/// Divides tasks, the most urgent first and each with its deadline, into at most so many groups of neighbours. Groups
/// whose deadlines differ least are joined; of equal pairs the smaller one is.
pub(super) fn groups(deadlines: &[u64], most: usize) -> Vec<usize> {
    let mut groups: Vec<Group> =
        deadlines.iter().map(|deadline| Group { size: 1, first: *deadline, last: *deadline }).collect();
    while groups.len() > most.max(1) {
        let closest = (1..groups.len()).min_by(|one, other| {
            let [one, other] = [one, other].map(|behind| groups[behind - 1].with(&groups[*behind]));
            let spreads = u128::from(one.last) * u128::from(other.first);
            let others = u128::from(other.last) * u128::from(one.first);
            spreads.cmp(&others).then(one.size.cmp(&other.size))
        });
        let Some(behind) = closest else { break };
        groups[behind - 1] = groups[behind - 1].with(&groups[behind]);
        groups.remove(behind);
    }
    groups.into_iter().map(|group| group.size).collect()
}

/// Neighbours, with the deadlines of the first and of the last.
#[derive(Clone, Copy)]
struct Group {
    size: usize,
    first: u64,
    last: u64,
}

impl Group {
    fn with(&self, next: &Group) -> Group {
        Group { size: self.size + next.size, first: self.first, last: next.last }
    }
}

#[cfg(test)]
mod tests {
    use super::groups;

    #[test]
    fn those_share_whose_deadlines_differ_least() {
        assert_eq!(groups(&[10, 20, 40], 3), [1, 1, 1]);
        assert_eq!(groups(&[10, 20, 22, 40], 3), [1, 2, 1]);
        assert_eq!(groups(&[10, 10, 10, 10, 20], 3), [2, 2, 1], "of equal ones the smaller pair");
        assert_eq!(groups(&[5, 6, 7], 1), [3]);
        assert_eq!(groups(&[], 4), Vec::<usize>::new());
    }
}
