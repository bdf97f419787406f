/**
 * Full names and the merged lists of all servers, as immutable snapshots. Pure: it computes from
 * what it is given. Start with {@link dev.patchbay.catalog.Catalog}; names are joined and split in
 * {@link dev.patchbay.catalog.FullName} alone.
 */
@NullMarked
package dev.patchbay.catalog;

import org.jspecify.annotations.NullMarked;
