package dev.patchbay.oauth;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.patchbay.json.Json;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.KeyPair;
import java.security.KeyPairGenerator;
import java.security.Signature;
import java.time.Instant;
import java.util.Base64;

/** How the gateway proves who it is with a key. */
class ClientAssertionTest {
    private static final Instant NOW = Instant.parse("2026-11-18T12:00:00Z");

    @TempDir private Path folder;

    private String write(String kind, byte[] key) throws IOException {
        String base64 = Base64.getMimeEncoder().encodeToString(key);
        String pem = "-----BEGIN %1$s-----\n%2$s\n-----END %1$s-----\n".formatted(kind, base64);
        return Files.writeString(folder.resolve("key.pem"), pem).toString();
    }

    @ParameterizedTest
    @CsvSource({
        "RSA, 2048, RS256, SHA256withRSA",
        "EC, 256, ES256, SHA256withECDSAinP1363Format",
        "Ed25519, 255, EdDSA, Ed25519",
    })
    void signsWithEveryKindOfKey(String kind, int size, String algorithm, String signature)
            throws Exception {
        var generator = KeyPairGenerator.getInstance(kind);
        generator.initialize(size);
        KeyPair pair = generator.generateKeyPair();
        String file = write("PRIVATE KEY", pair.getPrivate().getEncoded());
        String[] parts = ClientAssertion.sign(file, "gw", "https://idp.test", NOW).split("\\.", -1);

        Signature verifier = Signature.getInstance(signature);
        verifier.initVerify(pair.getPublic());
        verifier.update((parts[0] + "." + parts[1]).getBytes(StandardCharsets.US_ASCII));
        assertThat(verifier.verify(Base64.getUrlDecoder().decode(parts[2]))).isTrue();
        assertThat(decode(parts[0]).memberText("alg")).isEqualTo(algorithm);
        Json claims = decode(parts[1]);
        assertThat(claims.memberText("iss")).isEqualTo("gw");
        assertThat(claims.memberText("sub")).isEqualTo("gw");
        assertThat(claims.memberText("aud")).isEqualTo("https://idp.test");
        assertThat(claims.member("exp").asLong(0)).isEqualTo(NOW.getEpochSecond() + 60);
        assertThat(claims.memberText("jti")).hasSizeGreaterThan(20);
    }

    private static Json decode(String part) {
        return Json.of(new String(Base64.getUrlDecoder().decode(part), StandardCharsets.UTF_8));
    }

    @Test
    void tellsWhatIsWrongWithTheFile() throws Exception {
        var generator = KeyPairGenerator.getInstance("EC");
        generator.initialize(384);
        byte[] otherCurve = generator.generateKeyPair().getPrivate().getEncoded();
        assertFailure(folder.resolve("missing").toString(), "cannot be read");
        assertFailure(write("RSA PRIVATE KEY", new byte[10]), "no PRIVATE KEY");
        assertFailure(write("PRIVATE KEY", new byte[10]), "not a private key");
        assertFailure(write("PRIVATE KEY", otherCurve), "another curve");
    }

    private static void assertFailure(String file, String why) {
        assertThatThrownBy(() -> ClientAssertion.sign(file, "gw", "https://idp.test", NOW))
                .isInstanceOf(SignInFailed.class)
                .hasMessageContaining(why);
    }
}
