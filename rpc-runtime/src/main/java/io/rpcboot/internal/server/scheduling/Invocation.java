package io.rpcboot.internal.server.scheduling;

import io.rpcboot.MethodDescriptor;
import io.rpcboot.context.RpcContext;
import io.rpcboot.internal.call.ContextParameterCodec;
import io.rpcboot.metrics.CallRecorder;
import io.rpcboot.serialization.MethodCodec;
import org.jspecify.annotations.Nullable;

/**
 * Way to invoke a method: with the codec of one contract or protocol, on its
 * implementation or on an object of one call. Calls read the fields directly. Immutable.
 */
public final class Invocation {

	public final ServerMethod method;

	/** Reads the arguments and writes the result. */
	public final MethodCodec codec;

	/** Metrics of the method over the protocol; null without metrics. */
	public final @Nullable CallRecorder recorder;

	/** Object to call; null for the implementation of the method. */
	public final @Nullable Object target;

	private Invocation(ServerMethod method, MethodCodec codec, @Nullable CallRecorder recorder,
			@Nullable Object target) {
		this.method = method;
		this.codec = codec;
		this.recorder = recorder;
		this.target = target;
	}

	/**
	 * Creates an invocation of the implementation.
	 * @param codec codec of the parameters that callers send
	 */
	public static Invocation of(ServerMethod method, MethodCodec codec, @Nullable CallRecorder recorder) {
		return new Invocation(method, ContextParameterCodec.of(method.descriptor, codec, RpcContext::current), recorder,
				null);
	}

	/** Returns the invocation with the codec for another contract. */
	public Invocation with(MethodCodec other) {
		return of(this.method, other, this.recorder);
	}

	/** Returns the invocation with another recorder. */
	public Invocation recordedBy(@Nullable CallRecorder other) {
		return new Invocation(this.method, this.codec, other, this.target);
	}

	/** Returns the invocation of another object. */
	public Invocation on(Object other) {
		return new Invocation(this.method, this.codec, this.recorder, other);
	}

	public MethodDescriptor descriptor() {
		return this.method.descriptor;
	}

}
