/**
 * Streams that methods return, as publishers and back: {@code Flux}, {@code Stream} and
 * {@code Iterator}. Knows no calls.
 */
@NullMarked
package io.rpcboot.internal.stream;

import org.jspecify.annotations.NullMarked;
