/* As it came: not every function of legacy.c stands here. */
#pragma once

int legacy_sum(int count);
