/**
 * Broadcasts: one call at every known instance of a service. {@code Broadcast} of the
 * public package uses them; they use references and routing. Each call dispatches itself
 * to its instance or nowhere and is made once; if a callback thread waits for the report,
 * it completes the futures itself, because callback threads must not wait for each other.
 */
@NullMarked
package io.rpcboot.internal.client.broadcast;

import org.jspecify.annotations.NullMarked;
