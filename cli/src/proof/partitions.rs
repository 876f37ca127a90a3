//! The frame of a system with partitions: whose which window is, and what each partition has of the processor.

use beryl_analysis::Ticks;
use beryl_builder::Project;
use beryl_builder::assembly::Stretch;

use super::{milliseconds, nanoseconds};
use crate::console::Console;

/// A line for each partition, and one for what is left to the others.
pub(super) fn tell(project: &Project, console: &Console) {
    let frame = &project.assembly.frame;
    let length = Ticks::new(frame.length().ticks());
    let time = |ticks: u64| milliseconds(project, Ticks::new(ticks));
    for (number, name) in frame.partitions.iter().enumerate() {
        let own: Vec<&Stretch> = frame.of_partition(number).collect();
        let all = own.iter().map(|window| window.lasts.ticks()).fold(0, u64::saturating_add);
        let end = |window: &Stretch| window.from.ticks().saturating_add(window.lasts.ticks());
        let windows =
            own.iter().map(|window| format!("{} to {}", time(window.from.ticks()), time(end(window))));
        console.say(format_args!(
            "  partition `{name}` has {} of each {}, from {}",
            time(all),
            milliseconds(project, length),
            windows.collect::<Vec<_>>().join(", and from ")
        ));
        let told = |window: &&Stretch| {
            [window.from.ticks(), end(window)].map(|at| nanoseconds(project, Ticks::new(at)))
        };
        console.object(&serde_json::json!({
            "partition": name, "frame_ns": nanoseconds(project, length),
            "windows_ns": own.iter().map(told).collect::<Vec<_>>(),
        }));
    }
}
