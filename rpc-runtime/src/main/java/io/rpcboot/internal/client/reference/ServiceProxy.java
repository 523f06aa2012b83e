package io.rpcboot.internal.client.reference;

import java.lang.reflect.InvocationHandler;
import java.lang.reflect.Method;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Semaphore;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;

import io.rpcboot.MethodDescriptor.Style;
import io.rpcboot.RpcException;
import io.rpcboot.RpcStatus;
import io.rpcboot.client.CallbackThread;
import io.rpcboot.client.OverflowPolicy;
import io.rpcboot.context.Attachments;
import io.rpcboot.internal.client.call.AttachmentsEncoder;
import io.rpcboot.internal.client.call.AttemptHistory;
import io.rpcboot.internal.client.call.AttemptHistory.RedispatchReason;
import io.rpcboot.internal.client.call.BoundMethod;
import io.rpcboot.internal.client.call.CallDispatcher;
import io.rpcboot.internal.client.call.CallFuture;
import io.rpcboot.internal.client.call.CallMetadata;
import io.rpcboot.internal.client.call.CallTransport;
import io.rpcboot.internal.client.call.ClientCall;
import io.rpcboot.internal.client.call.FailureMessages;
import io.rpcboot.internal.client.call.FutureCall;
import io.rpcboot.internal.client.call.OneWayCall;
import io.rpcboot.internal.client.call.PassedCall;
import io.rpcboot.internal.client.call.ReferenceResources;
import io.rpcboot.internal.client.connection.ClientConnection;
import io.rpcboot.internal.client.connection.UnsentCallQueue;
import io.rpcboot.internal.client.contract.BindRejection;
import io.rpcboot.internal.client.limits.AdaptiveConcurrencyLimit;
import io.rpcboot.internal.client.retry.RetryHandler;
import io.rpcboot.internal.client.routing.RoutingTable;
import io.rpcboot.internal.client.runtime.ClientOptions;
import io.rpcboot.internal.client.runtime.ClientResources;
import io.rpcboot.internal.context.CurrentTask;
import io.rpcboot.internal.context.TaskThread;
import io.rpcboot.internal.logging.RateLimitedLogger;
import io.rpcboot.internal.memory.MemoryShortageException;
import io.rpcboot.internal.stream.StreamType;
import io.rpcboot.internal.transport.eventloop.EventLoopThread;
import io.rpcboot.internal.transport.eventloop.NonBlockingThreads;
import io.rpcboot.loadbalance.LoadBalancer;
import io.rpcboot.serialization.OutputBuffer;
import io.rpcboot.serialization.SerializationException;
import org.jspecify.annotations.Nullable;

/**
 * Proxy of a reference without interceptors, and the dispatcher of its calls: serializes
 * the arguments, takes a permit, chooses a connection, and waits if the method blocks.
 * Any thread.
 */
public final class ServiceProxy implements CallDispatcher, InvocationHandler {

	/** Instances beside the first that a call tries when they are full. */
	private static final int MOST_OTHERS = 2;

	public final ServiceRouter router;

	/**
	 * By each declaration of the method through which a caller may reach it. A call keeps
	 * the method with which it began.
	 */
	public volatile Map<Method, BoundMethod> methods;

	private final ReferenceResources resources;

	private volatile LoadBalancer loadBalancer;

	private final OutputBuffer.Pool buffers;

	private final AdaptiveConcurrencyLimit limit;

	final ClientOptions options;

	/** Names of the attachments that calls forward. */
	final Set<String> forwarded;

	private final boolean completesOnLoop;

	volatile RetryHandler retries;

	/**
	 * Makes the reference that carries the methods with streams by its first call; null
	 * if this one does.
	 */
	volatile @Nullable Supplier<ServiceProxy> streams;

	/**
	 * Refusals of methods with streams that all servers have refused to this native
	 * reference, by number. Written by the control thread.
	 */
	volatile Map<Integer, BindRejection> refusedStreams = Map.of();

	/** Permits of the limit that no reference has reserved. */
	private final Semaphore permits;

	/** Short calls that wait for a connection. */
	private final AtomicInteger waiting;

	/** Calls that wait for a connection. */
	public final UnsentCallQueue queue;

	private final RateLimitedLogger log = new RateLimitedLogger("rpc.client", System::nanoTime);

	/** Instances that take calls. Written by the control thread. */
	public volatile RoutingTable ready = RoutingTable.NONE;

