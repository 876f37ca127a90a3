/* conformance/app/src/endpoint.rs in C. */
#include "work.h"

void server(store_server *store) {
    int32_t request, reply;
    beryl_status status = store_receive(store, &request, BERYL_FOREVER);
    while (status == BERYL_SUCCESS) {
        work(1400);
        reply = request + 1;
        status = store_reply(store, &reply, &request);
    }
}

void asker(beryl_period *period, store_client *store) {
    for (int32_t value = 0;;) {
        work(200);
        if (store_call(store, &value, &value, BERYL_FOREVER) != BERYL_SUCCESS) {
            value = 0;
        }
        work(350);
        next(period);
    }
}

void eager(beryl_period *period, store_client *store) {
    const int32_t seven = 7;
    for (;;) {
        int32_t reply;
        store_call(store, &seven, &reply, BERYL_FOREVER);
        work(150);
        next(period);
    }
}

void passer(beryl_period *period) {
    for (;;) {
        work(650);
        next(period);
    }
}
