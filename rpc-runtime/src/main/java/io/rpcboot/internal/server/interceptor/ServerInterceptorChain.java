package io.rpcboot.internal.server.interceptor;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;

import io.rpcboot.MethodDescriptor;
import io.rpcboot.RpcException;
import io.rpcboot.RpcStatus;
import io.rpcboot.context.Attachments;
import io.rpcboot.context.RpcContext;
import io.rpcboot.interceptor.CallOutcome;
import io.rpcboot.interceptor.RpcServerInterceptor;
import io.rpcboot.interceptor.RpcServerInterceptor.Position;
import io.rpcboot.interceptor.ServerInvocation;
import io.rpcboot.interceptor.StreamCounts;
import io.rpcboot.interceptor.ThreadScope;
import io.rpcboot.internal.call.EndListeners;
import io.rpcboot.internal.call.Results;
import io.rpcboot.internal.stream.LaterResult;
import org.jspecify.annotations.Nullable;

/**
 * Chain of interceptors around the calls of a service, in order: BEFORE_ARGUMENTS,
 * reading the arguments, AROUND_IMPLEMENTATION, the {@link Target}. Immutable; each call
 * has a {@link Run}.
 */
public final class ServerInterceptorChain {

	private final List<RpcServerInterceptor> interceptors;

	/** Interceptors that run before the arguments are read. */
	private final int early;

	private ServerInterceptorChain(List<RpcServerInterceptor> interceptors, int early) {
		this.interceptors = interceptors;
		this.early = early;
	}

	/**
	 * Returns the chain of the interceptors, sorted by position; those of the server are
	 * outside of those of the service. Returns null without interceptors.
	 */
	public static @Nullable ServerInterceptorChain of(List<RpcServerInterceptor> ofServer,
			List<RpcServerInterceptor> ofService) {
		List<RpcServerInterceptor> all = new ArrayList<>(ofServer);
		all.addAll(ofService);
		if (all.isEmpty()) {
			return null;
		}
		List<Position> positions = all.stream().map(RpcServerInterceptor::position).toList();
		List<RpcServerInterceptor> sorted = new ArrayList<>();
		for (Position position : Position.values()) {
			for (int i = 0; i < all.size(); i++) {
				if (positions.get(i) == position) {
					sorted.add(all.get(i));
				}
			}
		}
		int early = (int) positions.stream().filter(Position.BEFORE_ARGUMENTS::equals).count();
		return new ServerInterceptorChain(List.copyOf(sorted), early);
	}

	/** Returns true if an interceptor runs before the arguments are read. */
	public boolean isEarly() {
		return this.early > 0;
	}

	/** End of the chain: the call itself. */
	public interface Target {

		MethodDescriptor method();

		RpcContext context();

		void addScope(ThreadScope scope);

		/** Sets the trace of the call. */
		void traceId(String id);

		@Nullable String traceId();

		/** Returns the elements of the streams so far, null without. Any thread. */
		@Nullable StreamCounts streamed();

		@Nullable Object[] readArguments() throws Exception;

		@Nullable Object invoke(@Nullable Object[] arguments) throws Throwable;

	}

	/** Run of one call through the chain. Interceptors may proceed on any thread. */
	public final class Run {

		private final Target target;

		/** True once the method was invoked, or must not be any more. */
		private final AtomicBoolean invoked = new AtomicBoolean();

		private final EndListeners<CallOutcome> listeners;

		private volatile @Nullable Object @Nullable [] arguments;

		/** True once the call has ended, so that nothing runs any more. */
		private volatile boolean over;

		/** Last result of the implementation. */
		private volatile @Nullable Object returned;

		/** Last exception of the implementation. */
		private volatile @Nullable Throwable thrown;

		/** Failure that the call is answered with. */
		private @Nullable Throwable failure;

		public Run(Target target) {
			this.target = target;
			this.listeners = new EndListeners<>(target.method());
		}

		public @Nullable Object proceed() throws Throwable {
			return proceed(0);
		}

