/**
 * JSON as checked bytes: the bounded streaming reader, the writer, and the values between them.
 * Nothing else in the program parses or prints JSON.
 */
@NullMarked
package dev.patchbay.json;

import org.jspecify.annotations.NullMarked;
