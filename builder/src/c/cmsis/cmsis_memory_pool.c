/* Memory pools: units of blocks, and a list of free ones through their first words. */
#include "cmsis_inside.h"

CMSIS_SHORT bool is_one(osMemoryPoolId_t pool) {
    return pool != 0 && pool->place.row.is_taken;
}

osMemoryPoolId_t osMemoryPoolNew(uint32_t count, uint32_t size, const osMemoryPoolAttr_t *attr) {
    static const osMemoryPoolAttr_t none = {0};
    const osMemoryPoolAttr_t *wanted = attr == 0 ? &none : attr;
    if (count == 0 || size == 0 || size > INT32_MAX) {
        return 0;
    }
    /* In memory of the caller's, any row is enough. */
    const uint64_t needed = (uint64_t)count * CMSIS_BLOCK(size);
    const bool is_callers = wanted->mp_mem != 0;
    if (is_callers && ((uintptr_t)wanted->mp_mem % sizeof(void *) != 0 || needed > wanted->mp_size)) {
        return 0;
    }
    osMemoryPoolId_t made = cmsis_taken_with(
        cmsis_memory_pools, cmsis_memory_pool_count, sizeof cmsis_memory_pools[0], is_callers ? 0 : needed, wanted->name);
    if (made == 0) {
        return 0;
    }
    made->blocks = is_callers ? wanted->mp_mem : made->place.memory;
    made->size = CMSIS_BLOCK(size);
    made->free = 0;
    for (uint32_t index = count; index-- > 0;) {
        void **block = (void *)((char *)made->blocks + (uintptr_t)index * made->size);
        *block = made->free;
        made->free = block;
    }
    cmsis_fill(&made->units, count, count);
    return made;
}

const char *osMemoryPoolGetName(osMemoryPoolId_t pool) {
    return is_one(pool) ? pool->place.row.name : 0;
}

void *osMemoryPoolAlloc(osMemoryPoolId_t pool, uint32_t timeout) {
    uint32_t before = 0;
    if (!is_one(pool) || cmsis_take_inside(&pool->units, timeout, &before) != osOK) {
        return 0;
    }
    void **block = pool->free;
    pool->free = *block;
    cmsis_leave(before);
    return block;
}

/* One of the pool's blocks, and one that isn't free. */
static bool is_allocated(osMemoryPoolId_t pool, void *block) {
    const uintptr_t offset = (uintptr_t)block - (uintptr_t)pool->blocks;
    if (offset >= (uintptr_t)pool->units.most * pool->size || offset % pool->size != 0) {
        return false;
    }
    void **free = pool->free;
    while (free != 0 && (void *)free != block) {
        free = *free;
    }
    return free == 0;
}

osStatus_t osMemoryPoolFree(osMemoryPoolId_t pool, void *block) {
    if (!is_one(pool)) {
        return osErrorParameter;
    }
    const uint32_t before = cmsis_enter();
    const bool is_right = is_allocated(pool, block);
    bool waits = false;
    if (is_right) {
        *(void **)block = pool->free;
        pool->free = block;
        waits = cmsis_add(&pool->units);
    }
    cmsis_leave(before);
    if (waits) {
        beryl_semaphore_signal(pool->units.gate);
    }
    return is_right ? osOK : osErrorParameter;
}

uint32_t osMemoryPoolGetCapacity(osMemoryPoolId_t pool) {
    return is_one(pool) ? pool->units.most : 0;
}

uint32_t osMemoryPoolGetBlockSize(osMemoryPoolId_t pool) {
    return is_one(pool) ? pool->size : 0;
}

uint32_t osMemoryPoolGetCount(osMemoryPoolId_t pool) {
    return is_one(pool) ? pool->units.most - pool->units.there : 0;
}

uint32_t osMemoryPoolGetSpace(osMemoryPoolId_t pool) {
    return is_one(pool) ? pool->units.there : 0;
}

osStatus_t osMemoryPoolDelete(osMemoryPoolId_t pool) {
    return is_one(pool) ? cmsis_delete(&pool->place.row, &pool->units, &pool->units) : osErrorParameter;
}
