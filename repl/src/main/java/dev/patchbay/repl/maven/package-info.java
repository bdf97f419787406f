/** What Maven knows, without a session: the local repository, and the search of Maven Central. */
@NullMarked
package dev.patchbay.repl.maven;

import org.jspecify.annotations.NullMarked;
