package dev.patchbay.gateway;

import java.util.concurrent.atomic.AtomicInteger;

/** Bounds the connections of a gateway besides the first one of each server. */
final class InstanceBudget {
    static final int INSTANCES_MAX = 256;
    static final int INSTANCES_PER_SERVER_MAX = 64;

    private final AtomicInteger count = new AtomicInteger();

    /** Takes one; false if there are too many. */
    boolean tryTake() {
        if (count.incrementAndGet() > INSTANCES_MAX) {
            count.decrementAndGet();
            return false;
        }
        return true;
    }

    void giveBack() {
        count.decrementAndGet();
    }
}
