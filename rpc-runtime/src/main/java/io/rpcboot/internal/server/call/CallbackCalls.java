package io.rpcboot.internal.server.call;

import java.lang.reflect.InvocationHandler;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Flow;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;

import io.rpcboot.MethodDescriptor;
import io.rpcboot.MethodDescriptor.Style;
import io.rpcboot.RpcException;
import io.rpcboot.RpcStatus;
import io.rpcboot.ServiceDescriptor;
import io.rpcboot.internal.call.CallbackCall;
import io.rpcboot.internal.call.CallbackReply.Failure;
import io.rpcboot.internal.call.CallbackReply;
import io.rpcboot.internal.stream.ElementSink;
import io.rpcboot.internal.stream.LaterResult;
import io.rpcboot.internal.transport.eventloop.NonBlockingThreads;
import io.rpcboot.serialization.OutputBuffer;
import io.rpcboot.serialization.SerializationException;
import org.jspecify.annotations.Nullable;

/**
 * Callbacks of one call: the objects that its method calls, and the calls that wait for
 * the replies of the client. Replies are read by a thread that waits for one, so that
 * they need no other; without such a thread, where the method runs. Any thread.
 */
final class CallbackCalls implements Flow.Subscriber<@Nullable Object> {

	/** Longest wait for a reply, unless the method of the callback has a timeout. */
	private static final Duration LONGEST_WAIT = Duration.ofSeconds(60);

	/** Most calls without a reply, because those with a future do not wait. */
	private static final int MOST = 256;

	private static final CallEnd ENDED = new CallEnd(RpcStatus.CANCELLED, "the call has ended");

	private final ServerCall call;

	private final ElementSink sink;

	private final MethodThread thread;

	private final ReentrantLock lock = new ReentrantLock();

	private final Condition changed = this.lock.newCondition();

	/** Calls without a reply by their ids. */
	private final Map<Long, Waiting> waiting = new HashMap<>();

	private final AtomicLong lastId = new AtomicLong();

	/** Number of threads that wait for a reply, or will. */
	private int threads;

	/** Task that reads replies and waits for a thread, null without one. */
	private @Nullable Runnable reader;

	/** Reason why nothing is called any more, null while the call runs. */
	private @Nullable CallEnd end;

	CallbackCalls(ServerCall call, ElementSink sink) {
		this.call = call;
		this.sink = sink;
		this.thread = new MethodThread(call);
	}

	/** End of the calls. */
	private record CallEnd(RpcStatus status, String why) {
	}

	/** Call that has no reply yet. */
	private static final class Waiting {

		private final Handler callback;

		private final MethodDescriptor method;

		/** Completed where the method runs; null if a thread waits. */
		private final @Nullable CompletableFuture<@Nullable Object> future;

		/** Null until the client has replied, or the call has ended. */
		private volatile @Nullable CallbackReply reply;

		Waiting(Handler callback, MethodDescriptor method, boolean isBlocking) {
			this.callback = callback;
			this.method = method;
			this.future = isBlocking ? null : new CompletableFuture<>();
		}

		@Nullable Object result() throws Throwable {
			CallbackReply known = Objects.requireNonNull(this.reply);
			Failure failure = known.failure();
			if (failure == null
					&& (known.method() != this.method.number() || known.callback() != this.callback.index)) {
				failure = new Failure(RpcStatus.INTERNAL, "the reply is that of another method", null);
			}
			if (failure == null) {
				return known.value();
			}
			Throwable declared = failure.thrown();
			throw (declared != null && this.method.declares(declared)) ? declared
					: failure(this.method, failure.status(), failure.message());
		}

		private void complete(CompletableFuture<@Nullable Object> completed) {
			try {
				completed.complete(result());
			}
			catch (Throwable ex) {
				completed.completeExceptionally(ex);
			}
		}

	}

	/** Returns the callbacks, in the order of the parameters. */
	List<Object> proxies() {
		List<Object> proxies = new ArrayList<>();
		List<Integer> parameters = this.call.method.descriptor.callbackParameters();
		for (int i = 0; i < parameters.size(); i++) {
			Class<?> type = this.call.method.method.getParameterTypes()[parameters.get(i)];
			String name = this.call.method.method.getParameters()[parameters.get(i)].getName();
			proxies.add(Proxy.newProxyInstance(type.getClassLoader(), new Class<?>[] { type },
					new Handler(this, i, name, ServiceDescriptor.of(type))));
		}
		return proxies;
	}

