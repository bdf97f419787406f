package dev.patchbay.testkit;

/** A door that stops the threads passing it while it is shut. */
final class Gate {
    private boolean shut;

    synchronized void shut() {
        shut = true;
    }

    synchronized void open() {
        shut = false;
        notifyAll();
    }

    synchronized void pass() throws InterruptedException {
        while (shut) {
            wait();
        }
    }
}
