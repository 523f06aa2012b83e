package io.rpcboot.internal.server.scheduling;

import java.lang.reflect.Method;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.Supplier;

import io.rpcboot.MethodDescriptor;
import io.rpcboot.context.RpcContext;
import io.rpcboot.internal.call.ContextParameterCodec;
import io.rpcboot.internal.server.interceptor.ServerInterceptorChain;
import io.rpcboot.metrics.CallRecorder;
import io.rpcboot.serialization.MethodCodec;
import io.rpcboot.server.Dispatch;
import org.jspecify.annotations.Nullable;

/**
 * Method of an offered service, with the codec for one contract. Calls read the fields
 * directly. Immutable; the statistics in it are thread-safe.
 */
public final class ServerMethod {

	public final MethodDescriptor descriptor;

	/** Method of the interface. */
	public final Method method;

	/** True if the method returns a CompletionStage. */
	public final boolean asynchronous;

	public final MethodCodec codec;

	/** Returns the object to call. */
	public final Supplier<?> implementation;

	/** Metrics of the method; null without metrics. */
	public final @Nullable CallRecorder recorder;

	/** Calls answered. */
	public final LongAdder calls;

	/** Sizes of the responses. */
	public final ResponseSizeEstimator results;

	/** Service times. */
	public final MinServiceTime times;

	/** Thread that runs the calls. */
	public final Dispatch dispatch;

	/** Queue of the service, or of the method if that has a limit. */
	public final ServiceQueue queue;

	/** Interceptors of the calls; null without any. */
	public final @Nullable ServerInterceptorChain chain;

	public ServerMethod(MethodDescriptor descriptor, boolean asynchronous, MethodCodec codec,
			Supplier<?> implementation, @Nullable CallRecorder recorder, LongAdder calls, ResponseSizeEstimator results,
			MinServiceTime times, Dispatch dispatch, ServiceQueue queue, @Nullable ServerInterceptorChain chain) {
		this.descriptor = descriptor;
		this.method = descriptor.method();
		this.asynchronous = asynchronous;
		this.codec = ContextParameterCodec.of(descriptor, codec, RpcContext::current);
		this.implementation = implementation;
		this.recorder = recorder;
		this.calls = calls;
		this.results = results;
		this.times = times;
		this.dispatch = dispatch;
		this.queue = queue;
		this.chain = chain;
	}

	/** Returns this method with the codec for another contract. */
	public ServerMethod with(MethodCodec other) {
		return new ServerMethod(this.descriptor, this.asynchronous, other, this.implementation, this.recorder,
				this.calls, this.results, this.times, this.dispatch, this.queue, this.chain);
	}

	/** Returns this method with another recorder. */
	public ServerMethod recordedBy(@Nullable CallRecorder other) {
		return new ServerMethod(this.descriptor, this.asynchronous, this.codec, this.implementation, other, this.calls,
				this.results, this.times, this.dispatch, this.queue, this.chain);
	}

	/** Returns this method on another object. */
	public ServerMethod on(Object other) {
		return new ServerMethod(this.descriptor, this.asynchronous, this.codec, () -> other, this.recorder, this.calls,
				this.results, this.times, this.dispatch, this.queue, this.chain);
	}

}
