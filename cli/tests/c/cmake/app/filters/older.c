/* A library's file has functions that no header declares. */
#include "filters.h"

int32_t oldest(int32_t value) {
    return value + 1;
}

int32_t older(int32_t value) {
    return oldest(value) + FIRST_OF_ALL;
}
