/**
 * Services that protoc has generated for grpc-java, on the server of the engine, and
 * messages of protobuf-java as values of methods. Uses the public API of grpc-api, and
 * the descriptors of protobuf-java.
 */
@NullMarked
package io.rpcboot.grpc;

import org.jspecify.annotations.NullMarked;
