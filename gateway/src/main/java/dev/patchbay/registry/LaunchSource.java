package dev.patchbay.registry;

/** One way to run or reach a server of the registry. */
public sealed interface LaunchSource {
    /**
     * A command or a URL.
     *
     * @param kind {@code npm}, {@code pypi}, {@code oci}, {@code nuget} or {@code remote}
     */
    record Ready(String kind, LaunchTemplate template) implements LaunchSource {}

    /**
     * A bundle to download.
     *
     * @param sha256 the digest that the file must have, in lower case
     */
    record Bundle(String url, String sha256) implements LaunchSource {}
}
