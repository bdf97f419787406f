package dev.patchbay.daemon;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class BuildInfoTest {
    private static final BuildInfo DAEMON = new BuildInfo("1.9.2", "10-20", "/opt/patchbay");

    @Test
    void higherVersionReplacesDaemon() {
        assertThat(new BuildInfo("1.10.0", "1-1", "/home/p").replaces(DAEMON)).isTrue();
        assertThat(new BuildInfo("2", "1-1", "/home/p").replaces(DAEMON)).isTrue();
    }

    @Test
    void lowerVersionDoesNot() {
        assertThat(new BuildInfo("1.9.1", "1-1", "/opt/patchbay").replaces(DAEMON)).isFalse();
        assertThat(new BuildInfo("development", "1-1", "/x").replaces(DAEMON)).isFalse();
    }

    @Test
    void otherBuildOfSameInstallationReplacesDaemon() {
        assertThat(new BuildInfo("1.9.2", "11-20", "/opt/patchbay").replaces(DAEMON)).isTrue();
        assertThat(new BuildInfo("1.9.2", "10-20", "/opt/patchbay").replaces(DAEMON)).isFalse();
    }

    @Test
    void otherInstallationOfSameVersionDoesNot() {
        assertThat(new BuildInfo("1.9.2", "11-20", "/home/p").replaces(DAEMON)).isFalse();
    }
}
