/**
 * Resources that all connections of a server share: options, counters, memory of
 * responses and credits for calls.
 */
@NullMarked
package io.rpcboot.internal.server.runtime;

import org.jspecify.annotations.NullMarked;
