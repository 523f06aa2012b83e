package io.rpcboot.internal.client.reference;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Consumer;

import io.rpcboot.Endpoint;
import io.rpcboot.MethodDescriptor;
import io.rpcboot.MethodDescriptor.Style;
import io.rpcboot.RpcException;
import io.rpcboot.RpcStatus;
import io.rpcboot.context.Attachments;
import io.rpcboot.context.RpcContext;
import io.rpcboot.interceptor.CallOutcome;
import io.rpcboot.interceptor.ClientInvocation;
import io.rpcboot.interceptor.RpcClientInterceptor;
import io.rpcboot.interceptor.ThreadScope;
import io.rpcboot.internal.call.EndListeners;
import io.rpcboot.internal.call.Results;
import io.rpcboot.internal.call.ThreadScopes;
import io.rpcboot.internal.client.call.BoundMethod;
import io.rpcboot.internal.client.call.CallMetadata;
import io.rpcboot.internal.client.call.CallerContext;
import io.rpcboot.internal.client.call.FailureMessages;
import io.rpcboot.metrics.TracedCallRecorder;
import io.rpcboot.serialization.MessageTooLargeException;
import io.rpcboot.transport.Options;
import org.jspecify.annotations.Nullable;

/**
 * Chain of client interceptors around one call. {@code proceed()} of the last interceptor
 * makes an attempt through the service proxy; an interceptor may make several.
 */
public class ClientInterceptorChain {

	private final ServiceProxy proxy;

	private final BoundMethod method;

	private final @Nullable Object[] arguments;

	private final List<RpcClientInterceptor> interceptors;

	private final long startNanos = System.nanoTime();

	/** Scopes of the calling code. */
	private final ThreadScopes scopes = new ThreadScopes();

	/** That of the calling thread; an interceptor may proceed on another thread. */
	private final CallerContext caller = CallerContext.current(this.scopes);

	private final Attachments attachments;

	private final EndListeners<CallOutcome> listeners;

	/** Timeout of the call, from its start. */
	private volatile long allowedNanos;

	private volatile int attempts;

	private volatile @Nullable String traceId;

	/** Metadata of the latest attempt, null before the first. */
	private volatile @Nullable CallMetadata context;

	/** Exception of the latest attempt, null if it threw none. */
	private volatile @Nullable Throwable thrown;

	/** Future of the caller, null if an attempt has made it. */
	private volatile @Nullable CompletableFuture<?> returned;

	/** Future of the latest attempt, null if it returned none. */
	private volatile @Nullable CompletableFuture<?> future;

	protected ClientInterceptorChain(ServiceProxy proxy, BoundMethod method, @Nullable Object[] arguments,
			List<RpcClientInterceptor> interceptors) {
		this.proxy = proxy;
		this.method = method;
		this.arguments = arguments;
		this.interceptors = interceptors;
		this.listeners = new EndListeners<>(method.descriptor);
		this.attachments = CallMetadata.attachments(this.caller, proxy.forwarded);
		this.allowedNanos = method.timeoutNanos(this.caller.options());
	}

	/** Runs the interceptors and returns the result for the caller. */
	public final @Nullable Object run() throws Throwable {
		Object result;
		try {
			result = proceed(0);
		}
		catch (Throwable ex) {
			Throwable failure = named(declared(ex));
			ended(failure);
			if (this.method.style == Style.FUTURE) {
				return CompletableFuture.failedFuture(failure);
			}
			throw failure;
		}
		if (this.method.style == Style.FUTURE) {
			return follow(
					(result instanceof CompletionStage<?> stage) ? stage : CompletableFuture.completedFuture(result));
		}
		if (this.method.style != Style.STREAM || this.thrown != null || this.attempts == 0) {
			ended(null); // else at the end of the stream
		}
		return (this.method.descriptor.method().getReturnType() == void.class) ? null : result;
	}

	/** Returns an exception that the method may throw. */
	private Throwable declared(Throwable any) {
		boolean fits = any instanceof RuntimeException || any instanceof Error || this.method.descriptor.declares(any);
		return fits ? any : new IllegalStateException("an interceptor threw %s, which %s does not declare"
			.formatted(any.getClass().getName(), this.method.descriptor), any);
	}

	/** Names the method in an exception of an interceptor, which is a failure of it. */
	private Throwable named(Throwable any) {
		return FailureMessages.named(this.method.descriptor, any);
	}

