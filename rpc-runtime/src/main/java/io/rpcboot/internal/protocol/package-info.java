/**
 * Failure that all wire protocols share. Each protocol has a room of its own below, which
 * encodes and decodes and has no state of the engine.
 */
@NullMarked
package io.rpcboot.internal.protocol;

import org.jspecify.annotations.NullMarked;
