//! For any trace, the beginnings and ends of slices alternate.

use std::collections::BTreeSet;

use beryl_abi::ThreadId;
use proptest::prelude::*;

use super::*;
use crate::event::Happening;

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
        let trace = Trace::decode(export(&events, &names).as_slice()).expect("what was encoded");
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
