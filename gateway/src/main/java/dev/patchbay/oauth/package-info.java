/**
 * Signing in to servers by OAuth: where a server's authorization server is, how a person or a
 * client of its own gets a token from it, and how tokens are kept and renewed. Nothing of it is
 * loaded before a server wants it.
 */
@NullMarked
package dev.patchbay.oauth;

import org.jspecify.annotations.NullMarked;
