/** The HTTP/1.1 client: connections, requests, responses, proxies. */
@NullMarked
package dev.patchbay.http.client.wire;

import org.jspecify.annotations.NullMarked;