	/**
	 * Creates the proxy of a reference.
	 * @param index number of the reference among the references of the client
	 * @param callbacks kind of thread that completes futures
	 * @param attachments encoder of the protocol of the reference
	 * @param forwarded names of the attachments that calls forward
	 */
	public ServiceProxy(int index, ServiceRouter router, List<BoundMethod> methods, LoadBalancer loadBalancer,
			CallbackThread callbacks, ClientResources client, AttachmentsEncoder attachments, Set<String> forwarded) {
		this.limit = client.limit();
		this.resources = new ReferenceResources(index, client.arrays(), client.callbacks(), client.uploads(),
				this.limit, client.memory(), client.counts(), client.buffers(), attachments);
		this.router = router;
		this.loadBalancer = loadBalancer;
		this.buffers = client.buffers();
		this.options = client.options();
		this.forwarded = forwarded;
		this.completesOnLoop = callbacks == CallbackThread.EVENT_LOOP;
		this.retries = new RetryHandler(router, router.policies(), methods, client, null);
		this.permits = this.limit.room;
		this.waiting = this.resources.share.waiting;
		this.queue = new UnsentCallQueue(index, this.waiting, client.control(), router);
		this.methods = byDeclaration(router.binding().service().type(), methods);
	}

	private static Map<Method, BoundMethod> byDeclaration(Class<?> type, List<BoundMethod> methods) {
		Map<Method, BoundMethod> result = new HashMap<>();
		for (Method declared : type.getMethods()) {
			methods.stream().filter((each) -> isDeclaredBy(declared, each.descriptor.method())).forEach((each) -> {
				Method own = each.descriptor.method();
				result.put(own.equals(declared) ? own : declared, each);
			});
		}
		return result;
	}

	/**
	 * Replaces what later calls use. The retries come first, because methods may be
	 * hedged now that were not.
	 * @param balancer null to keep the load balancer
	 */
	void reconfigure(List<BoundMethod> methods, RetryHandler retries, @Nullable LoadBalancer balancer) {
		this.retries = retries;
		this.methods = byDeclaration(this.router.binding().service().type(), methods);
		this.loadBalancer = (balancer != null) ? balancer : this.loadBalancer;
	}

	/**
	 * True if a declaration of an inherited interface has the name and the parameters of
	 * a method.
	 */
	private static boolean isDeclaredBy(Method declared, Method method) {
		return declared.getName().equals(method.getName())
				&& Arrays.equals(declared.getParameterTypes(), method.getParameterTypes());
	}

	@Override
	public @Nullable Object invoke(Object self, Method called, @Nullable Object @Nullable [] arguments)
			throws Throwable {
		BoundMethod method = this.methods.get(called);
		return (method != null) ? invoke(method, arguments, null) : invokeObjectMethod(self, called, arguments);
	}

	/** Executes the body of a default method, or a method of {@link Object}. */
	public @Nullable Object invokeObjectMethod(Object self, Method method, @Nullable Object @Nullable [] arguments)
			throws Throwable {
		if (method.isDefault()) {
			return InvocationHandler.invokeDefault(self, method, arguments);
		}
		return switch (method.getName()) {
			case "hashCode" -> System.identityHashCode(self);
			case "equals" -> arguments != null && self == arguments[0];
			default -> "reference to " + this.router.binding().service().id();
		};
	}

	/**
	 * Calls a method of the service.
	 * @param given metadata of the call, or null for what the calling thread adds
	 */
	@Nullable Object invoke(BoundMethod method, @Nullable Object @Nullable [] arguments, @Nullable CallMetadata given)
			throws Throwable {
		if (method.isStreaming) {
			try {
				return stream(method, arguments, given);
			}
			catch (RpcException ex) {
				if (method.style == Style.FUTURE) {
					return CompletableFuture.failedFuture(ex);
				}
				throw ex;
			}
		}
		long startNanos = System.nanoTime();
		CallFuture future = (method.style == Style.FUTURE) ? future(method) : null;
		ClientCall call;
		try {
			call = start(method, arguments, startNanos, future, given);
		}
		catch (RpcException ex) {
			method.recordUnsent(ex.status(), startNanos);
			if (future == null) {
				throw ex;
			}
			future.completeExceptionally(ex);
			return future;
		}
		return (method.style != Style.BLOCKING) ? future : method.isHedged ? this.retries.await(call) : call.await();
	}

