/**
 * One channel: decoding of frames, its snapshot, its listeners.
 */
@NullMarked
package io.rpcboot.internal.transport.connection;

import org.jspecify.annotations.NullMarked;
