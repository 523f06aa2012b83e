/**
 * Connection of a client at the server, whatever protocol it speaks: its calls in flight,
 * its introduction, identity, age and end. A room below it turns the bytes of one
 * protocol into calls and back. All state belongs to the event loop.
 */
@NullMarked
package io.rpcboot.internal.server.connection;

import org.jspecify.annotations.NullMarked;
