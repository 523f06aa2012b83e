package io.rpcboot.server;

import java.util.concurrent.atomic.LongAdder;
import java.util.function.Supplier;

import io.rpcboot.MethodDescriptor;
import io.rpcboot.metrics.CallRecorder;
import io.rpcboot.serialization.MethodCodec;

/**
 * A method that is offered.
 *
 * @param descriptor the method
 * @param codec its serialization
 * @param implementation gives the object to call
 * @param recorder its metrics
 * @param calls calls answered
 */
record ServerMethod(MethodDescriptor descriptor, MethodCodec codec, Supplier<?> implementation, CallRecorder recorder,
		LongAdder calls) {
}
