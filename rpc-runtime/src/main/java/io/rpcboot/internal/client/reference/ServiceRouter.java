package io.rpcboot.internal.client.reference;

import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.RejectedExecutionException;
import java.util.function.Predicate;

import io.rpcboot.RpcStatus;
import io.rpcboot.client.ReferenceInfo;
import io.rpcboot.client.ReferenceOptions;
import io.rpcboot.internal.client.call.AttemptHistory;
import io.rpcboot.internal.client.call.AttemptHistory.RedispatchReason;
import io.rpcboot.internal.client.call.BoundMethod;
import io.rpcboot.internal.client.call.CallTransport;
import io.rpcboot.internal.client.call.ClientCall;
import io.rpcboot.internal.client.call.FailureMessages;
import io.rpcboot.internal.client.connection.UnsentCallQueue;
import io.rpcboot.internal.client.contract.BindRejection;
import io.rpcboot.internal.client.contract.ServiceBinding;
import io.rpcboot.internal.client.limits.ExpiringCallQueue;
import io.rpcboot.internal.client.limits.QueuedCall;
import io.rpcboot.internal.client.pool.ConnectionPool;
import io.rpcboot.internal.client.pool.ConnectionPools;
import io.rpcboot.internal.client.pool.WaitForReady;
import io.rpcboot.internal.client.retry.Redispatcher;
import io.rpcboot.internal.client.retry.RetryHandler;
import io.rpcboot.internal.client.routing.BroadcastTarget;
import io.rpcboot.internal.client.routing.BroadcastTargets;
import io.rpcboot.internal.client.routing.InstanceDiscovery;
import io.rpcboot.internal.client.routing.InstanceGauges;
import io.rpcboot.internal.client.routing.InstanceSet;
import io.rpcboot.internal.client.routing.InstanceState;
import io.rpcboot.internal.client.routing.RoutingTable;
import io.rpcboot.internal.client.runtime.ClientResources;
import io.rpcboot.internal.client.runtime.InstanceWait;
import io.rpcboot.internal.client.runtime.ReferenceDefaults;
import io.rpcboot.loadbalance.LoadBalancer;
import io.rpcboot.registry.ServiceInstance;
import io.rpcboot.resilience.ResilienceOptions;
import io.rpcboot.transport.BatchingOptions;
import org.jspecify.annotations.Nullable;

/**
 * Router of one reference: follows the registry, publishes the routing table of the
 * proxy, and decides whether a call without an instance waits or fails. Control thread,
 * unless a method says otherwise.
 */
public final class ServiceRouter implements UnsentCallQueue.Takers, ConnectionPool.User, Redispatcher {

	/**
	 * Most calls that wait for a registry to name a reachable instance, so that a service
	 * that stays away takes few threads and permits from other services.
	 */
	private static final int MOST_WAITING = 32;

	private final ServiceBinding binding;

	private final InstanceDiscovery source;

	/** Options of the application for this reference. */
	volatile ReferenceOptions options = ReferenceOptions.defaults();

	/** Router of the reference of which this one carries a part; null without one. */
	volatile @Nullable ServiceRouter whole;

	/**
	 * Router of the other part of the reference, whose calls another protocol carries;
	 * null without one. Control thread.
	 */
	private @Nullable ServiceRouter other;

	private volatile ResilienceOptions policies;

	private final ClientResources client;

	private final InstanceSet instances;

	private final BackoffQueue backoffs;

	/** Time that a call waits for an instance. */
	private volatile InstanceWait wait;

	private final WaitForReady outlook = new WaitForReady();

	/** True if a call has found no instance since the last request for instances. */
	private boolean needsInstances;

	/** True once the registry has named the instances. */
	private boolean resolved;

	/** True once the calls at each instance are counted. */
	private boolean counts;

	private volatile boolean closed;

	@SuppressWarnings("NullAway.Init")
	private ServiceProxy proxy;

	private volatile String problem;

	/** True if instances are known, ready or not. */
	private volatile boolean namesInstances;

	private final InstanceGauges gauges;

	private final BroadcastTargets broadcastTargets;

	/**
	 * Creates a router without instances.
	 * @param wait time that a call waits for an instance
	 */
	public ServiceRouter(ServiceBinding binding, InstanceDiscovery source, ResilienceOptions policies,
			BatchingOptions batching, InstanceWait wait, ClientResources client, ConnectionPools pools) {
		this.binding = binding;
		this.policies = policies;
		this.wait = wait;
		this.source = source;
		this.client = client;
		this.instances = new InstanceSet(binding, policies, batching, client, pools, this::refresh);
		this.backoffs = new BackoffQueue(client.control(), this::sendOrEnqueue);
		this.gauges = new InstanceGauges(client.options().metrics, binding.service().id().toString());
		this.problem = "no instance of it is known to " + source.description();
		this.broadcastTargets = new BroadcastTargets(client.control(),
				() -> this.instances.all().forEach((each) -> each.pool.use(this)));
	}

