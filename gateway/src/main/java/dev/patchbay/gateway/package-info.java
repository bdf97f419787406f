/**
 * The operations of the gateway: registry, discovery and invocation. This is also the Java API for
 * a program that embeds the gateway.
 */
@NullMarked
package dev.patchbay.gateway;

import org.jspecify.annotations.NullMarked;
