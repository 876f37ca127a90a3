/* Five threads of rising urgency: each resumes the next more urgent one, which runs at once, counts, and suspends itself. To be suspended
   is to wait for a notification of one's own, to resume is to notify. */
#include "metric.h"

static volatile uint32_t counts[5];

static void check(void) {
    for (int one = 0; one < 5; one++) {
        metric_must(counts[one] == SAMPLES * ROUNDS, "preemptive: a thread didn't run once a round");
    }
}

void preemptive_0(resume_1_notifier *next) {
    for (int sample = 0; sample < SAMPLES; sample++) {
        uint32_t before = ticks();
        for (uint32_t left = ROUNDS; left != 0; left--) {
            resume_1_notify(next);
            counts[0]++;
        }
        metric_sample("metric/preemptive", before, ticks());
    }
    check();
}

void preemptive_1(resume_1_notification *own, resume_2_notifier *next) {
    for (;;) {
        resume_1_wait(own, BERYL_FOREVER);
        resume_2_notify(next);
        counts[1]++;
    }
}

void preemptive_2(resume_2_notification *own, resume_3_notifier *next) {
    for (;;) {
        resume_2_wait(own, BERYL_FOREVER);
        resume_3_notify(next);
        counts[2]++;
    }
}

void preemptive_3(resume_3_notification *own, resume_4_notifier *next) {
    for (;;) {
        resume_3_wait(own, BERYL_FOREVER);
        resume_4_notify(next);
        counts[3]++;
    }
}

void preemptive_4(resume_4_notification *own) {
    for (;;) {
        resume_4_wait(own, BERYL_FOREVER);
        counts[4]++;
    }
}
