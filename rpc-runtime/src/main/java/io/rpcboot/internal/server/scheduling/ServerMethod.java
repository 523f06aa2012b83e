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
 * A method that is offered, with the codec for one contract. Calls read the fields
 * directly. Immutable, but for what its parts count.
 */
public final class ServerMethod {

	public final MethodDescriptor descriptor;

	/** The method of the interface. */
	public final Method method;

	/** Whether it returns a stage. */
	public final boolean asynchronous;

	public final MethodCodec codec;

	/** Gives the object to call. */
	public final Supplier<?> implementation;

	/** Its metrics, null if nobody listens. */
	public final @Nullable CallRecorder recorder;

	/** Calls answered. */
	public final LongAdder calls;

	/** How large its results are. */
	public final ResponseSizeEstimator results;

	/** How long its calls take. */
	public final MinServiceTime times;

	/** Which thread runs it. */
	public final Dispatch dispatch;

	/** Where its calls wait for a thread: the line of its service, or its own. */
	public final ServiceQueue line;

	/** What stands around its calls, null if nothing does. */
	public final @Nullable ServerInterceptorChain chain;

	public ServerMethod(MethodDescriptor descriptor, boolean asynchronous, MethodCodec codec,
			Supplier<?> implementation, @Nullable CallRecorder recorder, LongAdder calls, ResponseSizeEstimator results,
			MinServiceTime times, Dispatch dispatch, ServiceQueue line, @Nullable ServerInterceptorChain chain) {
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
		this.line = line;
		this.chain = chain;
	}

	/** The same method for clients with another contract. */
	public ServerMethod with(MethodCodec other) {
		return new ServerMethod(this.descriptor, this.asynchronous, other, this.implementation, this.recorder,
				this.calls, this.results, this.times, this.dispatch, this.line, this.chain);
	}

}
