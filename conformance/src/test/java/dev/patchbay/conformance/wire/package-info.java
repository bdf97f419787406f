/**
 * The wire that cannot be broken: the packaged program on its standard streams, byte by byte. Start
 * at {@link dev.patchbay.conformance.wire.CheckedConversation}, which is one conversation with it.
 */
@NullMarked
package dev.patchbay.conformance.wire;

import org.jspecify.annotations.NullMarked;
