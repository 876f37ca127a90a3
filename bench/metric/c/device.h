/* An interrupt that comes when it is asked for: the console's transmitter (a CMSDK UART, line 1), which the emulator lets finish in the
   instruction that gives it a byte. While it may interrupt, nothing is printed. */
#pragma once

#include "metric.h"

#define UART ((volatile uint32_t *)0x40004000)

INSIDE void device_may_interrupt(bool may) {
    UART[2] = may ? 5 : 1;
}

/* Causes the interrupt: it comes before the next instruction. */
INSIDE void device_cause(void) {
    UART[0] = '\n';
}

/* Takes it back at the device, as who serves it must before it lets it come again. */
INSIDE void device_quiet(void) {
    UART[3] = 1;
}
