package dev.patchbay.app;

import dev.patchbay.mcp.Implementation;

/** What the program is called, to people and to peers. */
final class Product {
    private Product() {}

    static String version() {
        String version = Product.class.getPackage().getImplementationVersion();
        return version == null ? "development" : version;
    }

    static Implementation identity() {
        return new Implementation("patchbay", version());
    }
}