		/** Returns true if an exception comes from the implementation or its stage. */
		public boolean isOfImplementation(Throwable any) {
			if (any == this.thrown) {
				return true;
			}
			AtomicReference<@Nullable Throwable> seen = new AtomicReference<>();
			if (this.returned instanceof CompletionStage<?> stage) {
				// runs at once if the stage has failed
				stage.handle((result, failure) -> seen.getAndSet(failure));
			}
			Throwable ofStage = seen.get();
			return ofStage != null && Results.cause(ofStage) == Results.cause(any);
		}

		/** Cancels the stage of the implementation. */
		public void cancel() {
			if (this.returned instanceof Future<?> future) {
				future.cancel(true);
			}
		}

		/** Ends the run. Returns true if the method was not invoked. */
		public boolean seal() {
			this.over = true;
			return this.invoked.compareAndSet(false, true);
		}

		private void requireOpen() {
			if (this.over) {
				throw new IllegalStateException("an interceptor called proceed() when the call of %s had its end"
					.formatted(this.target.method()));
			}
		}

		private @Nullable Object proceed(int index) throws Throwable {
			requireOpen();
			if (index == ServerInterceptorChain.this.early) {
				readArguments();
			}
			if (index < ServerInterceptorChain.this.interceptors.size()) {
				RpcServerInterceptor next = ServerInterceptorChain.this.interceptors.get(index);
				return Results.require(this.target.method(), next, next.intercept(new Step(this, index)));
			}
			boolean first = this.invoked.compareAndSet(false, true);
			requireOpen();
			if (!first && !this.target.method().isIdempotent()) {
				throw new IllegalStateException(
						"an interceptor called proceed() again, but %s has run (expected: once, or a method with @RpcMethod(idempotent = true))"
							.formatted(this.target.method()));
			}
			@Nullable Object[] given = this.arguments;
			try {
				Object result = LaterResult.of(this.target.method().method(),
						this.target.invoke((given != null) ? given : new Object[0]), null);
				this.returned = result;
				return result;
			}
			catch (Throwable ex) {
				this.thrown = ex;
				throw ex;
			}
		}

		/** Reads the arguments once, although several threads may proceed. */
		private synchronized void readArguments() throws Exception {
			if (this.arguments == null) {
				requireOpen();
				this.arguments = this.target.readArguments();
			}
		}

		/** Sets the failure that the call is answered with. */
		public void failed(@Nullable Throwable with) {
			this.failure = with;
		}

		/** Ends the run and runs the listeners: the call is answered. */
		public void ended(RpcStatus status, Duration duration) {
			seal();
			this.listeners
				.ended(() -> new CallOutcome(status, duration, this.failure, this.target.context().replyAttachments()));
			this.arguments = null; // scopes that are kept with the context know this run
		}

	}

	/** Invocation as one interceptor sees it. */
	private record Step(Run run, int index) implements ServerInvocation {

		@Override
		public MethodDescriptor method() {
			return this.run.target.method();
		}

		@Override
		public @Nullable Object[] arguments() {
			@Nullable Object[] given = this.run.arguments;
			if (given == null && this.run.over) {
				throw new IllegalStateException("the call of %s has ended".formatted(method()));
			}
			if (given == null) {
				throw new IllegalStateException(
						"the arguments are not read yet (expected: an interceptor whose position() is AROUND_IMPLEMENTATION)");
			}
			return given;
		}

		@Override
		public Attachments attachments() {
			return context().attachments();
		}

		@Override
		public Duration remaining() {
			return context().remaining();
		}

		@Override
		public RpcContext context() {
			return this.run.target.context();
		}

		@Override
		public void traceId(String id) {
			this.run.target.traceId(id);
		}

		@Override
		public @Nullable String traceId() {
			return this.run.target.traceId();
		}

		@Override
		public @Nullable StreamCounts streamed() {
			return this.run.target.streamed();
		}

		@Override
		public RpcException refusal(RpcStatus status, String message, boolean mayHaveExecuted,
				@Nullable Throwable cause) {
			return new CallRefusal(status, message, mayHaveExecuted, cause);
		}

		@Override
		public @Nullable Object proceed() throws Throwable {
			return this.run.proceed(this.index + 1);
		}

		@Override
		public void onEnd(Consumer<CallOutcome> listener) {
			this.run.listeners.add(listener);
		}

		@Override
		public void addScope(ThreadScope scope) {
			this.run.target.addScope(scope);
		}

	}

}
