/**
 * The page at {@code /} of {@code patchbay serve}, its JSON and events under {@code /api}, and the
 * metrics. Start with {@link dev.patchbay.dashboard.Dashboard}.
 */
@NullMarked
package dev.patchbay.dashboard;

import org.jspecify.annotations.NullMarked;
