package dev.patchbay.gateway;

import dev.patchbay.catalog.Catalog;

/** Provides the catalog. */
interface CatalogSource {
    /** The current catalog. */
    Catalog current();

    /** The catalog after servers that have just started had time to send their lists. */
    Catalog awaitComplete() throws InterruptedException;
}
