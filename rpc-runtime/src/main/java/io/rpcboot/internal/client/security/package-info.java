/**
 * Security of a client's connections: TLS, and credentials that are kept and renewed.
 * <p>
 * Knows neither calls nor connections; used by connections and pools. A provider of
 * credentials may block, so that it never runs on an event loop.
 */
@NullMarked
package io.rpcboot.internal.client.security;

import org.jspecify.annotations.NullMarked;
