/* In a library of objects. */
#include "scaling.h"

int32_t scaled(int32_t value) {
    return value * 3;
}
