/**
 * Calls on one connection: call ids, pending table, flow control, deadlines, service
 * bindings and drain.
 */
@NullMarked
package io.rpcboot.internal.client.connection;

import org.jspecify.annotations.NullMarked;
