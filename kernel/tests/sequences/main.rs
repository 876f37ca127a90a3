//! Whole sequences: what the kernel does from the start to the end of a short story, effect by
//! effect, each with its reason beside it.

#[path = "../host/mod.rs"]
mod host;

mod bands;
mod calls;
mod completion;
mod drivers;
mod faults;
mod flight;
mod phases;
mod safety;

/// Compares a story with what was expected, and prints the whole story if they differ.
#[track_caller]
fn assert_story(story: &[String], expected: &[&str]) {
    assert!(
        story.iter().map(String::as_str).eq(expected.iter().copied()),
        "the story was\n{}",
        story.join("\n")
    );
}
