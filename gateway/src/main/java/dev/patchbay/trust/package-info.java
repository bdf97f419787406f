/**
 * Which project files the user has approved. Start with {@link dev.patchbay.trust.ApprovedProject}.
 */
@NullMarked
package dev.patchbay.trust;

import org.jspecify.annotations.NullMarked;