	/**
	 * Returns a future for the caller and reports its end.
	 * @param stage that of the latest attempt or of an interceptor
	 */
	private CompletableFuture<?> follow(CompletionStage<?> stage) {
		CompletableFuture<?> returned = stage.toCompletableFuture();
		if (returned == this.future) {
			returned.whenComplete((result, failure) -> ended((failure != null) ? Results.cause(failure) : null));
			return returned;
		}
		this.returned = returned;
		return followed(returned);
	}

	/**
	 * Follows the future of an interceptor; the end of either future ends the other.
	 * Cancellation also cancels the latest attempt.
	 */
	@SuppressWarnings("unchecked")
	private CompletableFuture<?> followed(CompletableFuture<?> made) {
		CompletableFuture<@Nullable Object> inner = (CompletableFuture<@Nullable Object>) made;
		CompletableFuture<@Nullable Object> outer = new CompletableFuture<>();
		inner.whenComplete((result, failure) -> {
			CompletableFuture<?> latest = this.future;
			if (inner.isCancelled() && latest != null) {
				latest.cancel(false);
			}
			Throwable cause = (failure != null) ? Results.cause(failure) : null;
			Throwable named = (cause != null) ? named(cause) : null;
			ended(named);
			complete(outer, result, (named != cause) ? named : failure);
		});
		outer.whenComplete((result, failure) -> complete(inner, result, failure));
		return outer;
	}

	private static void complete(CompletableFuture<@Nullable Object> future, @Nullable Object result,
			@Nullable Throwable failure) {
		if (failure != null) {
			future.completeExceptionally(failure);
		}
		else {
			future.complete(result);
		}
	}

	private @Nullable Object proceed(int index) throws Throwable {
		if (index == this.interceptors.size()) {
			return attempt();
		}
		RpcClientInterceptor next = this.interceptors.get(index);
		return Results.require(this.method.descriptor, next, next.intercept(new Step(this, index)));
	}

	private @Nullable Object attempt() throws Throwable {
		synchronized (this) {
			requireNotExecuted();
			this.attempts++;
			this.thrown = null;
			this.future = null;
		}
		try {
			Object result = invoke(this.attachments.required());
			this.future = (result instanceof CompletableFuture<?> made) ? made : null;
			return result;
		}
		catch (Throwable ex) {
			this.thrown = ex;
			throw ex;
		}
	}

	/**
	 * Makes an attempt, and a second one without optional attachments if they leave too
	 * few bytes for the arguments.
	 */
	private @Nullable Object invoke(Attachments least) throws Throwable {
		if (least == this.attachments) {
			return send(traced(), this.arguments, nextContext(least));
		}
		Object result = null;
		Throwable failure = null;
		try {
			result = send(traced(), this.arguments, nextContext(this.attachments));
			if (result instanceof CompletableFuture<?> made && made.isCompletedExceptionally()) {
				failure = made.handle((nothing, ex) -> ex).getNow(null);
			}
		}
		catch (RpcException ex) {
			failure = ex;
		}
		if (failure instanceof RpcException ended && !ended.mayHaveExecuted()
				&& ended.getCause() instanceof MessageTooLargeException) {
			return send(traced(), this.arguments, nextContext(least));
		}
		if (failure != null && result == null) {
			throw failure;
		}
		return result;
	}

	/** Calls the service. */
	protected @Nullable Object send(BoundMethod method, @Nullable Object[] arguments, CallMetadata context)
			throws Throwable {
		return this.proxy.invoke(method, arguments, context);
	}

	/** Returns the instance of the latest attempt, or null before one is chosen. */
	protected @Nullable Endpoint endpoint() {
		CallMetadata latest = this.context;
		return (latest != null) ? latest.endpoint() : null;
	}

	/** Returns the method with a recorder that knows the trace of the call. */
	private BoundMethod traced() {
		BoundMethod method = this.method;
		String id = this.traceId;
		return (id == null) ? method : method.recordedBy(TracedCallRecorder.of(method.recorder, id, null));
	}

