/** Regular expressions of JSON Schema: an ECMA 262 subset that runs in linear time. */
@NullMarked
package dev.patchbay.schema.regex;

import org.jspecify.annotations.NullMarked;
