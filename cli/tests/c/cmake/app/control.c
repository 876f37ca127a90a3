/* Tells of everything that CMake knows of its target. */
#include "filters.h"
#include "scaling.h"
#include "table.h"
#include "version.h"

#if !defined NDEBUG || !defined IS_GNU
#error "the definitions of the target are lost"
#endif

/* CMake has asked the compiler that compiles this. */
extern char pointers[POINTER_BYTES == sizeof(void *) ? 1 : -1];

static uint32_t sum(const char *text) {
    uint32_t sum = 2166136261U;
    for (; *text; text += 1) {
        sum = (sum ^ (unsigned char)*text) * 16777619U;
    }
    return sum;
}

void control(beryl_period *period) {
    beryl_tell(1, sum(GREETING));
    beryl_tell(1, sum(VERSION));
    beryl_tell(1, (uint32_t)__STDC_VERSION__);
    for (int32_t round = 0;; round += 1) {
        beryl_tell(2, squares[round % 8]);
        beryl_tell(3, (uint32_t)(mean(scaled(round)) + older(FIRST)));
        beryl_wait_period(period, 0);
    }
}
