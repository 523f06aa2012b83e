/**
 * Frames to bytes and back; no state, no threads.
 */
@NullMarked
package io.rpcboot.internal.protocol;

import org.jspecify.annotations.NullMarked;
