package dev.patchbay.config;

import static org.assertj.core.api.Assertions.assertThat;

import dev.patchbay.server.ServerId;

import org.junit.jupiter.api.Test;

class ServerKeyMapperTest {
    @Test
    void longKeysWithTheSameBeginningGetDifferentIds() {
        String key = "x".repeat(80);
        ServerId one = ServerKeyMapper.toServerId(key);
        ServerId two = ServerKeyMapper.toServerId(key + "2");
        assertThat(one).isNotNull().isNotEqualTo(two);
        assertThat(one.value()).hasSize(ServerId.CHARS_MAX).matches("x{41}-[0-9a-f]{8}");
        assertThat(ServerKeyMapper.toServerId(key)).isEqualTo(one);
    }

    @Test
    void keyOfFiftyCharactersIsKept() {
        String key = "y".repeat(ServerId.CHARS_MAX);
        assertThat(ServerKeyMapper.toServerId(key)).isEqualTo(new ServerId(key));
        assertThat(ServerKeyMapper.toServerId("/" + key)).isEqualTo(new ServerId(key));
    }
}
