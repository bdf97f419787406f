package dev.patchbay.gateway;

import dev.patchbay.catalog.Catalog;

/** Where the catalogue is to be had. */
interface CatalogSource {
    /** As it is. */
    Catalog current();

    /** As it is once the servers that have just begun had their time to tell their lists. */
    Catalog awaitComplete() throws InterruptedException;
}
