/**
 * Chain of the interceptors of a service method.
 */
@NullMarked
package io.rpcboot.internal.server.interceptor;

import org.jspecify.annotations.NullMarked;
