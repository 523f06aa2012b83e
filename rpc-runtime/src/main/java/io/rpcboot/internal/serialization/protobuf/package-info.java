/**
 * Codecs of methods in the wire format of protobuf, a third format over the graph of
 * types, and the {@code .proto} of the same nodes. Used by the protocol of gRPC; uses the
 * rooms of the types below. A method has a request and a response message; parameters are
 * fields numbered in order, a result is the field 1. Numbers of fields, constants and
 * subtypes come from {@code @Tag}, the lock file, or the declared order, and are the
 * contract: no peer's table is compared. A type that protobuf cannot carry leaves its
 * method out, with the reason.
 * <p>
 * {@code wire} has the bytes, {@code schema} the declarations, their text, their
 * descriptor and the lock, {@code scalar} the values without fields, {@code composite}
 * the messages and repeated fields.
 */
@NullMarked
package io.rpcboot.internal.serialization.protobuf;

import org.jspecify.annotations.NullMarked;