	/**
	 * Object that a method calls.
	 *
	 * @param index index among the callbacks of the method
	 * @param name name of the parameter
	 */
	private record Handler(CallbackCalls calls, int index, String name,
			ServiceDescriptor type) implements InvocationHandler {

		@Override
		public @Nullable Object invoke(Object self, Method called, @Nullable Object @Nullable [] arguments)
				throws Throwable {
			for (MethodDescriptor each : this.type.methods()) {
				if (each.name().equals(called.getName()) && !ServiceDescriptor.isLocal(called)) {
					return this.calls.invoke(this, each, (arguments != null) ? arguments : new Object[0]);
				}
			}
			if (called.isDefault()) {
				return InvocationHandler.invokeDefault(self, called, arguments);
			}
			return switch (called.getName()) {
				case "hashCode" -> System.identityHashCode(self);
				case "equals" -> arguments != null && self == arguments[0];
				default -> toString();
			};
		}

		@Override
		public String toString() {
			return "callback %s of %s".formatted(this.name, this.calls.call.method.descriptor);
		}

	}

	private @Nullable Object invoke(Handler callback, MethodDescriptor method, @Nullable Object[] arguments)
			throws Throwable {
		if (LaterResult.isMono(method.method())) {
			return LaterResult.mono(() -> future(callback, method, arguments));
		}
		if (method.style() == Style.FUTURE) {
			return future(callback, method, arguments);
		}
		String kind = NonBlockingThreads.kindOfCaller();
		if (kind != null) {
			throw failure(method, RpcStatus.INTERNAL,
					"called on thread %s, which is %s and must not wait; call it from another thread, or let it return a CompletableFuture"
						.formatted(Thread.currentThread().getName(), kind));
		}
		Waiting begun = new Waiting(callback, method, true);
		enter();
		try {
			begin(begun, arguments);
			await(begun);
		}
		finally {
			leave(begun);
		}
		return begun.result();
	}

	private CompletableFuture<@Nullable Object> future(Handler callback, MethodDescriptor method,
			@Nullable Object[] arguments) {
		Waiting begun = new Waiting(callback, method, false);
		CompletableFuture<@Nullable Object> future = Objects.requireNonNull(begun.future);
		try {
			begin(begun, arguments);
		}
		catch (RuntimeException ex) {
			future.completeExceptionally(ex);
		}
		return future;
	}

	/** Sends a call. */
	private void begin(Waiting begun, @Nullable Object[] arguments) {
		long id = this.lastId.incrementAndGet();
		byte[] message = serialize(new CallbackCall(begun.callback.index, begun.method.number(), id, arguments, null),
				begun.method);
		this.lock.lock();
		try {
			CallEnd over = this.end;
			if (over != null) {
				throw (over == ENDED)
						? new IllegalStateException(
								"%s: %s is called, but the call has ended".formatted(begun.callback, begun.method))
						: failure(begun.method, over.status, over.why);
			}
			if (this.waiting.size() >= MOST) {
				throw failure(begun.method, RpcStatus.RESOURCE_EXHAUSTED,
						"%d calls wait for their replies (expected: fewer; wait for some)".formatted(MOST));
			}
			if (!this.sink.next(message)) {
				throw failure(begun.method, RpcStatus.RESOURCE_EXHAUSTED,
						"rpc.server.memory.limit: no memory for the arguments");
			}
			this.waiting.put(id, begun);
		}
		finally {
			this.lock.unlock();
		}
	}

	private byte[] serialize(CallbackCall message, MethodDescriptor method) {
		OutputBuffer out = this.call.responder.server.buffers.acquire();
		try {
			this.call.invocation.codec.serializeResult(message, out);
			return out.toByteArray();
		}
		catch (SerializationException ex) {
			throw failure(method, RpcStatus.INVALID_ARGUMENT, "the arguments cannot be sent: " + ex.getMessage());
		}
		finally {
			this.call.responder.server.buffers.release(out);
		}
	}

