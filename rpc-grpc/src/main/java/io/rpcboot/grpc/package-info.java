/**
 * Services that protoc has generated for grpc-java, on the server of the engine. Uses the
 * public API of grpc-api, and no other part of grpc-java.
 */
@NullMarked
package io.rpcboot.grpc;

import org.jspecify.annotations.NullMarked;
