//! What threads asked for without a right to it, with the right that the description would have to give.

use beryl_trace::statistics::LackedStatistics;

use crate::console::Console;

/// Tells each thing that was refused, and how often.
pub fn tell(lacked: &[LackedStatistics], console: &Console) {
    if !lacked.is_empty() {
        console.title("Refused for want of a right");
    }
    for lack in lacked {
        let LackedStatistics { thread, asked, times, .. } = lack;
        let times = if *times == 1 { "once".to_owned() } else { format!("{times} times") };
        console.say(format_args!("  {thread} {asked}, {times}"));
        let mut told = serde_json::json!({ "refused_right": lack });
        if let Some(proposal) = lack.proposal() {
            console.say(format_args!("    {proposal}"));
            told["proposal"] = proposal.into();
        }
        console.object(&told);
    }
}
