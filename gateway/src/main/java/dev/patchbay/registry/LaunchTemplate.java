package dev.patchbay.registry;

import org.jspecify.annotations.Nullable;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** How a server is started or reached, with places for the values of its user. */
public sealed interface LaunchTemplate {
    /**
     * A program.
     *
     * @param words the program and its arguments
     * @param cwd the working directory; null for any
     */
    record Command(
            List<ArgumentTemplate> words, Map<String, ValueTemplate> env, @Nullable String cwd)
            implements LaunchTemplate {
        public Command {
            words = List.copyOf(words);
        }
    }

    /**
     * A server behind a URL.
     *
     * @param type {@code http} or {@code sse}
     */
    record Remote(String type, ValueTemplate url, Map<String, ValueTemplate> headers)
            implements LaunchTemplate {}

    /**
     * One argument of a command. It is left out if a value in it is missing.
     *
     * @param flag what comes before the value; null for nothing
     * @param value the value; null for a flag alone
     * @param isJoined whether flag and value are one word, with an equals sign
     */
    record ArgumentTemplate(
            @Nullable String flag, @Nullable ValueTemplate value, boolean isJoined) {
        static ArgumentTemplate word(String text) {
            return new ArgumentTemplate(null, ValueTemplate.literal(text), false);
        }
    }

    /** All values that the user is asked for, each once. */
    default List<DeclaredInput> inputs() {
        var byName = new LinkedHashMap<String, DeclaredInput>();
        switch (this) {
            case Command(var words, var env, _) -> {
                for (ArgumentTemplate word : words) {
                    ValueTemplate value = word.value();
                    if (value != null) {
                        value.inputs().forEach(it -> byName.putIfAbsent(it.name(), it));
                    }
                }
                env.values()
                        .forEach(
                                value ->
                                        value.inputs()
                                                .forEach(it -> byName.putIfAbsent(it.name(), it)));
            }
            case Remote(_, var url, var headers) -> {
                url.inputs().forEach(it -> byName.putIfAbsent(it.name(), it));
                headers.values()
                        .forEach(
                                value ->
                                        value.inputs()
                                                .forEach(it -> byName.putIfAbsent(it.name(), it)));
            }
        }
        return List.copyOf(byName.values());
    }
}
