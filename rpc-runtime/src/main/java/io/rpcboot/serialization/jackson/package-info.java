/**
 * The serializer for JSON, whose messages are readable in logs and captures. Used by
 * applications that choose it; the codec is in {@code internal.serialization.json}. It
 * carries the types of the default serializer with the same limits and rules of
 * evolution. The settings of Jackson are its own, and its annotations have no effect.
 */
@NullMarked
package io.rpcboot.serialization.jackson;

import org.jspecify.annotations.NullMarked;
