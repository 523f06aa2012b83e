/**
 * Chain of server interceptors around one call. Room {@code call} runs it and implements
 * its end; this room knows no connection and no frame. An interceptor may proceed on any
 * thread, but the method of a call is invoked once, unless it is idempotent.
 */
@NullMarked
package io.rpcboot.internal.server.interceptor;

import org.jspecify.annotations.NullMarked;
