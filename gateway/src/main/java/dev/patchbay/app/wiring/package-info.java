/** Builds a gateway from its configuration and runs it over stdio or HTTP. */
@NullMarked
package dev.patchbay.app.wiring;

import org.jspecify.annotations.NullMarked;