	/** Returns the encoder of the reference that carries a method. */
	AttachmentsEncoder attachments(BoundMethod method) {
		Supplier<ServiceProxy> other = this.streams;
		boolean isElsewhere = method.isStreaming && other != null && !this.refusedStreams.containsKey(method.number);
		return isElsewhere ? Objects.requireNonNull(other).get().resources.attachments : this.resources.attachments;
	}

	private CallFuture future(BoundMethod method) {
		return method.isHedged ? this.retries.hedgedFuture() : new CallFuture();
	}

	/**
	 * Returns the stream of a method, or the one result of a stream of the caller. A call
	 * begins with each subscriber.
	 */
	private @Nullable Object stream(BoundMethod method, @Nullable Object @Nullable [] arguments,
			@Nullable CallMetadata given) throws Throwable {
		Supplier<ServiceProxy> other = this.streams;
		if (other != null) {
			BindRejection refused = this.refusedStreams.get(method.number);
			if (refused != null) { // the difference of two versions
				throw FailureMessages.refused(method.descriptor, refused.status(), refused.why(), null);
			}
			ServiceProxy carrier = other.get();
			return carrier.stream(Objects.requireNonNull(carrier.methods.get(method.descriptor.method())), arguments,
					given);
		}
		Class<?> type = method.descriptor.method().getReturnType();
		if (method.style == Style.BLOCKING || StreamType.isBlocking(type)) {
			method.requireBlockingThread();
		}
		if (method.streamParameter >= 0 && (arguments == null || arguments[method.streamParameter] == null)) {
			throw FailureMessages.refused(method.descriptor, RpcStatus.INVALID_ARGUMENT,
					"argument %d is null (expected: a stream, which may be empty)"
						.formatted(method.streamParameter + 1),
					null);
		}
		CallMetadata context = (given != null) ? given
				: CallMetadata.ofCaller(method, System.nanoTime(), this.forwarded, this.resources.attachments);
		CallFuture future = new CallFuture();
		SingleReply reply = new SingleReply(future);
		if (method.callbacks.isEmpty()) {
			StreamPublisher publisher = StreamPublisher.of(this, method, arguments, context);
			if (method.style == Style.STREAM) {
				return StreamType.of(type, publisher, Duration.ZERO, () -> warnAbandoned(method));
			}
			publisher.subscribe(reply, future);
		}
		else {
			@Nullable Object[] values = Objects.requireNonNull(arguments).clone();
			CallbackRunner runner = new CallbackRunner(method, callbacks(method, values), reply);
			new StreamPublisher(this, method, values, runner, context).subscribe(runner, future);
		}
		return (method.style == Style.FUTURE) ? future : reply.await();
	}

	private void warnAbandoned(BoundMethod method) {
		this.log.warn("Stream was not closed", method.number,
				() -> "%s: its caller has forgotten it before its end; it is cancelled (expected: try-with-resources, or all of it taken)"
					.formatted(method.descriptor),
				null);
	}

	/** Takes the callbacks out of arguments, which are sent without. */
	private static List<Object> callbacks(BoundMethod method, @Nullable Object[] arguments) {
		List<Object> callbacks = new ArrayList<>();
		for (int each : method.descriptor.callbackParameters()) {
			Object given = arguments[each];
			if (given == null) {
				throw FailureMessages.refused(method.descriptor, RpcStatus.INVALID_ARGUMENT,
						"argument %d, %s, is null (expected: a callback, which may do nothing)".formatted(each + 1,
								method.descriptor.method().getParameters()[each].getName()),
						null);
			}
			callbacks.add(given);
			arguments[each] = null;
		}
		return callbacks;
	}

	private ClientCall start(BoundMethod method, @Nullable Object @Nullable [] arguments, long startNanos,
			@Nullable CallFuture future, @Nullable CallMetadata given) {
		boolean blocking = method.style == Style.BLOCKING;
		Thread caller = Thread.currentThread();
		if (blocking && (NonBlockingThreads.OF_NETTY.isInstance(caller)
				|| NonBlockingThreads.OF_REACTOR.isInstance(caller))) {
			method.requireBlockingThread();
		}
		CallMetadata context = (given == null && (CurrentTask.isCarried || caller instanceof TaskThread))
				? CallMetadata.ofCaller(method, startNanos, this.forwarded, this.resources.attachments) : given;
		ClientCall call = blocking ? new ClientCall(this, method, startNanos) : (future != null)
				? new FutureCall(this, method, startNanos, future) : new OneWayCall(this, method, startNanos, null);
		call.context = (method.keyArgument < 0) ? context : CallMetadata.withKey(method, arguments, context);
		return start(call, arguments, future);
	}

