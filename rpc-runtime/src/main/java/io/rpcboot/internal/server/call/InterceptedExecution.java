package io.rpcboot.internal.server.call;

import java.lang.reflect.InvocationTargetException;
import java.util.Arrays;
import java.util.concurrent.Callable;

import io.rpcboot.MethodDescriptor;
import io.rpcboot.RpcException;
import io.rpcboot.RpcStatus;
import io.rpcboot.context.Attachments;
import io.rpcboot.context.RpcContext;
import io.rpcboot.internal.call.Results;
import io.rpcboot.internal.protocol.AttachmentsSection;
import io.rpcboot.internal.protocol.ProtocolException;
import io.rpcboot.internal.server.interceptor.ServerInterceptorChain;
import io.rpcboot.internal.server.interceptor.ServerInterceptorChain.Target;
import io.rpcboot.internal.transport.frame.OutboundFrame;
import io.rpcboot.serialization.DetachedBytes;
import io.rpcboot.server.Dispatch;
import org.jspecify.annotations.Nullable;

/**
 * What only calls with attachments, with interceptors or with a context that somebody
 * asked for do. Stands beside server call.
 */
final class InterceptedExecution {

	private InterceptedExecution() {
	}

	/** Returns false if the call is to go on as one without attachments. */
	static boolean run(ServerCall call, byte[] source, boolean hasAttachments) {
		if (hasAttachments && !takeAttachments(call, source)) {
			return true;
		}
		ServerInterceptorChain chain = call.method.chain;
		if (chain == null) {
			return false;
		}
		ServerInterceptorChain.Run run = chain.new Run(new End(call, chain.isEarly() ? kept(call, source) : source));
		contextOf(call).run = run;
		try {
			call.onReturned(run.proceed());
		}
		catch (Throwable ex) {
			failed(call, run, ex);
		}
		return true;
	}

	/** Arguments that may be read later, or never: the event loop goes on meanwhile. */
	private static byte[] kept(ServerCall call, byte[] source) {
		if (call.method.dispatch != Dispatch.EVENT_LOOP) {
			return source;
		}
		DetachedBytes value = call.detachedValue();
		int start = (value != null) ? 0 : call.offset; // the value knows its index
		byte[] copy = Arrays.copyOfRange(source, start, call.offset + call.lengthInArray());
		call.arguments(OutboundFrame.NOTHING, call.offset - start, call.length(), value);
		return copy;
	}

	/** What was returned has failed. */
	static void failed(ServerCall call, Throwable thrown) {
		ServerCallContext context = call.context;
		failed(call, (context != null) ? context.run : null, thrown);
	}

	private static void failed(ServerCall call, ServerInterceptorChain.@Nullable Run run, Throwable thrown) {
		Throwable failure = Results.cause(thrown);
		if (run != null && failure instanceof RpcException refusal && !run.isOfImplementation(thrown)) {
			call.invoked |= !run.seal();
			ErrorResponses.refused(call, refusal);
		}
		else {
			ErrorResponses.thrown(call, failure);
		}
	}

	private static boolean takeAttachments(ServerCall call, byte[] source) {
		int start = call.offset;
		int most = call.connection.server.options.maxAttachments;
		try {
			int end = AttachmentsSection.skip(source, start, start + call.lengthInArray());
			int length = end - start - AttachmentsSection.PREFIX_LENGTH;
			if (length > most) {
				ErrorResponses.refuse(call, RpcStatus.INVALID_ARGUMENT,
						"max-attachments-size: the attachments take %d bytes, but the server accepts %s"
							.formatted(length, (most > 0) ? "at most " + most : "none"));
				return false;
			}
			Attachments attachments = AttachmentsSection.decode(source, start, end);
			call.skip(end - start);
			call.context = new ServerCallContext(call, call.connection, attachments);
			return true;
		}
		catch (ProtocolException ex) {
			ErrorResponses.refuse(call, RpcStatus.INVALID_ARGUMENT, "the server cannot read the " + ex.getMessage());
			return false;
		}
	}

	/** By the thread that runs the call, and from then on the same. */
	static ServerCallContext contextOf(ServerCall call) {
		ServerCallContext context = call.context;
		if (context == null) {
			context = new ServerCallContext(call, call.connection, Attachments.none());
			call.context = context;
		}
		return context;
	}

	/** The call. */
	private record End(ServerCall call, byte[] source) implements Target {

		@Override
		public MethodDescriptor method() {
			return this.call.method.descriptor;
		}

		@Override
		public RpcContext context() {
			return contextOf(this.call);
		}

		@Override
		public void traceId(String id) {
			contextOf(this.call).traceId = id;
		}

		@Override
		public @Nullable String traceId() {
			return contextOf(this.call).traceId;
		}

		@Override
		public @Nullable Object[] readArguments() throws Exception {
			try {
				return asCall(() -> this.call.read(this.source));
			}
			catch (RuntimeException | StackOverflowError ex) {
				throw new RpcException(RpcStatus.INVALID_ARGUMENT, ErrorResponses.unreadableWords(this.call, ex),
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

		/** An interceptor may go on from a thread that does not serve the call. */
		private <T> T asCall(Callable<T> task) throws Exception {
			RpcContext context = context();
			return (RpcContext.current() == context) ? task.call() : context.wrap(task).call();
		}

	}

}
