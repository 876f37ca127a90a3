/* What the other process hears of it. */

void taker(orders_receiver *orders) {
    for (;;) {
        int32_t order = 0;
        if (orders_receive(orders, &order, BERYL_FOREVER) == BERYL_SUCCESS) {
            beryl_tell(3, (uint32_t)order);
        }
    }
}