	/**
	 * Serializes the arguments of a call, takes a permit and dispatches the call, or
	 * queues it for a permit.
	 * @param future completed by the call, null if none is
	 * @return the same call
	 * @throws RpcException if the call cannot begin; the call is discarded then
	 */
	public ClientCall start(ClientCall call, @Nullable Object @Nullable [] arguments, @Nullable CallFuture future) {
		try {
			serialize(call, arguments);
			admit(call, future);
			return call;
		}
		catch (RuntimeException | Error ex) {
			call.discard();
			throw ex;
		}
	}

	/**
	 * Starts a call that a relay passes on.
	 * @throws RpcException if the call cannot begin; the call is discarded then
	 */
	public void startPassed(PassedCall call) {
		startWithElements(call, null);
	}

	/**
	 * Starts a call whose request has nothing but elements of a stream.
	 * @throws RpcException if the call cannot begin; the call is discarded then
	 */
	void startWithElements(ClientCall call, @Nullable CallFuture future) {
		try {
			admit(call, future);
		}
		catch (RuntimeException | Error ex) {
			call.discard();
			throw ex;
		}
	}

	private void serialize(ClientCall call, @Nullable Object @Nullable [] arguments) {
		OutputBuffer out = this.buffers.acquire();
		try {
			out.overflow(call);
			if (call.context != null) {
				this.resources.attachments.write(call.context.attachments(), out);
			}
			call.method.codec.serializeArguments(arguments, out);
			call.arguments(out);
		}
		catch (MemoryShortageException | SerializationException ex) {
			throw this.resources.notSerialized(call, ex);
		}
		finally {
			this.buffers.release(out);
		}
	}

	private void admit(ClientCall call, @Nullable CallFuture future) {
		if (call.method.isHedged) {
			this.retries.begins(call, future);
		}
		boolean admitted = this.permits.tryAcquire() || awaitPermit(call);
		if (future != null) {
			future.belongsTo(call);
		}
		if (admitted) {
			call.markAdmitted();
			if (call.context == null || bindToParent(call)) {
				call.reference.dispatch(call, null);
			}
		}
		else if ((call.context == null || bindToParent(call)) && !this.limit.queue().add(call)) {
			throw FailureMessages.tooManyPending(call.method.descriptor, this.limit.pending());
		}
	}

	/**
	 * Takes a reserved permit, or waits for one as the overflow policy says.
	 * @return false if the call is to be queued
	 * @throws RpcException if the call fails for want of a permit
	 */
	public boolean awaitPermit(ClientCall call) {
		BoundMethod method = call.method;
		OverflowPolicy whenFull = this.options.whenFull;
		boolean blocking = method.style == Style.BLOCKING;
		boolean fails = !blocking && whenFull == OverflowPolicy.FAIL;
		if (this.limit.tryAcquireReserved(blocking, this.resources.share)
				|| (fails && this.limit.tryAcquirePaced(this.resources.share))) {
			return true;
		}
		// a callback thread that blocks could keep back the calls whose end it awaits
		boolean callback = this.resources.callbacks.isMember(Thread.currentThread());
		if (fails || (blocking && callback)) {
			throw FailureMessages.tooManyPending(method.descriptor, this.limit.pending());
		}
		if (!blocking && (callback || whenFull == OverflowPolicy.QUEUE
				|| Thread.currentThread() instanceof EventLoopThread)) {
			return false;
		}
		try {
			CallMetadata context = call.context;
			if (this.limit.acquire(blocking, this.resources.share, call.remainingNanos(),
					() -> context == null || !context.isParentCancelled())) {
				return true;
			}
			if (context != null) {
				context.requireParent(method);
			}
			throw noPermit(method, RpcStatus.DEADLINE_EXCEEDED);
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
			throw noPermit(method, RpcStatus.CANCELLED);
		}
	}

	private RpcException noPermit(BoundMethod method, RpcStatus status) {
		this.resources.counts.notSent(status, false);
		return FailureMessages.noPermit(method.descriptor, status, this.limit.most());
	}

	/**
	 * Ends a call together with the served call for which it is made. Called once the
	 * call is admitted or about to be queued, because admission would overwrite an
	 * earlier end.
	 * @return false if the call has ended already
	 */
	static boolean bindToParent(ClientCall call) {
		CallMetadata context = Objects.requireNonNull(call.context);
		context.begins(call::fail, () -> {
			CallTransport target = call.connection;
			return (target != null) ? target.endpoint() : null;
		});
		return !call.isAbandoned();
	}

