/**
 * Access tokens of clients: the gateway as a resource that OAuth protects. It verifies the tokens
 * that trusted authorization servers issue, and maps their claims to principals. Nothing of it is
 * loaded unless {@code http.auth} is {@code oauth}.
 */
@NullMarked
package dev.patchbay.oauth.resource;

import org.jspecify.annotations.NullMarked;
