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
        let words =
            [("deferrable", Rule::Deferrable), ("sporadic", Rule::Sporadic), ("polling", Rule::Polling)];
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
    by_rule(section, policy, rule, reporter)
}

/// The same of anything that has a budget: it comes back by this rule, by itself if there is none.
pub(super) fn by_rule(
    section: &Section<'_>,
    policy: Option<Policy>,
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
    let on_spent = section.optional::<OnSpent>(on_overrun::KEY, reporter);
    if let Some(place) = section.place_of(KEY).filter(|_| !matches!(policy, None | Some(Policy::Fixed))) {
        reporter.report(Problem {
            code: code::CONFLICT,
            place,
            message:
                "a budget that comes back means nothing here: only in a fixed band a place can be lowered"
                    .to_owned(),
            label: "no use".to_owned(),
            help: section.without("leave it out, or take a fixed band".into(), KEY, reporter),
        });
    }
    let reaction = on_spent.map(|reaction| reaction.value).unwrap_or_default();
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
