/** Text that comes from other programs, made safe to show. Depends on the JDK only. */
@NullMarked
package dev.patchbay.text;

import org.jspecify.annotations.NullMarked;
