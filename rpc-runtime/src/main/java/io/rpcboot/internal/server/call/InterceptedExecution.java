package io.rpcboot.internal.server.call;

import java.lang.reflect.InvocationTargetException;
import java.util.Arrays;
import java.util.concurrent.Callable;

import io.rpcboot.MethodDescriptor;
import io.rpcboot.RpcException;
import io.rpcboot.context.RpcContext;
import io.rpcboot.interceptor.StreamCounts;
import io.rpcboot.interceptor.ThreadScope;
import io.rpcboot.internal.server.interceptor.ServerInterceptorChain;
import io.rpcboot.internal.transport.frame.OutboundFrame;
import io.rpcboot.server.Dispatch;
import org.jspecify.annotations.Nullable;

/**
 * Execution of a call through interceptors: the end of their chain, which reads the
 * arguments and invokes the method. Interceptors may proceed on any thread.
 */
final class InterceptedExecution implements ServerInterceptorChain.Target {

	private final ServerCall call;

	/** Holds the arguments until they are read. */
	private byte[] source;

	/**
	 * Creates an execution.
	 * @param isReadLater true if an interceptor runs before the arguments are read
	 * ({@link ServerInterceptorChain#isEarly()}). It may proceed on another thread, when
	 * the event loop has reused its buffer
	 */
	InterceptedExecution(ServerCall call, byte[] source, boolean isReadLater) {
		this.call = call;
		this.source = (isReadLater && call.method.dispatch == Dispatch.EVENT_LOOP) ? keep(call, source) : source;
	}

	/** Runs a call through interceptors, and answers it. */
	static void run(ServerCall call, ServerInterceptorChain chain, byte[] source) {
		ServerInterceptorChain.Run run = chain.new Run(new InterceptedExecution(call, source, chain.isEarly()));
		call.context().run = run;
		try {
			call.returned(run.proceed());
		}
		catch (Throwable ex) {
			call.responder.failed(call, run, ex);
		}
	}

	/** Copies arguments that lie in the buffer of the event loop, which is reused. */
	private static byte[] keep(ServerCall call, byte[] source) {
		byte[] copy = Arrays.copyOfRange(source, call.requestOffset(), call.requestOffset() + call.requestLength());
		call.request(OutboundFrame.NOTHING, 0, copy.length);
		return copy;
	}

	@Override
	public MethodDescriptor method() {
		return this.call.method.descriptor;
	}

	@Override
	public RpcContext context() {
		return this.call.context();
	}

	@Override
	public void addScope(ThreadScope scope) {
		this.call.context().addScope(scope);
	}

	@Override
	public void traceId(String id) {
		this.call.context().traceId = id;
	}

	@Override
	public @Nullable String traceId() {
		return this.call.context().traceId;
	}

	@Override
	public @Nullable StreamCounts streamed() {
		return (this.call.sink instanceof StreamSink elements) ? elements.streamed() : null;
	}

	@Override
	public @Nullable Object[] readArguments() throws Exception {
		byte[] bytes = this.source;
		this.source = OutboundFrame.NOTHING;
		try {
			return asCall(() -> this.call.read(bytes));
		}
		catch (RuntimeException | StackOverflowError ex) {
			throw new RpcException(ErrorResponse.statusOfUnreadable(ex), this.call.responder.unreadable(this.call, ex),
					false);
		}
	}

	@Override
	public @Nullable Object invoke(@Nullable Object[] arguments) throws Throwable {
		try {
			return asCall(() -> this.call.invoke(arguments));
		}
		catch (InvocationTargetException ex) {
			throw (ex.getCause() != null) ? ex.getCause() : ex;
		}
	}

	/** Runs a task with the context of the call as the current one. */
	private <T> T asCall(Callable<T> task) throws Exception {
		RpcContext context = context();
		return (RpcContext.current() == context) ? task.call() : context.wrap(task).call();
	}

}
