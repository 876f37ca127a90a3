//! `budget` and `every` of a thread: what it may use of the processor, how often that comes back, and what is done
//! when it is used up.

use super::diagnostic::{Problem, Reporter};
use super::section::Section;
use super::value::{Value, Wrong, choice};
use super::{Budget, OnSpent, Placed, Policy, code, on_overrun};
use crate::quantity::Nanoseconds;
use beryl_kernel::{Budget as Row, Rule};
use beryl_timing::Help;
use toml::de::DeValue;

/// The keys.
pub(super) const KEY: &str = "budget";
pub(super) const EVERY: &str = "every";
pub(super) const POLICY: &str = "policy";

impl Value for Rule {
    const EXAMPLE: &'static str = "\"sporadic\"";

    fn read(value: &DeValue<'_>) -> Result<Self, Wrong> {
        let words = [
            ("deferrable", Rule::Deferrable),
            ("sporadic", Rule::Sporadic),
            ("polling", Rule::Polling),
            ("constant-bandwidth", Rule::ConstantBandwidth),
        ];
        choice(value, &words)
    }
}

impl Value for OnSpent {
    const EXAMPLE: &'static str = "\"lower\"";

    fn read(value: &DeValue<'_>) -> Result<Self, Wrong> {
        let words = [
            ("lower", OnSpent::Lowers),
            ("wait", OnSpent::Waits),
            ("tell", OnSpent::Tells),
            ("fault", OnSpent::Faults),
        ];
        choice(value, &words)
    }
}

/// The budget of a thread, if its section describes one; nothing at all if it can't be read. `policy` is that of the
/// thread's band.
pub(super) fn budget(
    section: &Section<'_>,
    policy: Option<Policy>,
    reporter: &mut Reporter,
) -> Option<Option<Budget>> {
    let rule = section.optional::<Rule>(POLICY, reporter);
    let help = "write `policy = \"constant-bandwidth\"`, leave it out, or take a fixed band";
    by_rule(section, (policy, help), rule, reporter)
}

/// The same of what several threads share: it has no other rule than the deferrable one.
pub(super) fn shared(
    section: &Section<'_>,
    policy: Option<Policy>,
    reporter: &mut Reporter,
) -> Option<Option<Budget>> {
    by_rule(section, (policy, "leave it out, or take a fixed band"), None, reporter)
}

/// The budget of anything that has one; in bands of other policies it needs the help.
fn by_rule(
    section: &Section<'_>,
    (policy, help): (Option<Policy>, &str),
    rule: Option<Placed<Rule>>,
    reporter: &mut Reporter,
) -> Option<Option<Budget>> {
    if !section.has(KEY) && !section.has(EVERY) {
        return Some(None);
    }
    for (key, value) in [(KEY, "2ms"), (EVERY, "20ms")] {
        if !section.has(key) {
            let help = section.with_line(
                format!("write how much it may use, and how often: add `{key} = \"{value}\"`").into(),
                &format!("{key} = \"{value}\""),
                reporter,
            );
            section.missing(&format!("`{key}`"), help, reporter);
        }
    }
    let amount: Option<Placed<Nanoseconds>> = section.optional(KEY, reporter);
    let every: Option<Placed<Nanoseconds>> = section.optional(EVERY, reporter);
    let has_bandwidth = rule.is_some_and(|rule| rule.value == Rule::ConstantBandwidth);
    let on_spent = match has_bandwidth {
        true => None,
        false => section.optional::<OnSpent>(on_overrun::KEY, reporter),
    };
    match rule.filter(|_| has_bandwidth) {
        Some(rule) => bandwidth(section, policy, rule, reporter),
        None => in_a_fixed_band(section, (policy, help), reporter),
    }
    let reaction = match has_bandwidth {
        true => OnSpent::PutsOff,
        false => on_spent.map(|reaction| reaction.value).unwrap_or_default(),
    };
    let is_lost = rule.filter(|rule| rule.value == Rule::Polling && !reaction.lowers());
    if let (Some(rule), Some(reaction)) = (is_lost, on_spent) {
        let problem = Problem {
            code: code::CONFLICT,
            place: rule.place,
            message:
                "a budget that is lost while its thread sleeps is used up each time that it wakes in between"
                    .to_owned(),
            label: "is lost".to_owned(),
            help: Help::from("write `on_overrun = \"lower\"` or \"wait\", or another policy")
                .or(reaction.place, "\"lower\""),
        };
        reporter.report_with(problem, reaction.place, "can't be done each time");
    }
    Some(Some(Budget {
        amount: amount?,
        every: every?,
        on_spent: reaction,
        rule: rule.map_or(Rule::Deferrable, |rule| rule.value),
    }))
}

