package io.rpcboot.server;

import java.lang.reflect.Method;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.Supplier;

import io.rpcboot.MethodDescriptor;
import io.rpcboot.metrics.CallRecorder;
import io.rpcboot.serialization.MethodCodec;
import org.jspecify.annotations.Nullable;

/**
 * A method that is offered, with the codec for one contract. Calls read the fields
 * directly. Immutable, but for what its parts count.
 */
final class ServerMethod {

	final MethodDescriptor descriptor;

	/** The method of the interface. */
	final Method method;

	/** Whether it returns a stage. */
	final boolean asynchronous;

	final MethodCodec codec;

	/** Gives the object to call. */
	final Supplier<?> implementation;

	/** Its metrics, null if nobody listens. */
	final @Nullable CallRecorder recorder;

	/** Calls answered. */
	final LongAdder calls;

	/** How large its results are. */
	final ResultSizes results;

	/** Which thread runs it. */
	final Dispatch dispatch;

	ServerMethod(MethodDescriptor descriptor, boolean asynchronous, MethodCodec codec, Supplier<?> implementation,
			@Nullable CallRecorder recorder, LongAdder calls, ResultSizes results, Dispatch dispatch) {
		this.descriptor = descriptor;
		this.method = descriptor.method();
		this.asynchronous = asynchronous;
		this.codec = codec;
		this.implementation = implementation;
		this.recorder = recorder;
		this.calls = calls;
		this.results = results;
		this.dispatch = dispatch;
	}

	/** The same method for clients with another contract. */
	ServerMethod with(MethodCodec other) {
		return new ServerMethod(this.descriptor, this.asynchronous, other, this.implementation, this.recorder,
				this.calls, this.results, this.dispatch);
	}

	ResultSizes results() {
		return this.results;
	}

	Dispatch dispatch() {
		return this.dispatch;
	}

}
