package io.rpcboot.internal.server.scheduling;

import java.lang.reflect.Method;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.Supplier;

import io.rpcboot.MethodDescriptor;
import io.rpcboot.internal.server.interceptor.ServerInterceptorChain;
import io.rpcboot.server.Dispatch;
import org.jspecify.annotations.Nullable;

/**
 * Method of an offered service, with what all its calls share. Calls read the fields
 * directly. Immutable; the statistics in it are thread-safe.
 */
public final class ServerMethod {

	public final MethodDescriptor descriptor;

	/** Method of the interface. */
	public final Method method;

	/** True if the method returns a CompletionStage or a stream. */
	public final boolean answersLater;

	/** True if the method returns a stream. */
	public final boolean streams;

	/** Index of the parameter that is a stream of the client, -1 if none is. */
	public final int streamParameter;

	/**
	 * True if the client sends a stream: the elements of one, or replies of callbacks.
	 */
	public final boolean takesStream;

	/** True if the method returns a stream, or the client sends one, or both. */
	public final boolean isStreaming;

	/** True if the client sends a stream and nothing before it. */
	public final boolean hasElementsOnly;

	/** Returns the object to call. */
	public final Supplier<?> implementation;

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

	public ServerMethod(MethodDescriptor descriptor, boolean asynchronous, Supplier<?> implementation, LongAdder calls,
			ResponseSizeEstimator results, MinServiceTime times, Dispatch dispatch, ServiceQueue queue,
			@Nullable ServerInterceptorChain chain) {
		this.descriptor = descriptor;
		this.method = descriptor.method();
		this.streams = descriptor.style() == MethodDescriptor.Style.STREAM;
		this.answersLater = asynchronous || this.streams;
		this.streamParameter = descriptor.streamParameter();
		this.takesStream = this.streamParameter >= 0 || !descriptor.callbackParameters().isEmpty();
		this.isStreaming = this.streams || this.takesStream;
		this.hasElementsOnly = descriptor.hasElementsOnly();
		this.implementation = implementation;
		this.calls = calls;
		this.results = results;
		this.times = times;
		this.dispatch = dispatch;
		this.queue = queue;
		this.chain = chain;
	}

}
