#include <stdint.h>

int32_t scaled(int32_t value);
