/**
 * Reads and writes the bytes of protostuff: tags, numbers, groups, texts and byte arrays.
 * Used by the rooms of the value types and the codecs above; uses the read budget, the
 * output buffer and protostuff's constants. An input never reads beyond its range and
 * allocates nothing before a length was checked. An output writes into the engine's
 * buffer and grows it only if a value does not fit.
 */
@NullMarked
package io.rpcboot.internal.serialization.protostuff.wire;

import org.jspecify.annotations.NullMarked;