	private CallMetadata nextContext(Attachments sent) {
		long left = leftNanos();
		if (left <= 0) {
			throw FailureMessages.refused(this.method.descriptor, RpcStatus.DEADLINE_EXCEEDED,
					"its timeout of %s was over before an interceptor proceeded"
						.formatted(FailureMessages.text(Duration.ofNanos(this.allowedNanos))),
					null);
		}
		CallMetadata next = CallMetadata.of(this.method, System.nanoTime(), sent, left, this.caller,
				this.proxy.attachments(this.method));
		if (next.isLessThanWanted) {
			this.proxy.warnDroppedAttachments(this.method, this.attachments);
		}
		if (this.method.style == Style.STREAM) {
			next.streamEnd = this::streamEnded;
		}
		this.context = next;
		return next;
	}

	/** Returns the rest of the timeout, whatever the served call has left. */
	private long leftNanos() {
		return this.allowedNanos - (System.nanoTime() - this.startNanos);
	}

	/** Returns the served call that bounds this one, or null if the call is detached. */
	private @Nullable RpcContext outer() {
		return this.method.isDetached(this.caller.options()) ? null : this.caller.served();
	}

	private void requireNotExecuted() {
		CompletableFuture<?> given = this.returned;
		if (given != null && given.isDone()) {
			throw new IllegalStateException("an interceptor called proceed() after the end of the call of %s"
				.formatted(this.method.descriptor));
		}
		if (this.attempts == 0 || this.method.descriptor.isIdempotent()) {
			return;
		}
		Throwable failure = this.thrown;
		CompletableFuture<?> before = this.future;
		if (before != null && before.isCompletedExceptionally()) {
			failure = before.handle((result, ex) -> ex).getNow(null);
		}
		if (!(failure instanceof RpcException ended) || ended.mayHaveExecuted()) {
			throw new IllegalStateException(
					("an interceptor called proceed() again, but %s may have executed (expected: after an RpcException"
							+ " that says otherwise, or a method with @RpcMethod(idempotent = true))")
						.formatted(this.method.descriptor));
		}
	}

	private void ended(@Nullable Throwable failure) {
		ended(status(failure), failure);
	}

	/** Reports the end of a stream; one that its subscriber cancels has no failure. */
	private void streamEnded(@Nullable Throwable failure) {
		ended(status(failure), (failure instanceof CancellationException) ? null : failure);
	}

	private void ended(RpcStatus status, @Nullable Throwable failure) {
		CallMetadata last = this.context;
		this.listeners.ended(() -> new CallOutcome(status, Duration.ofNanos(System.nanoTime() - this.startNanos),
				failure, (last != null) ? last.reply : Attachments.none()));
	}

	private RpcStatus status(@Nullable Throwable failure) {
		if (failure == null) {
			return RpcStatus.OK;
		}
		if (failure instanceof RpcException ended) {
			return ended.status();
		}
		if (this.method.descriptor.declares(failure)) {
			return RpcStatus.DECLARED;
		}
		return (failure instanceof CancellationException) ? RpcStatus.CANCELLED : RpcStatus.INTERNAL;
	}

	/** View of the interceptor at an index. */
	private record Step(ClientInterceptorChain call, int index) implements ClientInvocation {

		@Override
		public MethodDescriptor method() {
			return this.call.method.descriptor;
		}

		@Override
		public @Nullable Object[] arguments() {
			return this.call.arguments;
		}

		@Override
		public Attachments attachments() {
			return this.call.attachments;
		}

		@Override
		public Duration remaining() {
			long left = this.call.leftNanos();
			RpcContext outer = this.call.outer();
			return Duration.ofNanos(Math.max(0, (outer != null) ? Math.min(left, outer.remaining().toNanos()) : left));
		}

		@Override
		public void timeout(Duration timeout) {
			this.call.allowedNanos = Options.nanos(Options.positive("timeout", timeout));
		}

		@Override
		public int attempts() {
			return this.call.attempts;
		}

		@Override
		public @Nullable Endpoint endpoint() {
			return this.call.endpoint();
		}

		@Override
		public void traceId(String id) {
			this.call.traceId = id;
		}

		@Override
		public @Nullable String traceId() {
			return this.call.traceId;
		}

		@Override
		public @Nullable Object proceed() throws Throwable {
			return this.call.proceed(this.index + 1);
		}

		@Override
		public void onEnd(Consumer<CallOutcome> listener) {
			this.call.listeners.add(listener);
		}

		@Override
		public void addScope(ThreadScope scope) {
			this.call.scopes.add(scope);
		}

	}

}
