/**
 * Secrets that a configuration names but does not contain. Start with {@link
 * dev.patchbay.secret.SecretVault}.
 */
@NullMarked
package dev.patchbay.secret;

import org.jspecify.annotations.NullMarked;
