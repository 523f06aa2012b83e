/**
 * Files of contracts for clients of gRPC: the {@code .proto} and the lock of numbers.
 * Used by builds and tests of applications; uses {@code internal.serialization.protobuf}.
 */
@NullMarked
package io.rpcboot.serialization.protobuf;

import org.jspecify.annotations.NullMarked;
