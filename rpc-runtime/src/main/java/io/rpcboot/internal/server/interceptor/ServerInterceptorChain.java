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
import io.rpcboot.RpcStatus;
import io.rpcboot.context.Attachments;
import io.rpcboot.context.RpcContext;
import io.rpcboot.interceptor.CallOutcome;
import io.rpcboot.interceptor.RpcServerInterceptor;
import io.rpcboot.interceptor.RpcServerInterceptor.Position;
import io.rpcboot.interceptor.ServerInvocation;
import io.rpcboot.internal.call.EndListeners;
import io.rpcboot.internal.call.Results;
import org.jspecify.annotations.Nullable;

/**
 * What stands around the calls of a service, in its order. Stands beside server call; it
 * knows a call only as what it is to do at its own end.
 */
public final class ServerInterceptorChain {

	private final List<RpcServerInterceptor> interceptors;

	/** How many of them stand before the arguments are read. */
	private final int early;

	private ServerInterceptorChain(List<RpcServerInterceptor> interceptors, int early) {
		this.interceptors = interceptors;
		this.early = early;
	}

	/** Returns null if there is none. */
	public static @Nullable ServerInterceptorChain of(List<RpcServerInterceptor> outer,
			List<RpcServerInterceptor> inner) {
		List<RpcServerInterceptor> all = new ArrayList<>(outer);
		all.addAll(inner);
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

	/** Whether somebody stands before the arguments. */
	public boolean isEarly() {
		return this.early > 0;
	}

	/** The end of the chain. */
	public interface Target {

		MethodDescriptor method();

		RpcContext context();

		/** Says to which trace the call belongs. */
		void traceId(String id);

		@Nullable String traceId();

		@Nullable Object[] readArguments() throws Exception;

		@Nullable Object invoke(@Nullable Object[] arguments) throws Throwable;

	}

	/** One call on its way. */
	public final class Run {

		private final Target target;

		private final AtomicBoolean invoked = new AtomicBoolean();

		private final EndListeners<CallOutcome> listeners;

		private volatile @Nullable Object @Nullable [] arguments;

		/** Whether the call has its end, so that nothing runs any more. */
		private volatile boolean over;

		/** What the implementation has returned, the last time. */
		private volatile @Nullable Object returned;

		/** What the implementation has thrown, the last time. */
		private volatile @Nullable Throwable thrown;

		private @Nullable Throwable failure;

		public Run(Target target) {
			this.target = target;
			this.listeners = new EndListeners<>(target.method());
		}

		public @Nullable Object proceed() throws Throwable {
			return proceed(0);
		}

		/** Whether an exception comes from the implementation, and not from around it. */
		public boolean isOfImplementation(Throwable any) {
			if (any == this.thrown) {
				return true;
			}
			AtomicReference<@Nullable Throwable> seen = new AtomicReference<>();
			if (this.returned instanceof CompletionStage<?> stage) {
				// at once if it has failed
				stage.handle((result, failure) -> seen.getAndSet(failure));
			}
			Throwable ofStage = seen.get();
			return ofStage != null && Results.cause(ofStage) == Results.cause(any);
		}

		/** Nobody waits any more: what the implementation has returned may end. */
		public void cancel() {
			if (this.returned instanceof Future<?> future) {
				future.cancel(true);
			}
		}

		/** Let nothing run from now on. Returns whether nothing has. */
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
				Object result = this.target.invoke((given != null) ? given : new Object[0]);
				this.returned = result;
				return result;
			}
			catch (Throwable ex) {
				this.thrown = ex;
				throw ex;
			}
		}

		/** Once, though interceptors may go on in more than one thread. */
		private synchronized void readArguments() throws Exception {
			if (this.arguments == null) {
				requireOpen();
				this.arguments = this.target.readArguments();
			}
		}

		/** The implementation or an interceptor has thrown. By who answers. */
		public void failed(@Nullable Throwable with) {
			this.failure = with;
		}

		/** The call was answered. */
		public void ended(RpcStatus status, Duration duration) {
			seal();
			this.listeners
				.ended(() -> new CallOutcome(status, duration, this.failure, this.target.context().replyAttachments()));
		}

	}

	/** The view of one interceptor. */
	private record Step(Run run, int index) implements ServerInvocation {

		@Override
		public MethodDescriptor method() {
			return this.run.target.method();
		}

		@Override
		public @Nullable Object[] arguments() {
			@Nullable Object[] given = this.run.arguments;
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
		public @Nullable Object proceed() throws Throwable {
			return this.run.proceed(this.index + 1);
		}

		@Override
		public void onEnd(Consumer<CallOutcome> listener) {
			this.run.listeners.add(listener);
		}

	}

}
