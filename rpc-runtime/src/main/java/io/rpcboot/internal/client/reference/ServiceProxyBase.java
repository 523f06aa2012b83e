package io.rpcboot.internal.client.reference;

import java.lang.reflect.InvocationHandler;
import java.lang.reflect.Method;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.AtomicInteger;

import io.rpcboot.MethodDescriptor.Style;
import io.rpcboot.RpcException;
import io.rpcboot.RpcStatus;
import io.rpcboot.client.CallbackThread;
import io.rpcboot.client.OverflowPolicy;
import io.rpcboot.context.Attachments;
import io.rpcboot.internal.client.call.AttemptHistory;
import io.rpcboot.internal.client.call.AttemptHistory.RedispatchReason;
import io.rpcboot.internal.client.call.BoundMethod;
import io.rpcboot.internal.client.call.CallDispatcher;
import io.rpcboot.internal.client.call.CallMetadata;
import io.rpcboot.internal.client.call.CallTransport;
import io.rpcboot.internal.client.call.ClientCall;
import io.rpcboot.internal.client.call.FailureMessages;
import io.rpcboot.internal.client.connection.PendingCallQueue;
import io.rpcboot.internal.client.retry.RetryHandler;
import io.rpcboot.internal.client.routing.RoutingTable;
import io.rpcboot.internal.client.runtime.ClientOptions;
import io.rpcboot.internal.client.runtime.ClientResources;
import io.rpcboot.internal.logging.RateLimitedLogger;
import io.rpcboot.internal.transport.eventloop.EventLoopThread;
import io.rpcboot.loadbalance.LoadBalancer;
import io.rpcboot.serialization.OutputBuffer;
import org.jspecify.annotations.Nullable;

/**
 * What a service proxy consists of, and what its calls do beside their path. Stands
 * beside service proxy. Any thread, but for what says otherwise.
 */
public abstract class ServiceProxyBase extends CallDispatcher implements InvocationHandler {

	private static final int MOST_OTHERS = 2;

	public final ServiceRouter directory;

	public final Map<Method, BoundMethod> methods = new HashMap<>();

	final LoadBalancer loadBalancer;

	final OutputBuffer.Pool buffers;

	final ClientOptions options;

	private final OverflowPolicy whenFull;

	final RetryHandler repetition;

	/** Permits of the limit. */
	public final Semaphore room;

	/** Calls that wait for a connection. */
	final AtomicInteger waiting;

	/** Those calls. */
	public final PendingCallQueue queue;

	private final RateLimitedLogger log = new RateLimitedLogger("rpc.client", System::nanoTime);

	/** Written by the control thread. */
	public volatile RoutingTable ready = RoutingTable.NONE;

	ServiceProxyBase(int index, ServiceRouter directory, List<BoundMethod> methods, LoadBalancer loadBalancer,
			CallbackThread where, ClientResources client) {
		super(index, client.arrays(), client.callbacks(), client.limit(), client.limit().newShare(),
				where == CallbackThread.EVENT_LOOP, client.memory(), client.counts());
		this.directory = directory;
		this.loadBalancer = loadBalancer;
		this.buffers = client.buffers();
		this.options = client.options();
		this.whenFull = client.options().whenFull;
		this.repetition = new RetryHandler(directory, directory.policies(), methods, client);
		this.room = this.limit.room;
		this.waiting = this.share.waiting;
		this.queue = new PendingCallQueue(index, this.waiting, client.control(), directory);
		for (Method declared : directory.binding().service().type().getMethods()) {
			methods.stream().filter((each) -> isOf(declared, each.descriptor.method())).forEach((each) -> {
				Method own = each.descriptor.method();
				this.methods.put(own.equals(declared) ? own : declared, each);
			});
		}
	}

	/**
	 * There is no room for a call. Returns true when there is, false if the call is to be
	 * queued.
	 */
	public final boolean awaitRoom(ClientCall call, BoundMethod method) {
		boolean blocking = method.style == Style.BLOCKING;
		boolean fails = !blocking && this.whenFull == OverflowPolicy.FAIL;
		if (this.limit.tryAcquireReserved(blocking, this.share) || (fails && this.limit.tryAcquirePaced(this.share))) {
			return true;
		}
		if (fails) {
			throw FailureMessages.tooManyPending(method.descriptor, this.limit.pending());
		}
		// a callback that waited would keep back those whose end it waits for
		boolean callback = this.callbacks.isMember(Thread.currentThread());
		if (blocking && callback) {
			throw FailureMessages.tooManyPending(method.descriptor, this.limit.pending());
		}
		if (!blocking && (callback || this.whenFull == OverflowPolicy.QUEUE
				|| Thread.currentThread() instanceof EventLoopThread)) {
			return false;
		}
		try {
			CallMetadata context = call.context;
			if (this.limit.acquire(blocking, this.share, call.remainingNanos(),
					() -> context == null || !context.isParentCancelled())) {
				return true;
			}
			if (context != null) {
				context.requireParent(method);
			}
			throw noRoom(method, RpcStatus.DEADLINE_EXCEEDED);
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
			throw noRoom(method, RpcStatus.CANCELLED);
		}
	}

