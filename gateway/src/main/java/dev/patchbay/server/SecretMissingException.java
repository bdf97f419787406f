package dev.patchbay.server;

import dev.patchbay.text.DisplayText;

import java.io.IOException;

/** A server cannot be opened, as a secret that its configuration refers to is not there. */
public final class SecretMissingException extends IOException {
    private static final long serialVersionUID = 1L;

    private SecretMissingException(String message) {
        super(message);
    }

    static SecretMissingException notFound(SecretReference reference) {
        return new SecretMissingException(
                switch (reference) {
                    case SecretReference.Named(String name) ->
                            "the secret %s is not set. Run: patchbay secret set %s"
                                    .formatted(name, name);
                    case SecretReference.InFile(String path) ->
                            "there is no file %s, which holds a secret of the server"
                                    .formatted(DisplayText.escape(path));
                });
    }

    static SecretMissingException unreadable(SecretReference reference, IOException cause) {
        return new SecretMissingException(
                "%s cannot be read: %s"
                        .formatted(
                                DisplayText.escape(reference.toString()),
                                DisplayText.escape(String.valueOf(cause.getMessage()))));
    }
}