	@Override
	public void dispatch(ClientCall call, @Nullable CallTransport excluded) {
		if (!sendToReady(call, excluded)) {
			awaitConnection(call, excluded);
		}
	}

	private void awaitConnection(ClientCall call, @Nullable CallTransport excluded) {
		if (excluded == null && !this.ready.forCall(call).isEmpty()) {
			this.queue.add(call);
		}
		else {
			this.router.await(call);
		}
	}

	/**
	 * Sends a call to an instance of the load balancer's choice.
	 * @return false if other calls wait, or if the chosen connection is full or excluded
	 */
	boolean sendToReady(ClientCall call, @Nullable CallTransport excluded) {
		RoutingTable all = this.ready;
		RoutingTable current = (all.routes == null) ? all : all.routes.toSend(call, all);
		int count = current.connections.length;
		if (count > 0 && (this.waiting.get() == 0 || current != all)) {
			int chosen = (count == 1) ? 0 : this.loadBalancer.choose(current.candidates.of(call));
			ClientConnection[] connections = current.connections[chosen];
			ClientConnection target = (connections.length == 1) ? connections[0]
					: connections[ThreadLocalRandom.current().nextInt(connections.length)];
			return target != excluded && !target.needsNoWakeUp && call.sendTo(target);
		}
		return false;
	}

	/** Returns true if an instance takes calls. */
	public boolean hasReady() {
		return !this.ready.isEmpty();
	}

	@Override
	public ReferenceResources resources() {
		return this.resources;
	}

	@Override
	public boolean completesOnLoop() {
		return this.completesOnLoop;
	}

	@Override
	public boolean mayRunElsewhere(ClientCall call, RpcStatus status) {
		return switch (status) {
			case UNAVAILABLE, FAILED_PRECONDITION, NOT_FOUND -> true;
			case RESOURCE_EXHAUSTED -> mayTryElsewhere(call);
			default -> false;
		};
	}

	/** Bounds the attempts, so that calls do not flood instances that are all full. */
	private boolean mayTryElsewhere(ClientCall call) {
		AttemptHistory attempts = call.attempts;
		int made = (attempts != null) ? attempts.made() : 0;
		return made < MOST_OTHERS && made + 1 < this.ready.forCall(call).connections.length;
	}

	@Override
	public boolean hasAnother(ClientCall call) {
		return this.router.hasAnother(call);
	}

	@Override
	public void dispatchAgain(ClientCall call, RedispatchReason why) {
		this.router.dispatchAgain(call, why);
	}

	@Override
	public boolean tryRetry(ClientCall call, RpcStatus status, @Nullable String remoteType, Attachments reply,
			boolean mayHaveRun) {
		return this.retries.retry(call, status, remoteType, reply, mayHaveRun);
	}

	@Override
	public void answered(ClientCall call) {
		this.retries.answered(call);
	}

	@Override
	public boolean retryElsewhere(ClientCall call, RedispatchReason why) {
		return this.retries.retryElsewhere(call, why);
	}

	@Override
	public void enqueue(ClientCall call) {
		this.queue.add(call);
	}

	@Override
	public void giveBack(ClientCall call) {
		this.queue.giveBack(call);
	}

	@Override
	public void expire(ClientCall call) {
		this.router.expire(call);
	}

	@Override
	public void publish(Runnable completion) {
		this.resources.callbacks.publish(completion);
	}

	/**
	 * Reports the end of a call to the limit. Successes of a reference below its quota do
	 * not raise the limit, because other references would take the new permits.
	 */
	@Override
	public void onCompleted(ClientCall call) {
		if (call.failure == null) {
			if (this.limit.isReduced() && !this.resources.share.belowQuota()) {
				int count = this.waiting.get();
				// with tags, waiting calls may need other instances
				this.limit.answered(call.startNanos, (this.ready.routes == null) ? count : Math.min(count, 1));
			}
		}
		else if (call.wasAdmitted) {
			this.limit.failed(call.startNanos, call.deadlineNanos());
		}
	}

	/**
	 * Logs that a call leaves off optional attachments because they take too many bytes.
	 */
	void warnDroppedAttachments(BoundMethod method, Attachments wanted) {
		this.log.warn("optional attachments",
				() -> "max-attachments-size: a call of %s goes without some of %s, which take too much together"
					.formatted(method.descriptor, wanted));
	}

}
