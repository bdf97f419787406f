/** Files that hold secrets or state. Depends on the JDK only. */
@NullMarked
package dev.patchbay.files;

import org.jspecify.annotations.NullMarked;
