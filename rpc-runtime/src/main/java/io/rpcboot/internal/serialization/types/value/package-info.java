/**
 * Conversions and checks of scalar values, and the read budget. Used by all rooms of
 * {@code types} and by all formats; uses the public serialization rooms only. Nothing
 * here accesses the network, and a value that would arrive as another one is refused when
 * it is written. The read budget bounds the heap and the comparisons of keys for a
 * message, because a few bytes can become large objects.
 */
@NullMarked
package io.rpcboot.internal.serialization.types.value;

import org.jspecify.annotations.NullMarked;
