/**
 * Questions about compiled code: who uses a member, which types extend another, which methods take
 * or return a type, and what the bytecode of a method is. It reads class files and runs nothing.
 */
@NullMarked
package dev.patchbay.repl.kernel.code;

import org.jspecify.annotations.NullMarked;
