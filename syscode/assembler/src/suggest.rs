//! The name that was probably meant.

/// A proposal: the nearest of the names, or how to make the name known.
pub(crate) fn instead<'a>(
    wrong: &str,
    names: impl Iterator<Item = &'a str>,
    otherwise: impl Into<String>,
) -> String {
    let near = names.map(|name| (distance(wrong, name), name)).min();
    match near {
        Some((distance, name)) if distance <= 1 + wrong.chars().count() / 3 => format!("write `{name}`"),
        _ => otherwise.into(),
    }
}

/// How many characters must be put in, taken out or exchanged.
fn distance(left: &str, right: &str) -> usize {
    let right: Vec<char> = right.chars().collect();
    let mut row: Vec<usize> = (0..=right.len()).collect();
    for (index, character) in left.chars().enumerate() {
        let mut diagonal = index;
        if let Some(first) = row.first_mut() {
            *first = index + 1;
        }
        for (column, other) in right.iter().enumerate() {
            let above = row.get(column + 1).copied().unwrap_or_default();
            let before = row.get(column).copied().unwrap_or_default();
            let exchanged = diagonal + usize::from(character != *other);
            diagonal = above;
            if let Some(here) = row.get_mut(column + 1) {
                *here = exchanged.min(above + 1).min(before + 1);
            }
        }
    }
    row.last().copied().unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn distances_count_changed_characters() {
        let pairs = [("", "", 0), ("call", "cal", 1), ("dispatch", "dispacth", 2), ("a", "xyz", 3)];
        for (left, right, expected) in pairs {
            assert_eq!(distance(left, right), expected, "{left} {right}");
            assert_eq!(distance(right, left), expected, "{right} {left}");
        }
    }
}
