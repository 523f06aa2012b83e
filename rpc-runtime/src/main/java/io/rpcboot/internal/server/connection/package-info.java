/**
 * Parts of a server connection that every protocol uses: idle timeout and maximum age.
 * The connections of the protocols in the rooms below are built on them. All state
 * belongs to the event loop.
 */
@NullMarked
package io.rpcboot.internal.server.connection;

import org.jspecify.annotations.NullMarked;
