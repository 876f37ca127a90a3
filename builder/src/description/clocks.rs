//! `drift`, `clock`, `lost` and `reading` of `[bus]`: how wrong clocks of nodes may be, and by whose frames they are set.

use toml::de::DeValue;

use super::diagnostic::{Problem, Reporter};
use super::section::Section;
use super::value::{Text, UpTo, Value, Wrong, text};
use super::{Clocks, Node, Placed, code};
use crate::quantity::Nanoseconds;

/// The keys about clocks.
const KEYS: &[&str] = &["drift", "clock", "lost", "reading"];

/// Clocks that are more wrong than this are no clocks.
const MOST_DRIFT: u32 = 1000;

/// Parts per million.
struct Parts(u32);

impl Value for Parts {
    const EXAMPLE: &'static str = "\"50ppm\"";

    fn read(value: &DeValue<'_>) -> Result<Self, Wrong> {
        let notation = format!("parts per million up to {MOST_DRIFT}, like \"50ppm\"");
        let text = text(value, &format!("{notation}, in quotation marks"))?;
        let parts = text.strip_suffix("ppm").and_then(|number| number.trim_end().parse().ok());
        parts.filter(|parts| (1..=MOST_DRIFT).contains(parts)).map(Parts).ok_or_else(|| Wrong {
            code: code::QUANTITY,
            reason: "isn't how wrong a clock may be".to_owned(),
            help: format!("write {notation}"),
            instead: None,
        })
    }
}

/// What `[bus]` says of clocks.
pub(super) fn clocks(section: &Section<'_>, nodes: &[Node], reporter: &mut Reporter) -> Option<Clocks> {
    if !KEYS.iter().any(|key| section.has(key)) {
        return None;
    }
    let drift: Option<Placed<Parts>> = section.required("drift", reporter);
    let set_by =
        section.optional::<Text>("clock", reporter).and_then(|Placed { value: Text(name), place }| {
            let found = nodes.iter().position(|node| node.name.value == name);
            if found.is_none() {
                let names: Vec<&str> = nodes.iter().map(|node| node.name.as_str()).collect();
                reporter.unknown("node", &Placed::new(name, place), &names);
            }
            Some(Placed::new(found?, place))
        });
    let lost = section.optional::<UpTo<16>>("lost", reporter);
    let reading = section.optional("reading", reporter);
    let Placed { value: Parts(drift), place } = drift?;
    refuse_cores(nodes, place, reporter);
    Some(Clocks {
        drift: Placed::new(drift, place),
        set_by,
        lost: lost.map_or(0, |Placed { value: UpTo(lost), .. }| lost.into()),
        reading: reading.map_or(Nanoseconds::ZERO, |reading| reading.value),
    })
}

/// Cores of a machine have one clock, and how that is kept near the clocks of other machines isn't there.
fn refuse_cores(nodes: &[Node], place: miette::SourceSpan, reporter: &mut Reporter) {
    let Some(core) = nodes.iter().find(|node| node.is_core()) else { return };
    reporter.report(Problem {
        code: code::CONFLICT,
        place,
        message: format!(
            "only nodes without cores keep their clocks together, and `{}` is a core",
            core.name.value
        ),
        label: "between machines with cores".to_owned(),
        help: "leave `drift` out if one clock drives all machines, or have a node where there are cores"
            .into(),
    });
}
