/**
 * Codecs of methods in protostuff's format, created from the graph of types. Used by the
 * public serializer only; uses the types of values and the wire. Outputs are kept with
 * their buffers and inputs are pooled, so a call allocates neither. An input that failed
 * is not used again.
 */
@NullMarked
package io.rpcboot.internal.serialization.protostuff;

import org.jspecify.annotations.NullMarked;
