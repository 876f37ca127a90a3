//! Rights: who asks for what it has no right to is refused anyway; here it is counted as well, and told of by name.
//!
//! A call is refused at many places, and none of them knows both thread and call. So the refusal only marks the thread,
//! and the end of the step, which knows the call, writes it down. Only the way that says why a call is refused comes
//! here: who is allowed pays nothing.

use beryl_abi::call::Operand;
use beryl_abi::{CallError, Note, ThreadId};

use crate::event::{Call, Event, Machine};
use crate::kernel::Kernel;
use crate::objects::lacked::Lacked;
use crate::sizes::Sizes;
use crate::state::State;
use crate::table::{Blank, Optional};

impl<S: Sizes> State<S> {
    /// What a thread asked for without a right to it, where that is counted.
    pub fn lacked(&self, thread: ThreadId) -> Lacked {
        self.lacked.get(thread.index()).copied().unwrap_or(Lacked::BLANK)
    }
}

impl<S: Sizes, M: Machine<S>> Kernel<S, M> {
    /// The running thread's call is refused with this error.
    #[inline(always)]
    pub(crate) fn look_for_lack(&mut self, error: CallError) {
        if S::COUNTED && error == CallError::NoSuchObject {
            self.lacks_right();
        }
    }

    /// The running thread has no right to what it asks for.
    #[inline(always)]
    pub(crate) fn lacks_right(&mut self) {
        if S::COUNTED
            && let Some(lacked) = self.state.lacked.get_mut(self.state.processor.running().index())
        {
            lacked.open();
        }
    }

    /// A step for this event is done. If it refused the running thread a right, that is counted and told.
    #[inline(always)]
    pub(crate) fn count_lack(&mut self, event: Event) {
        if S::COUNTED
            && let Event::Call(call) = event
            && self.state.lacked(self.state.running()).is_open()
        {
            self.note_lack(call);
        }
    }

    #[cold]
    #[inline(never)]
    fn note_lack(&mut self, call: Call) {
        let thread = self.state.running();
        let Some(lacked) = self.state.lacked.get_mut(thread.index()) else { return };
        lacked.close(call.number, Operand(call.arguments[0]));
        if let Some((call, object)) = lacked.last() {
            self.note(Note::lack(thread, call as u8, object));
        }
        self.inform_of_lack(thread);
    }
}
