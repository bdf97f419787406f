/**
 * One background gateway per user: the relay that {@code patchbay stdio} becomes, and the server
 * that it attaches to.
 */
@NullMarked
package dev.patchbay.daemon;

import org.jspecify.annotations.NullMarked;
