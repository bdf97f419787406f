package dev.patchbay.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.patchbay.server.DeferredText.Part;

import org.junit.jupiter.api.Test;

import java.io.IOException;
import java.util.List;
import java.util.Map;

class ConfiguredValuesTest {
    private static final SecretReference GITHUB = new SecretReference.Named("github");
    private static final DeferredText BEARER =
            new DeferredText(List.of(new Part.Literal("Bearer "), new Part.Reference(GITHUB)));

    private final ConfiguredValues values = new ConfiguredValues(Map.of("Authorization", BEARER));

    @Test
    void secretsArePutInTheirPlaces() throws Exception {
        var resolved = values.resolve(_ -> "s3cret");
        assertThat(resolved.values()).containsExactly(Map.entry("Authorization", "Bearer s3cret"));
        assertThat(resolved.mask().apply("refused: s3cret")).isEqualTo("refused: ***");
    }

    @Test
    void secretIsReadAnewEachTime() throws Exception {
        var answers = List.of("first", "second").iterator();
        assertThat(values.resolve(_ -> answers.next()).values()).containsValue("Bearer first");
        assertThat(values.resolve(_ -> answers.next()).values()).containsValue("Bearer second");
    }

    @Test
    void missingSecretIsNamedWithTheCommandThatSetsIt() {
        assertThatThrownBy(() -> values.resolve(SecretResolver.NONE))
                .isInstanceOf(SecretMissingException.class)
                .hasMessage("the secret github is not set. Run: patchbay secret set github");
    }

    @Test
    void secretThatCannotBeReadIsNamedWithTheReason() {
        SecretResolver locked =
                _ -> {
                    throw new IOException("the keyring is locked");
                };
        assertThatThrownBy(() -> values.resolve(locked))
                .isInstanceOf(SecretMissingException.class)
                .hasMessage("${secret:github} cannot be read: the keyring is locked");
    }

    @Test
    void textShowsReferencesAndNoValues() throws Exception {
        var written = ConfiguredValues.of(Map.of("TOKEN", "literal-value"));
        assertThat(written.toString()).isEqualTo("{TOKEN=…}");
        assertThat(values.toString()).isEqualTo("{Authorization=…${secret:github}}");
        assertThat(values.resolve(_ -> "s3cret").toString()).isEqualTo("[Authorization]");
    }

    @Test
    void maskFindsEscapedSecrets() {
        var mask = SecretMask.of(List.of("two\nlines"));
        assertThat(mask.apply("it said two\\nlines")).isEqualTo("it said ***");
    }
}
