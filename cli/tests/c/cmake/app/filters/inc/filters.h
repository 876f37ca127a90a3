#pragma once
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif
int32_t mean(int32_t value);
int32_t older(int32_t value);
#ifdef __cplusplus
}
#endif
