/**
 * Full names and the merged lists of all servers, as immutable snapshots. Pure: it computes from
 * what it is given.
 */
@NullMarked
package dev.patchbay.catalog;

import org.jspecify.annotations.NullMarked;
