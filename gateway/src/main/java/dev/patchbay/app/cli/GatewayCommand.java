package dev.patchbay.app.cli;

/** A command that uses a gateway: the background one of its configuration, if that runs. */
interface GatewayCommand {
    GatewayOptions gatewayOptions();

    /** Whether it may run once more after the background gateway has ended in the middle of it. */
    default boolean isRepeatable() {
        return true;
    }

    /** Whether it cannot run in the background. */
    default boolean isBoundToThisProcess() {
        return false;
    }
}
