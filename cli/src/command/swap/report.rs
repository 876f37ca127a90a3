//! Reports a swap, to people and to machines.

use beryl_abi::process_image::Misfit;
use beryl_link::{Command, Phase, Reason, Refusal};
use beryl_syscode::refused::Shown;
use beryl_trace::{Event, Happening};
use serde_json::json;

use super::session::{News, Session};
use crate::console::Console;

/// Reports the latest news; `instant` is in nanoseconds of the machine's or the system's time. `why` gives a
/// run that shows what the kernel's checker found.
pub fn tell(instant: u64, news: &News, why: impl Fn(Shown) -> String, console: &Console) {
    let time = seconds(instant);
    let said = match news {
        News::Met(welcome) => {
            let count = welcome.last;
            let orders =
                if count == 0 { "no order yet".to_owned() } else { format!("order {count} was the last") };
            console.object(&json!({
                "link": "met", "instant_ns": instant, "last": welcome.last, "room": welcome.room,
            }));
            format!("{time}: a loader answers; room for {} bytes, {orders}", welcome.room)
        }
        News::Standing(command, standing) => {
            let phase = phase(standing.phase);
            console.object(&json!({
                "link": phase, "instant_ns": instant, "command": name(*command), "order": standing.number,
            }));
            format!("{time}: {} {}: {phase}", name(*command), standing.number)
        }
        News::Running(command, steps) => {
            console.object(&json!({
                "link": "running", "instant_ns": instant, "command": name(*command), "steps": steps,
            }));
            format!("{time}: {}: it runs, after {steps} steps of checking", name(*command))
        }
        News::Refused(command, refusal) => {
            let (reason, why) = (words(refusal), shown(refusal).map(why).unwrap_or_default());
            console.object(&json!({
                "link": "refused", "instant_ns": instant, "command": name(*command), "reason": reason,
                "number": refusal.reason as u8, "run": why.lines().collect::<Vec<_>>(),
            }));
            format!("{time}: {} refused: {reason}\n{why}", name(*command)).trim_end().to_owned()
        }
    };
    console.say(format_args!("  {said}"));
}

/// Why an order was refused; a finding of the kernel's checker in the checker's words.
fn words(refusal: &Refusal) -> String {
    match (misfit(refusal), shown(refusal)) {
        (Some((misfit, 0)), _) => format!("the kernel found that {misfit}"),
        (Some((misfit, number)), _) => format!("the kernel found that {misfit}: number {number}"),
        (None, Some(shown)) => format!("the kernel's checker found that {shown}"),
        (None, None) => refusal.to_string(),
    }
}

/// The finding of the kernel's checker, if it was the one to refuse.
fn shown(refusal: &Refusal) -> Option<Shown> {
    if misfit(refusal).is_some() {
        return None;
    }
    let [reason, address] = refusal.details.map(|number| u16::try_from(number).ok());
    let shown = Shown { reason: reason?, address: address? };
    (refusal.reason == Reason::Check).then_some(shown)
}

/// What the kernel found of a process that was sent, with the thread or stretch of memory that it is about.
fn misfit(refusal: &Refusal) -> Option<(Misfit, u32)> {
    let [reason, number] = refusal.details;
    let misfit = Misfit::decode(u16::try_from(reason).ok()?)?;
    (refusal.reason == Reason::Check).then_some((misfit, number))
}

fn name(command: Command) -> &'static str {
    match command {
        Command::Swap => "swap",
        Command::Back => "back",
    }
}

fn phase(phase: Phase) -> &'static str {
    match phase {
        Phase::Receiving => "receiving",
        Phase::Waiting => "waiting for its instant",
        Phase::Checking => "being checked",
        Phase::Accepted => "accepted, waiting for the end of a period",
        Phase::Running => "running",
    }
}

/// Prints the system's output, and why a session failed to finish.
pub fn end(session: Session, console: &Console) -> anyhow::Result<()> {
    let (end, text) = session.end();
    text.lines().for_each(|line| console.say(format_args!("  {line}")));
    end
}

/// When programs took over, in ticks of logical time.
pub fn swaps(events: &[Event]) -> Vec<u64> {
    let swap = |event: &Event| match event.happening {
        Happening::Swap { instant, .. } => Some(instant.ticks()),
        _ => None,
    };
    events.iter().filter_map(swap).collect()
}

/// Reports when programs took over; `tick` is in nanoseconds.
pub fn took_over(swaps: &[u64], tick: u64, console: &Console) {
    for swap in swaps {
        let instant = swap.saturating_mul(tick);
        console.say(format_args!("  {}: another program took over", seconds(instant)));
        console.object(&json!({ "took_over_ns": instant }));
    }
}

fn seconds(nanoseconds: u64) -> String {
    let (whole, part) = (nanoseconds / 1_000_000_000, nanoseconds % 1_000_000_000 / 1_000);
    format!("{whole}.{part:06} s")
}
