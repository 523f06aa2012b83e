/**
 * Connection of a client at the server: frames to calls, flow control, service bindings,
 * idle and age limits.
 */
@NullMarked
package io.rpcboot.internal.server.connection;

import org.jspecify.annotations.NullMarked;