	/** Sets the proxy, before the first call. */
	public void attach(ServiceProxy proxy) {
		this.proxy = proxy;
		this.gauges.retries(() -> proxy.retries.budget());
	}

	/** Becomes the part of a reference that carries its streams. Any thread. */
	void carriesStreamsOf(ServiceRouter reference) {
		this.whole = reference;
		try {
			this.client.control().execute(() -> {
				this.other = reference;
				reference.other = this;
				this.instances.pairWith(reference.instances);
			});
		}
		catch (RejectedExecutionException ex) {
			// the client is closed, and makes no calls
		}
	}

	/**
	 * Prepares other options for later calls. Nothing changes until the result runs. Any
	 * thread.
	 * @param balancer null to keep the load balancer
	 * @throws io.rpcboot.transport.Options.InvalidOptionException if an option does not
	 * fit the service
	 */
	Runnable change(ReferenceOptions options, ReferenceDefaults defaults, @Nullable LoadBalancer balancer) {
		List<BoundMethod> methods = BoundMethods.of(this.binding.service(), options, defaults,
				(method) -> Objects.requireNonNull(this.proxy.methods.get(method.method())));
		ResilienceOptions changed = defaults.resilienceOf(options);
		return () -> {
			this.options = options;
			this.policies = changed;
			this.wait = defaults.waitOf(options);
			this.proxy.reconfigure(methods, new RetryHandler(this, changed, methods, this.client, this.proxy.retries),
					balancer);
			this.client.control().execute(this::changed);
		};
	}

	private void changed() {
		if (!this.closed) {
			this.instances.compareBy(this.policies.ejection());
			this.gauges.retries(() -> this.proxy.retries.budget());
		}
	}

	/** Ends the subscription to instances. Any thread. */
	public void unfollow() {
		this.source.close();
	}

	@Override
	public ServiceBinding binding() {
		return this.binding;
	}

	@Override
	public List<UnsentCallQueue> queues() {
		UnsentCallQueue ofBroadcasts = this.broadcastTargets.queue();
		return (ofBroadcasts != null) ? List.of(this.proxy.queue, ofBroadcasts) : List.of(this.proxy.queue);
	}

	/** Returns all instances, as broadcasts see them. Any thread. */
	public BroadcastTargets broadcastTargets() {
		return this.broadcastTargets;
	}

	/** Waits until the registry has named instances. Any thread that may block. */
	public List<BroadcastTarget> awaitBroadcastTargets() {
		return this.broadcastTargets.await(this.wait.nanos(), () -> mayNameSoon(true));
	}

	/**
	 * Waits until the registry has named instances, without blocking. Any thread.
	 * @return completed at once or by the control thread
	 */
	public CompletableFuture<List<BroadcastTarget>> awaitBroadcastTargetsLater() {
		return this.broadcastTargets.awaitLater(this.wait.nanos(), () -> mayNameSoon(true));
	}

	/** Returns true if an instance takes calls. Any thread. */
	public boolean hasReady() {
		return this.proxy.hasReady();
	}

	/** Returns the reason why no instance takes calls. Any thread. */
	public String problem() {
		return this.closed ? QueuedCall.CLIENT_CLOSED : this.problem;
	}

	/** Returns the number of calls that wait for a connection. Any thread. */
	public int waitingCalls() {
		return queues().stream().mapToInt(UnsentCallQueue::size).sum();
	}

	/** Takes a snapshot of the registry. Any thread. */
	public void onInstances(List<ServiceInstance> instances) {
		this.client.control().execute(() -> update(instances));
	}

	private void update(List<ServiceInstance> instances) {
		if (this.closed) {
			return;
		}
		this.resolved = true;
		this.outlook.onFirstOutcome();
		boolean hadReady = this.proxy.hasReady();
		Collection<InstanceState> gone = this.instances.update(instances, this);
		publish();
		if (hadReady && !this.proxy.hasReady()) {
			this.outlook.onLost(now());
		}
		gone.forEach((member) -> this.outlook.mergeLoss(member.pool.outlook()));
		lookAgain();
		gone.forEach((member) -> this.instances.leave(member, this));
	}

	@Override
	public void refresh() {
		publish();
		ServiceRouter part = this.other;
		if (part != null && !part.closed) {
			part.publish(); // what this one has found is true of the instance
		}
		if (!this.source.isFixed() && this.instances.all().stream().anyMatch((each) -> !isReady(each.pool))) {
			this.source.lookAgain();
		}
		lookAgain();
	}

