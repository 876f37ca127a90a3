/* Lines on the console, as `bench/board` prints them from Rust. */
#include "metric.h"

static void text(const char *letters) {
    uint32_t length = 0;
    while (letters[length] != 0) {
        length++;
    }
    beryl_print(letters, length);
}

static void number(uint32_t value) {
    char digits[10];
    uint32_t first = sizeof digits;
    do {
        digits[--first] = (char)('0' + value % 10);
        value /= 10;
    } while (value != 0);
    beryl_print(&digits[first], sizeof digits - first);
}

void metric_sample(const char *name, uint32_t before, uint32_t after) {
    text("sample ");
    text(name);
    text(" ");
    number(before);
    text(" ");
    number(after);
    text("\n");
}

void metric_broken(const char *what) {
    text("broken: ");
    text(what);
    text("\n");
    beryl_stop();
}