	/** Waits for the reply to a call, and reads those of others meanwhile. */
	private void await(Waiting begun) {
		Duration timeout = begun.method.timeout();
		Duration most = (timeout != null) ? timeout : LONGEST_WAIT;
		long left = most.toNanos();
		while (begun.reply == null) {
			Runnable task;
			this.lock.lock();
			try {
				task = this.reader;
				this.reader = null;
				if (task == null && begun.reply == null) {
					if (left <= 0) {
						throw failure(begun.method, RpcStatus.DEADLINE_EXCEEDED,
								"the client has not replied for %s ms, in which a thread waited for it"
									.formatted(most.toMillis()));
					}
					left = this.changed.awaitNanos(left);
				}
			}
			catch (InterruptedException ex) {
				Thread.currentThread().interrupt();
				throw failure(begun.method, RpcStatus.CANCELLED, "the thread that waits for it was interrupted");
			}
			finally {
				this.lock.unlock();
			}
			if (task != null) {
				task.run();
			}
		}
	}

	/** A thread will wait for a reply. */
	private void enter() {
		this.lock.lock();
		this.threads++;
		this.lock.unlock();
	}

	/** A thread waits no more: another one reads what has arrived. */
	private void leave(Waiting begun) {
		boolean isLeft;
		this.lock.lock();
		try {
			this.waiting.values().remove(begun);
			isLeft = --this.threads == 0 && this.reader != null;
			this.changed.signalAll();
		}
		finally {
			this.lock.unlock();
		}
		if (isLeft) {
			runLater(this::read);
		}
	}

	/**
	 * Reads replies on a thread that waits for one, else where the method runs. There it
	 * may wait behind calls which wait for replies themselves, so that the first of both
	 * threads reads.
	 */
	void deliver(Runnable task) {
		boolean hasThread;
		this.lock.lock();
		try {
			this.reader = task;
			hasThread = this.threads > 0;
			this.changed.signalAll();
		}
		finally {
			this.lock.unlock();
		}
		if (!hasThread) {
			runLater(this::read);
		}
	}

	private void read() {
		this.lock.lock();
		Runnable task = this.reader;
		this.reader = null;
		this.lock.unlock();
		if (task != null) {
			task.run();
		}
	}

	private void runLater(Runnable task) {
		try {
			this.thread.execute(task);
		}
		catch (Throwable ex) { // no thread for it
			task.run();
		}
	}

	@Override
	public void onSubscribe(Flow.Subscription given) {
		given.request(Long.MAX_VALUE);
	}

	/** Takes a reply. One that no call waits for is ignored. */
	@Override
	public void onNext(@Nullable Object element) {
		CallbackReply reply = (CallbackReply) Objects.requireNonNull(element);
		Waiting called;
		this.lock.lock();
		try {
			called = this.waiting.remove(reply.id());
			if (called != null) {
				called.reply = reply;
				this.changed.signalAll();
			}
		}
		finally {
			this.lock.unlock();
		}
		if (called != null) {
			completeLater(called);
		}
	}

	/** Completes the future of a call with its reply; nothing if a thread waits. */
	private void completeLater(Waiting called) {
		CompletableFuture<@Nullable Object> future = called.future;
		if (future != null) {
			runLater(() -> called.complete(future));
		}
	}

	@Override
	public void onError(Throwable failure) {
		RpcStatus status = (failure instanceof RpcException known) ? known.status() : RpcStatus.INTERNAL;
		end(new CallEnd(status, String.valueOf(failure.getMessage())));
	}

	@Override
	public void onComplete() {
		end(new CallEnd(RpcStatus.CANCELLED, "the client has ended its replies"));
	}

	/** Ends with the call, before its answer is sent. */
	void ended() {
		end(ENDED);
	}

	private void end(CallEnd over) {
		List<Waiting> left;
		this.lock.lock();
		try {
			if (this.end == null || over == ENDED) {
				this.end = over;
			}
			left = List.copyOf(this.waiting.values());
			this.waiting.clear();
			for (Waiting each : left) {
				each.reply = new CallbackReply(each.callback.index, each.method.number(), 0, null,
						new Failure(over.status, over.why, null));
			}
			this.changed.signalAll();
		}
		finally {
			this.lock.unlock();
		}
		left.forEach(this::completeLater);
	}

	private static RpcException failure(MethodDescriptor method, RpcStatus status, String why) {
		return new RpcException(status, "callback %s: %s: %s".formatted(method, status, why), true, null, null,
				Map.of(), method.toString());
	}

}
