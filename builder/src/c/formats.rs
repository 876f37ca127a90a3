//! Formats of `snprintf` and `sscanf` with numbers that have a point. Where a number lies between two that can be written, libraries
//! choose differently: of 20,000 drawn ones, picolibc 1.8 and glibc wrote 179 otherwise. Without them the library is smaller, but has no
//! `%lld` either, so they are refused where they are seen.

use object::{Object, ObjectSection, SectionKind};

use crate::error::BuildError;

/// Functions with formats.
const FORMATTED: [&str; 6] = ["snprintf", "sprintf", "sscanf", "vsnprintf", "vsprintf", "vsscanf"];

/// Refuses a file that calls one of them and has a text that would be such a format.
///
/// # Errors
/// The text, and what to write.
pub(super) fn check(source: &str, used: &[&str], object: &object::File<'_>) -> Result<(), BuildError> {
    if !used.iter().any(|name| FORMATTED.contains(name)) {
        return Ok(());
    }
    let constants = object.sections().filter(|section| {
        matches!(section.kind(), SectionKind::ReadOnlyString | SectionKind::ReadOnlyData | SectionKind::Data)
    });
    for section in constants {
        let Ok(bytes) = section.data() else { continue };
        let texts = bytes.split(|byte| *byte == 0).filter_map(|bytes| std::str::from_utf8(bytes).ok());
        if let Some(text) = texts.into_iter().find(|text| has_a_point(text)) {
            return Err(BuildError::Limit {
                message: format!(
                    "{source}: \"{}\" writes or reads a number with a point, whose last digit may be another on the board than in the \
                     simulation",
                    text.escape_default()
                ),
                proposal: "write it in whole numbers, as `%d.%03d`".to_owned(),
            });
        }
    }
    Ok(())
}

/// Whether a format has a conversion of such a number.
fn has_a_point(format: &str) -> bool {
    let mut rest = format;
    while let Some(at) = rest.find('%') {
        let conversion =
            rest[at + 1..].trim_start_matches(|letter: char| "-+ #0123456789.*'hlLjztq".contains(letter));
        if conversion.starts_with(|letter: char| "aAeEfFgG".contains(letter)) {
            return true;
        }
        // `%%` is one sign, of which the second begins nothing.
        rest = conversion.get(1..).unwrap_or_default();
    }
    false
}

#[cfg(test)]
mod tests {
    use super::has_a_point;

    #[test]
    fn conversions_with_a_point_are_found_and_others_not() {
        for format in ["%f", "x %.3f", "%-8.2e", "%*.*g", "%Lf", "%d %%%a", "%5lf"] {
            assert!(has_a_point(format), "{format}");
        }
        for format in ["", "%", "%d", "%%f", "100%", "%-8s %08x", "%lld %zu", "%c%c", "% é"] {
            assert!(!has_a_point(format), "{format}");
        }
    }
}
