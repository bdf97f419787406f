package dev.patchbay.server;

import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/** Lets time pass between two attempts. An interrupt ends it early. */
public interface Sleeper {
    Sleeper SYSTEM =
            duration -> {
                boolean _ = new CountDownLatch(1).await(duration.toNanos(), TimeUnit.NANOSECONDS);
            };

    void sleep(Duration duration) throws InterruptedException;
}
