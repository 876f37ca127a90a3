/* A thread sends itself messages of 16 bytes, one after the other, and looks whether each comes as it went. */
#include "metric.h"

static volatile uint32_t count;

void message(letters_sender *out, letters_receiver *in) {
    int32_t sent[4] = {0x11112222, 0x33334444, 0x55556666, 0};
    int32_t received[4] = {0};
    for (int sample = 0; sample < SAMPLES; sample++) {
        uint32_t before = ticks();
        for (uint32_t left = ROUNDS; left != 0; left--) {
            letters_send(out, &sent, BERYL_FOREVER);
            letters_receive(in, &received, BERYL_FOREVER);
            metric_must(received[3] == sent[3], "message: another one came");
            sent[3]++;
            count++;
        }
        metric_sample("metric/message-16", before, ticks());
    }
    metric_must(count == SAMPLES * ROUNDS && sent[3] == SAMPLES * ROUNDS, "message: some were lost");
    for (int word = 0; word < 3; word++) {
        metric_must(received[word] == sent[word], "message: it came otherwise than it went");
    }
}
