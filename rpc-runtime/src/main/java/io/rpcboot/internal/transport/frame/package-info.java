/**
 * Frames and their bodies: outbound frames, arrays and memory of bodies, the table of
 * pending calls.
 */
@NullMarked
package io.rpcboot.internal.transport.frame;

import org.jspecify.annotations.NullMarked;
