/**
 * Write path: the write queue, batches, flush policy and frames that are blocked.
 */
@NullMarked
package io.rpcboot.internal.transport.write;

import org.jspecify.annotations.NullMarked;
