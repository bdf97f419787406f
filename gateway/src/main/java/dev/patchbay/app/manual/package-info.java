/** Manual pages and the command reference, generated from the commands. */
@NullMarked
package dev.patchbay.app.manual;

import org.jspecify.annotations.NullMarked;
