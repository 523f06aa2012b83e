/**
 * Reads and writes the bytes of protobuf. Used by the types and the schema above; extends
 * the wire of protostuff, which differs in nested messages and in markers only. A nested
 * message is behind its length: a writer reserves the bytes of the length and moves the
 * message if it needs others, a reader narrows its range.
 */
@NullMarked
package io.rpcboot.internal.serialization.protobuf.wire;

import org.jspecify.annotations.NullMarked;