	/** No instance takes a call at once. */
	final void awaitConnection(ClientCall call, @Nullable CallTransport excluded) {
		if (excluded == null && !this.ready.forCall(call).isEmpty()) {
			this.queue.add(call);
		}
		else {
			this.directory.await(call);
		}
	}

	@Override
	protected final boolean mayTryElsewhere(ClientCall call) {
		AttemptHistory attempts = call.attempts;
		int made = (attempts != null) ? attempts.made() : 0;
		return made < MOST_OTHERS && made + 1 < this.ready.forCall(call).connections.length;
	}

	@Override
	protected final boolean tryRetry(ClientCall call, RpcStatus status, @Nullable String remoteType,
			Attachments reply) {
		return this.repetition.repeats(call, status, remoteType, reply);
	}

	@Override
	protected final void answered(ClientCall call) {
		this.repetition.answered(call);
	}

	@Override
	public final boolean retryFromFrozen(ClientCall call) {
		return this.repetition.leaves(call);
	}

	@Override
	public final boolean hedgesOverdue(ClientCall call) {
		return this.repetition.hedgesOverdue(call);
	}

	private RpcException noRoom(BoundMethod method, RpcStatus status) {
		this.counts.notSent(status, false);
		return FailureMessages.noPermit(method.descriptor, status, this.limit.most());
	}

	/**
	 * A call with a context is about to go, or waits in the queue, and ends with the one
	 * for which it is made: not before, for what is written without asking would bring it
	 * back. Returns false if it has ended already.
	 */
	public static boolean bindToParent(ClientCall call) {
		CallMetadata context = Objects.requireNonNull(call.context);
		context.begins((why) -> call.fail(RpcStatus.CANCELLED, why), () -> {
			CallTransport target = call.connection;
			return (target != null) ? target.endpoint() : null;
		});
		return !call.isAbandoned();
	}

	/** There was no room for all attachments of a call. */
	final void warnDroppedAttachments(BoundMethod method, Attachments wanted) {
		this.log.warn("optional attachments",
				() -> "max-attachments-size: a call of %s goes without some of %s, which take too much together"
					.formatted(method.descriptor, wanted));
	}

	/**
	 * Whether a caller may mean a method by this one, which an interface above declares.
	 */
	private static boolean isOf(Method declared, Method method) {
		return declared.getName().equals(method.getName())
				&& Arrays.equals(declared.getParameterTypes(), method.getParameterTypes());
	}

	/** What a proxy answers to the methods of Object and to bridges. */
	public final @Nullable Object invokeObjectMethod(Object self, Method method,
			@Nullable Object @Nullable [] arguments) throws Throwable {
		if (method.isDefault()) {
			return InvocationHandler.invokeDefault(self, method, arguments);
		}
		return switch (method.getName()) {
			case "hashCode" -> System.identityHashCode(self);
			case "equals" -> arguments != null && self == arguments[0];
			default -> "reference to " + this.directory.binding().service().id();
		};
	}

	/** Whether an instance takes calls. */
	public final boolean hasReady() {
		return !this.ready.isEmpty();
	}

	@Override
	public final void dispatchAgain(ClientCall call, RedispatchReason why) {
		this.directory.dispatchAgain(call, why);
	}

	@Override
	public final void enqueue(ClientCall call) {
		this.queue.add(call);
	}

	@Override
	public final void giveBack(ClientCall call) {
		this.queue.giveBack(call);
	}

	@Override
	protected final void expire(ClientCall call) {
		this.directory.expire(call);
	}

	/** Answers of a reference with few calls make no room, for others would take it. */
	@Override
	public final void onCompleted(ClientCall call) {
		if (call.failure == null) {
			if (this.limit.isReduced() && !this.share.belowQuota()) {
				int count = this.waiting.get();
				// where there are tags those that wait may want other instances
				this.limit.answered(call.startNanos, (this.ready.routes == null) ? count : Math.min(count, 1));
			}
		}
		else if (call.wasAdmitted) {
			this.limit.failed(call.startNanos, call.deadlineNanos());
		}
	}

}
