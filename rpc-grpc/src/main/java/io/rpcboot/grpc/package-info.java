/**
 * Services that protoc has generated for grpc-java, on the server of the engine. Uses the
 * public API of grpc-api, and for reflection the descriptors of protobuf-java.
 */
@NullMarked
package io.rpcboot.grpc;

import org.jspecify.annotations.NullMarked;
