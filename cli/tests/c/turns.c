/* A thread of `conformance/turns` in C: it takes what was told, a few notes in each of its jobs, and tells how many. */
#include "work.h"

void listener(beryl_period *period, trace_buffer *trace) {
    /* What it tells itself would be in the buffer, too. */
    const uint32_t classes = trace_classes(trace);
    /* Classes that aren't there are refused before the kernel is asked. */
    if (trace_choose(trace, UINT32_C(0x10000)) != BERYL_OUT_OF_RANGE || trace_choose(trace, UINT32_C(0x4000)) != BERYL_OUT_OF_RANGE) {
        beryl_tell(99, 0);
    }
    for (;;) {
        trace_choose(trace, classes);
        work(210);
        trace_choose(trace, 0);
        beryl_notes notes = {0};
        trace_take(trace, &notes);
        beryl_tell(5, notes.count);
        work(90);
        next(period);
    }
}