	private boolean isReady(ConnectionPool pool) {
		return pool.connectionsFor(this.binding, ConnectionPool.ANY_METHOD, true).length > 0;
	}

	private void publish() {
		this.proxy.ready = this.instances.ready();
		List<BroadcastTarget> all = describeInstances();
		this.broadcastTargets.update(all);
		ReferenceInfo info = describe(all);
		this.gauges.count(info.instances());
		this.proxy.refusedStreams = refusedStreams();
		this.problem = this.instances.isEmpty() ? info.state() : "no instance takes calls: " + info.state();
		this.namesInstances = !this.instances.isEmpty();
	}

	/** Returns the refusals of methods whose streams another reference carries. */
	private Map<Integer, BindRejection> refusedStreams() {
		Map<Integer, BindRejection> refused = new HashMap<>();
		if (this.proxy.streams != null) {
			for (BoundMethod each : this.proxy.methods.values()) {
				BindRejection why = each.isStreaming ? this.instances.refusedByAll(each.number) : null;
				if (why != null) {
					refused.put(each.number, why);
				}
			}
		}
		return refused;
	}

	/** Any thread. */
	@Override
	public Predicate<ClientCall> acceptedBy(CallTransport taker) {
		RoutingTable all = this.proxy.ready;
		if (all.routes == null && all.isAll) {
			return (call) -> call.attempts == null || all.prefers(call, taker);
		}
		return (call) -> {
			RoutingTable fitting = all.forCall(call);
			return fitting.has(taker) && fitting.prefers(call, taker);
		};
	}

	/**
	 * Looks at waiting calls again: fails those that no instance will take, ends pauses
	 * if no instance is ready, and offers the rest to the connections.
	 */
	@Override
	public void lookAgain() {
		boolean hasReady = this.proxy.hasReady();
		if (!hasReady || this.proxy.ready.routes != null) {
			for (ExpiringCallQueue<ClientCall> queue : this.proxy.queue.both()) {
				queue.removeIf(
						(call) -> this.instances.refusedByAll(call.method.number) != null || mustFailFast(call, true))
					.forEach(this::sendOrEnqueue);
			}
		}
		if (!hasReady) {
			this.backoffs.resumeAll();
		}
		requestInstances();
		offer();
	}

	/** Offers waiting calls to all connections. Any thread. */
	@Override
	public void offer() {
		if (this.closed) {
			this.proxy.queue.close();
			return;
		}
		this.broadcastTargets.offerAll(); // all instances, because of calls with a tag
	}

	/**
	 * Lets a call that found no instance wait for one, with a pause unless it is the
	 * first time. Any thread.
	 */
	void await(ClientCall call) {
		long pauseNanos = BackoffQueue.pauseNanos(attemptsOf(call).waits());
		call.connection = null;
		onControl(call, pauseNanos);
	}

	private void onControl(ClientCall call, long pauseNanos) {
		try {
			this.client.control().execute(() -> resume(call, pauseNanos));
		}
		catch (RejectedExecutionException ex) {
			call.clientClosed();
		}
		if (this.closed) { // an event loop that ends may drop its last tasks
			call.clientClosed();
		}
	}

	private void resume(ClientCall call, long pauseNanos) {
		if (pauseNanos == 0 || this.closed) {
			sendOrEnqueue(call);
		}
		else {
			this.backoffs.add(call, pauseNanos);
		}
	}

	@Override
	public AttemptHistory attemptsOf(ClientCall call) {
		AttemptHistory attempts = call.attempts;
		if (attempts == null) {
			attempts = new AttemptHistory(now());
			call.attempts = attempts;
		}
		return attempts;
	}

	private void sendOrEnqueue(ClientCall call) {
		BindRejection refusal = this.closed ? null : this.instances.refusedByAll(call.method.number);
		if (this.closed) {
			call.clientClosed();
		}
		else if (refusal != null) {
			call.fail(refusal.status(), refusal.why());
		}
		else if (mustFailFast(call, waitingCalls() < MOST_WAITING)) {
			call.fail(RpcStatus.UNAVAILABLE, whyNoInstance(call));
		}
		else if (!this.proxy.sendToReady(call, null)) {
			this.proxy.queue.add(call);
		}
		requestInstances();
	}

	/**
	 * Returns true if no instance takes a call, and none is expected to within the time
	 * that the call may wait.
	 * @param few true if the call waits already, or few others do
	 */
	private boolean mustFailFast(ClientCall call, boolean few) {
		if (!findsNone(call)) {
			return false;
		}
		this.needsInstances = true;
		AttemptHistory attempts = call.attempts;
		long since = (attempts != null) ? attempts.sinceNanos : call.startNanos;
		long now = now();
		return !this.outlook.mayWait(since, this.wait.nanos(), now)
				&& this.instances.all().stream().noneMatch((member) -> member.pool.mayBecomeReady(since, this.wait))
				&& !(now - since < this.wait.nanos() && mayNameSoon(few));
	}

