/**
 * grpc-java, with and without its executors.
 */
@NullMarked
package io.rpcboot.benchmarks.grpc;

import org.jspecify.annotations.NullMarked;
