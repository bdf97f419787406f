package dev.patchbay.app.cli;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

/** The help and the completion name every host. */
class HostNamesTest {
    @Test
    void listNamesEveryHost() {
        assertThat(HostNames.LIST).isEqualTo(String.join(", ", new HostNames()));
    }
}
