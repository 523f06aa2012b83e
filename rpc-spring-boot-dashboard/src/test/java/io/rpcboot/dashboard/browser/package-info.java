/**
 * The page in a real browser; compiled and run with the profile {@code browser} alone.
 */
@NullMarked
package io.rpcboot.dashboard.browser;

import org.jspecify.annotations.NullMarked;
