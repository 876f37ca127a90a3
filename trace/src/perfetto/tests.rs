//! For any trace, the beginnings and ends of slices alternate.

use std::collections::BTreeSet;

use beryl_abi::ThreadId;
use proptest::prelude::*;

use super::*;
use crate::event::Happening;

/// A statement is an instant in its thread's track, which is there even if the thread never ran in the trace.
#[test]
fn what_a_thread_said_is_in_its_track() {
    let names = Names::parse(include_str!("../../tests/names.json")).expect("names");
    let entry = Entry {
        time: Instant::from_ticks(25),
        thread: ThreadId(1),
        level: crate::log::Level::Warn,
        text: "the tank is low".to_owned(),
    };
    let log = Log { entries: vec![entry], ..Log::default() };
    let packets = |log| Trace::decode(export(&[], &names, log).as_slice()).expect("what was encoded").packet;
    let told = packets(Some(&log));
    let events: Vec<_> = told.iter().filter_map(|packet| packet.track_event.as_ref()).collect();
    assert_eq!(events.len(), 1);
    assert_eq!(events[0].name.as_deref(), Some("the tank is low"));
    assert_eq!(events[0].debug_annotations[0].string_value.as_deref(), Some("warn"));
    let tracks: Vec<_> = told.iter().filter_map(|packet| packet.track_descriptor.as_ref()).collect();
    assert!(tracks.iter().any(|track| track.uuid == events[0].track_uuid && track.thread.is_some()));
    assert!(packets(None).iter().all(|packet| packet.track_event.is_none()));
}

fn any_event() -> impl Strategy<Value = Event> {
    let thread = || (0..5_u8).prop_map(ThreadId);
    let at = || (0..40_u64).prop_map(Instant::from_ticks);
    let happening = prop_oneof![
        (thread(), at(), at()).prop_map(|(task, instant, deadline)| Happening::Release {
            task,
            instant,
            deadline
        }),
        (thread(), thread()).prop_map(|(from, to)| Happening::Switch { from, to }),
        thread().prop_map(|task| Happening::Complete { task }),
        (thread(), at()).prop_map(|(task, deadline)| Happening::Miss { task, deadline }),
        (thread(), at()).prop_map(|(task, instant)| Happening::Violation { task, instant }),
    ];
    (at(), happening).prop_map(|(time, happening)| Event { time, happening })
}

proptest! {
    #[test]
    fn slices_begin_and_end_by_turns(mut events in prop::collection::vec(any_event(), 0..60), in_order: bool) {
        if in_order {
            events.sort_by_key(|event| event.time);
        }
        let names = Names::parse(include_str!("../../tests/names.json")).expect("names");
        let trace = Trace::decode(export(&events, &names, None).as_slice()).expect("what was encoded");
        let (mut open, mut reached) = (BTreeSet::new(), 0);
        for event in &trace.packet {
            let (Some(at), Some(event)) = (event.timestamp, &event.track_event) else { continue };
            prop_assert!(at >= reached);
            reached = at;
            match Kind::try_from(event.kind) {
                Ok(Kind::SliceBegin) => prop_assert!(open.insert(event.track_uuid)),
                Ok(Kind::SliceEnd) => prop_assert!(open.remove(&event.track_uuid)),
                _ => {}
            }
        }
        prop_assert!(open.is_empty());
    }
}
