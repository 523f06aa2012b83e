/**
 * Proxy of a service interface: methods, interceptors, fallback and the router behind it.
 */
@NullMarked
package io.rpcboot.internal.client.reference;

import org.jspecify.annotations.NullMarked;
