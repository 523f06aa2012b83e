/**
 * Relay: passes calls on to other servers with their bytes unread.
 */
@NullMarked
package io.rpcboot.relay;

import org.jspecify.annotations.NullMarked;
