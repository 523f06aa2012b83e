/**
 * Services of Spring's gRPC on the server of the starter.
 */
@NullMarked
package io.rpcboot.grpc.spring;

import org.jspecify.annotations.NullMarked;