	/** Returns true if the source may name another instance soon. Any thread. */
	private boolean mayNameSoon(boolean few) {
		return this.source.mayNameSoon(this.binding.service().id(), this.client.options().expectedServices, few);
	}

	/** Reconnects and asks the registry if a call has found no instance. */
	private void requestInstances() {
		if (this.needsInstances && !this.closed) {
			this.needsInstances = false;
			this.instances.all().forEach((member) -> member.pool.connectSoon());
			this.source.lookAgain();
		}
	}

	/** Returns true if no instance takes a call now. Any thread. */
	private boolean findsNone(ClientCall call) {
		return this.proxy.ready.forCall(call).isEmpty();
	}

	private long now() {
		return this.client.nanoTime().getAsLong();
	}

	/** Sends a call to another instance after one that did not execute it. Any thread. */
	void dispatchAgain(ClientCall call, RedispatchReason why) {
		if (!call.markNotExecuted()) {
			return;
		}
		if (call.remainingNanos() <= 0) {
			call.expire();
			return;
		}
		CallTransport from = call.connection;
		if (from != null) {
			attemptsOf(call).cameBack(from.endpoint());
		}
		if (!this.closed) {
			this.client.counts().sentAgain(why);
		}
		this.proxy.dispatch(call, from);
	}

	@Override
	public void sendAgain(ClientCall call, CallTransport from, RedispatchReason why, long pauseNanos) {
		this.client.counts().sentAgain(why);
		if (pauseNanos == 0) {
			this.proxy.dispatch(call, from);
			return;
		}
		call.connection = null;
		onControl(call, pauseNanos);
	}

	@Override
	public boolean hedge(ClientCall second, CallTransport original) {
		boolean bound = second.context == null || ServiceProxy.bindToParent(second);
		if (bound && this.proxy.sendToReady(second, original)) {
			this.client.counts().sentAgain(RedispatchReason.HEDGED);
			return true;
		}
		second.fail(RpcStatus.UNAVAILABLE, "no other instance takes the call now");
		return false;
	}

	@Override
	public boolean hasAnother(ClientCall call) {
		CallTransport here = call.connection;
		return here != null && this.proxy.ready.forCall(call).hasOther(call.attempts, here.endpoint());
	}

	ResilienceOptions policies() {
		return this.policies;
	}

	/** Ends a call whose deadline has passed. Any thread. */
	void expire(ClientCall call) {
		if (call.state == ClientCall.AWAITING_PERMIT) {
			call.fail(RpcStatus.DEADLINE_EXCEEDED, FailureMessages.noPermit(this.client.limit().most()));
		}
		else if (call.connection == null && findsNone(call)) {
			call.fail(RpcStatus.UNAVAILABLE, whyNoInstance(call));
		}
		else {
			call.fail(RpcStatus.DEADLINE_EXCEEDED, call.method.noReply(call.context));
		}
	}

	private String whyNoInstance(ClientCall call) {
		String tag = (call.context != null) ? call.context.tag : null;
		String why = (tag != null) ? "tag '%s': %s".formatted(tag, this.problem) : this.problem;
		return why + this.source.trouble(this.binding.service().id(), this.namesInstances,
				this.client.options().adviceWithoutInstance);
	}

	/**
	 * Returns a snapshot of the reference.
	 * @param counted true to count its calls at each instance from now on, and to
	 * describe them
	 */
	public ReferenceInfo describe(boolean counted) {
		this.counts |= counted;
		return describe(describeInstances());
	}

	private List<BroadcastTarget> describeInstances() {
		if (this.counts) {
			this.instances.countCalls(this.proxy.resources().index);
		}
		return this.instances.broadcastTargets();
	}

	private ReferenceInfo describe(List<BroadcastTarget> instances) {
		return new ReferenceInfo(this.binding.service().id(), this.binding.protocol(), this.source.description(),
				this.source.kind(), this.resolved, instances.stream().map(BroadcastTarget::info).toList(),
				waitingCalls(), this.proxy.retries.budget());
	}

	/** Ends the reference: waiting calls fail, and its pools are released. */
	public void close() {
		this.closed = true;
		this.broadcastTargets.close();
		this.proxy.ready = RoutingTable.NONE;
		this.proxy.retries.close();
		lookAgain();
		this.backoffs.resumeAll();
		this.instances.close(this);
		this.gauges.close();
	}

}
