/**
 * Declarations of messages, enums and services: their names, the text of a
 * {@code .proto}, the descriptor for reflection, and the lock of numbers. Used by the
 * types above, which declare themselves; uses the wire for the bytes of a descriptor.
 * Follows the rules of {@code buf lint}, as far as the names in Java allow it.
 */
@NullMarked
package io.rpcboot.internal.serialization.protobuf.schema;

import org.jspecify.annotations.NullMarked;
