/* A file from elsewhere: a function without a prototype, and one that is told what to add. */
#include "legacy.h"

int legacy_add(int sum, int number) {
    return sum + number + LEGACY_MORE;
}

int legacy_sum(int count) {
    int sum = 0;
    while (count > 0) {
        sum = legacy_add(sum, count--);
    }
    return sum;
}
