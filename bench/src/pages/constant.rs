//! Constants of the code that documents quote as limits and sizes.

use std::fs;

use anyhow::{Context, Result};
use beryl_builder::toolchain::root;

/// The value of the constant of this name in this file: a sum of products of numbers, or the length of a
/// range.
///
/// # Errors
/// If there is none, or it has another form.
pub fn constant(name: &str, file: &str) -> Result<u64> {
    let text = fs::read_to_string(root().join(file)).with_context(|| format!("reading {file}"))?;
    let declared = text.split("const ").find_map(|rest| rest.strip_prefix(name)?.strip_prefix(':'));
    let value = declared.and_then(|rest| rest.split_once(';')?.0.split_once(" = "));
    let (_, value) = value.with_context(|| format!("{file} has no constant `{name}`"))?;
    let value = match value.strip_prefix("Range::new(").and_then(|range| range.split_once(", ")) {
        Some((_, length)) => length.trim_end_matches(')'),
        None => value,
    };
    sum(value).with_context(|| format!("`{name}` in {file} is `{value}`, not a sum of products of numbers"))
}

fn sum(text: &str) -> Option<u64> {
    text.split(" + ").map(product).try_fold(0_u64, |sum, term| sum.checked_add(term?))
}

fn product(text: &str) -> Option<u64> {
    text.split(" * ").map(number).try_fold(1_u64, |product, factor| product.checked_mul(factor?))
}

fn number(text: &str) -> Option<u64> {
    let digits = text.trim().replace('_', "");
    match digits.strip_prefix("0x") {
        Some(digits) => u64::from_str_radix(digits, 16).ok(),
        None => digits.parse().ok(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sums_of_products_are_numbers() {
        assert_eq!(sum("2608 + 64"), Some(2672));
        assert_eq!(sum("256 * 1_024"), Some(262_144));
        assert_eq!(sum("4 + 0xFF * 4"), Some(1024));
        assert_eq!(sum("FULL + 1"), None);
    }
}