/// Any rule but that of constant bandwidth lowers a place, or leaves it where it is for good.
fn in_a_fixed_band(section: &Section<'_>, (policy, help): (Option<Policy>, &str), reporter: &mut Reporter) {
    let Some(place) = section.place_of(KEY).filter(|_| !matches!(policy, None | Some(Policy::Fixed))) else {
        return;
    };
    reporter.report(Problem {
        code: code::CONFLICT,
        place,
        message: "a budget that comes back means nothing here: only in a fixed band a place can be lowered"
            .to_owned(),
        label: "no use".to_owned(),
        help: section.without(help.into(), KEY, reporter),
    });
}

/// Constant bandwidth is a deadline, which is the budget's own; there is nothing else that could be done when it is used up.
fn bandwidth(section: &Section<'_>, policy: Option<Policy>, rule: Placed<Rule>, reporter: &mut Reporter) {
    if policy.is_some_and(|policy| policy != Policy::Dynamic) {
        reporter.report(Problem {
            code: code::CONFLICT,
            place: rule.place,
            message: "constant bandwidth is a deadline that is put off: only in a dynamic band that says whose turn it is"
                .to_owned(),
            label: "no use".to_owned(),
            help: Help::from("take a dynamic band, or write another policy").or(rule.place, "\"sporadic\""),
        });
    }
    let others = [
        (
            on_overrun::KEY,
            "a budget of constant bandwidth that is used up is whole again, with a later deadline",
        ),
        (
            "deadline",
            "a budget of constant bandwidth has a deadline of its own: `every` from when it is whole",
        ),
    ];
    for (key, why) in others {
        let Some(place) = section.place_of(key) else { continue };
        reporter.report(Problem {
            code: code::CONFLICT,
            place,
            message: format!("`{key}` means nothing here: {why}"),
            label: "no use".to_owned(),
            help: section.without(format!("leave `{key}` out").into(), key, reporter),
        });
    }
}

/// Whether a section has a budget of constant bandwidth. What is wrong about it is said where the budget is read.
pub(super) fn is_bandwidth(section: &Section<'_>, reporter: &Reporter) -> bool {
    let rule = section.optional::<Rule>(POLICY, &mut reporter.unheard());
    section.has(KEY) && rule.is_some_and(|rule| rule.value == Rule::ConstantBandwidth)
}

/// No more is used in a period than there is, and the kernel counts it in less than 2^29 ticks.
pub(super) fn check(budget: &Budget, tick: Nanoseconds, reporter: &mut Reporter) {
    let Budget { amount, every, .. } = *budget;
    let most = Nanoseconds::new(u64::from(Row::LONGEST).saturating_mul(tick.get()));
    if amount.value > every.value {
        let problem = Problem {
            code: code::CONFLICT,
            place: amount.place,
            message: format!("{} can't be used in every {}", amount.value, every.value),
            label: "longer".to_owned(),
            help: Help::from(format!("write at most \"{}\"", every.value))
                .or(amount.place, format!("\"{}\"", every.value)),
        };
        reporter.report_with(problem, every.place, "than this");
    } else if amount.value > most {
        reporter.report(Problem {
            code: code::RANGE,
            place: amount.place,
            message: format!("the kernel can't enforce {}: budgets have less than 2^29 ticks", amount.value),
            label: "out of range".to_owned(),
            help: Help::from(format!("write at most \"{most}\"")).or(amount.place, format!("\"{most}\"")),
        });
    }
}
