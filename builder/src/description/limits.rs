//! `limits` of a mailbox or an endpoint: how much each client may ask.

use super::diagnostic::Reporter;
use super::section::{Entry, Section};
use super::value::Between;
use super::{Limit, Limited, Placed};
use crate::quantity::{Bytes, Nanoseconds};

const KEYS: &[&str] = &["requests", "bytes", "within"];

/// The limits of an object's clients, in the order of the text.
pub(super) fn limits(of: Limited, section: &Section<'_>, reporter: &mut Reporter) -> Vec<Limit> {
    let entries = section.entries("limits", reporter);
    entries.iter().filter_map(|entry| limit(of, entry, reporter)).collect()
}

fn limit(of: Limited, entry: &Entry<'_>, reporter: &mut Reporter) -> Option<Limit> {
    let section = entry.open("limit", 1, KEYS, reporter)?;
    let requests: Option<Placed<Between<1, 255>>> = section.optional("requests", reporter);
    let bytes: Option<Placed<Bytes>> = section.optional("bytes", reporter);
    if !section.has("requests") && !section.has("bytes") {
        let help = "say how much it may ask: `requests = 4`, `bytes = \"64\"`, or both";
        section.missing("`requests` or `bytes`", help, reporter);
        return None;
    }
    let within: Placed<Nanoseconds> = section.required("within", reporter)?;
    let requests = requests.map(|own| Placed::new(own.value.0, own.place));
    Some(Limit { of, client: entry.name.clone(), requests, bytes, within })
}
