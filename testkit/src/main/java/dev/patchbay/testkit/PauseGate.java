package dev.patchbay.testkit;

/** A door that stops the threads passing it while it is shut. */
final class PauseGate {
    private boolean shut;

    synchronized void shut() {
        shut = true;
    }

    synchronized void open() {
        shut = false;
        notifyAll();
    }

    synchronized void awaitOpen() throws InterruptedException {
        while (shut) {
            wait();
        }
    }
}
