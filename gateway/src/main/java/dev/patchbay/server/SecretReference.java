package dev.patchbay.server;

/** Where a secret of a configured value is: in the user's secret store, or in a file. */
public sealed interface SecretReference {
    /** A secret of the secret store, written {@code ${secret:NAME}}. */
    record Named(String name) implements SecretReference {
        @Override
        public String toString() {
            return "${secret:" + name + "}";
        }
    }

    /**
     * The content of a file, written {@code ${file:PATH}}.
     *
     * @param path an absolute path, or one that begins with {@code ~/}
     */
    record InFile(String path) implements SecretReference {
        @Override
        public String toString() {
            return "${file:" + path + "}";
        }
    }
}
