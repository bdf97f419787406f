/**
 * The dashboard as a person uses it, in a real browser. All of it is tagged {@code browser} and
 * needs Chromium and its driver; start with {@link
 * dev.patchbay.conformance.dashboard.DashboardBrowserTest}.
 */
@NullMarked
package dev.patchbay.conformance.dashboard;

import org.jspecify.annotations.NullMarked;
