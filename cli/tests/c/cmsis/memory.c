/* Memory pools: blocks that are had, given back, waited for. */
#include "scenes.h"

static osMemoryPoolId_t pool;

static void wants(void *argument) {
    (void)argument;
    TELL(51, osMemoryPoolAlloc(pool, 3) != 0);
    uint64_t *block = osMemoryPoolAlloc(pool, osWaitForever);
    TELL(51, block != 0);
    TELL(51, osMemoryPoolFree(pool, block));
}

void show_memory(void) {
    TELL(50, osMemoryPoolNew(0, 12, 0) == 0);
    TELL(50, osMemoryPoolNew(1000, 12, 0) == 0);
    pool = osMemoryPoolNew(2, 12, &(osMemoryPoolAttr_t){.name = "blocks"});
    TELL(50, osMemoryPoolGetName(pool)[0]);
    TELL(50, osMemoryPoolGetCapacity(pool));
    TELL(50, osMemoryPoolGetBlockSize(pool));
    char *first = osMemoryPoolAlloc(pool, 0), *second = osMemoryPoolAlloc(pool, osWaitForever);
    TELL(50, first != 0 && second - first >= 12);
    TELL(50, osMemoryPoolAlloc(pool, 0) == 0);
    TELL(50, osMemoryPoolGetCount(pool));
    TELL(50, osMemoryPoolGetSpace(pool));
    for (uint32_t index = 0; index < 12; index++) {
        first[index] = second[index] = (char)index;
    }
    osThreadNew(wants, 0, ABOVE("wants"));
    TELL(50, osMemoryPoolDelete(pool));
    osDelay(6);
    TELL(50, osMemoryPoolFree(pool, first + 1));
    TELL(50, osMemoryPoolFree(pool, second + 1000));
    TELL(50, osMemoryPoolFree(pool, 0));
    TELL(50, osMemoryPoolFree(pool, second));
    TELL(50, osMemoryPoolFree(pool, second));
    TELL(50, osMemoryPoolFree(pool, first));
    TELL(50, osMemoryPoolGetCount(pool));
    TELL(50, osMemoryPoolDelete(pool));
    TELL(50, osMemoryPoolAlloc(pool, 0) == 0);
    TELL(50, osMemoryPoolFree(pool, first));
}
