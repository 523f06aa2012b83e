package io.rpcboot.internal.client.reference;

import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;

import io.rpcboot.RpcStatus;
import io.rpcboot.client.ReferenceInfo;
import io.rpcboot.internal.client.call.AttemptHistory;
import io.rpcboot.internal.client.call.AttemptHistory.RedispatchReason;
import io.rpcboot.internal.client.call.CallTransport;
import io.rpcboot.internal.client.call.ClientCall;
import io.rpcboot.internal.client.call.FailureMessages;
import io.rpcboot.internal.client.connection.PendingCallQueue;
import io.rpcboot.internal.client.contract.BindRejection;
import io.rpcboot.internal.client.contract.ServiceBinding;
import io.rpcboot.internal.client.limits.ExpiringCallQueue;
import io.rpcboot.internal.client.limits.QueuedCall;
import io.rpcboot.internal.client.pool.ConnectionPool;
import io.rpcboot.internal.client.pool.ConnectionPools;
import io.rpcboot.internal.client.pool.WaitForReady;
import io.rpcboot.internal.client.retry.HedgedAttempt;
import io.rpcboot.internal.client.retry.Redispatcher;
import io.rpcboot.internal.client.routing.BroadcastTarget;
import io.rpcboot.internal.client.routing.BroadcastTargets;
import io.rpcboot.internal.client.routing.InstanceDiscovery;
import io.rpcboot.internal.client.routing.InstanceGauges;
import io.rpcboot.internal.client.routing.InstanceSet;
import io.rpcboot.internal.client.routing.InstanceState;
import io.rpcboot.internal.client.routing.RoutingTable;
import io.rpcboot.internal.client.runtime.ClientResources;
import io.rpcboot.registry.ServiceInstance;
import io.rpcboot.resilience.ResilienceOptions;
import io.rpcboot.transport.BatchingOptions;

/**
 * The instances of one reference: follows the registry, keeps the proxy's list of those
 * that are ready, holds the calls that wait for one. Confined to the control thread but
 * for the methods that say otherwise.
 */
public final class ServiceRouter implements PendingCallQueue.Takers, ConnectionPool.User, Redispatcher {

	/** A call that comes back again and again is sent again with pauses up to 640 ms. */
	private static final long FIRST_PAUSE_NANOS = TimeUnit.MILLISECONDS.toNanos(5);

	private static final int MAX_DOUBLINGS = 7;

	private final ServiceBinding binding;

	private final InstanceDiscovery source;

	private final ResilienceOptions policies;

	private final ClientResources client;

	private final InstanceSet instances;

	private final Set<ClientCall> backingOff = new HashSet<>();

	/** How long a call waits where there is hope, 0 for not at all. */
	private final long waitNanos;

	private final WaitForReady outlook = new WaitForReady();

	/** Whether a call has found no instance since the instances were told so. */
	private boolean needsInstances;

	/** Whether it was told which instances there are. */
	private boolean resolved;

	private volatile boolean closed;

	@SuppressWarnings("NullAway.Init")
	private ServiceProxy proxy;

	private volatile String problem;

	/** Whether instances are known, ready or not. */
	private volatile boolean namesInstances;

	private final InstanceGauges levels;

	private final BroadcastTargets known;

	public ServiceRouter(ServiceBinding binding, InstanceDiscovery source, ResilienceOptions policies,
			BatchingOptions batching, long waitNanos, ClientResources client, ConnectionPools pools) {
		this.binding = binding;
		this.policies = policies;
		this.waitNanos = waitNanos;
		this.source = source;
		this.client = client;
		this.instances = new InstanceSet(binding, policies, batching, client, pools, this::refresh);
		this.levels = new InstanceGauges(client.options().metrics, binding.service().id().toString());
		this.problem = "no instance of it is known to " + source.description();
		this.known = new BroadcastTargets(client.control(),
				() -> this.instances.all().forEach((each) -> each.pool.use(this)));
	}

	public void attach(ServiceProxy proxy) {
		this.proxy = proxy;
		this.levels.retries(proxy.repetition::retries);
	}

	@Override
	public ServiceBinding binding() {
		return this.binding;
	}

	@Override
	public List<PendingCallQueue> queues() {
		PendingCallQueue pinned = this.known.queue();
		return (pinned != null) ? List.of(this.proxy.queue, pinned) : List.of(this.proxy.queue);
	}

	/** All instances. Any thread. */
	public BroadcastTargets known() {
		return this.known;
	}

	/** Waits a moment while nobody has said which instances there are. */
	public List<BroadcastTarget> awaitKnown() {
		return this.known.await(this.waitNanos);
	}

	/** Why no instance is known, for people. Any thread. */
	public String problem() {
		return this.closed ? QueuedCall.CLIENT_CLOSED : this.problem;
	}

	/** Calls that wait for a connection. Any thread. */
	public int waitingCalls() {
		return queues().stream().mapToInt(PendingCallQueue::size).sum();
	}

	/** A new list of instances. Any thread. */
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
		List<BroadcastTarget> all = this.instances.known();
		this.known.are(all);
		this.problem = explain(describe(all));
		this.namesInstances = !this.instances.isEmpty();
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

	/** What instances serve may have changed. */
	@Override
	public void lookAgain() {
		if (!this.proxy.hasReady() || this.proxy.ready.routes != null) {
			for (ExpiringCallQueue<ClientCall> queue : this.proxy.queue.both()) {
				queue.removeIf((call) -> this.instances.refusedByAll(call.method.number) != null || mustFailFast(call))
					.forEach(this::sendOrEnqueue);
			}
		}
		if (!this.proxy.hasReady() && !this.backingOff.isEmpty()) {
			// no reason for a pause is left
			List<ClientCall> resumed = List.copyOf(this.backingOff);
			this.backingOff.clear();
			resumed.forEach(this::sendOrEnqueue);
		}
		askForInstances();
		offer();
	}

	/** Any thread. */
	@Override
	public void offer() {
		if (this.closed) {
			this.proxy.queue.close();
			return;
		}
		this.known.offerAll(); // calls with a tag go elsewhere than those without
	}

	/**
	 * A call found no instance that takes it at once. It waits for one, but first with a
	 * pause if it has come back. Any thread.
	 */
	void await(ClientCall call) {
		int times = attemptsOf(call).waits();
		call.connection = null;
		long pauseNanos = (times == 1) ? 0 : FIRST_PAUSE_NANOS << Math.min(times - 2, MAX_DOUBLINGS);
		onControl(call, () -> awaitAfter(pauseNanos, call));
	}

	private void onControl(ClientCall call, Runnable task) {
		try {
			this.client.control().execute(task);
		}
		catch (RejectedExecutionException ex) {
			call.clientClosed();
		}
		if (this.closed) { // an event loop that ends may leave its last tasks undone
			call.clientClosed();
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

	private void awaitAfter(long pauseNanos, ClientCall call) {
		if (pauseNanos == 0 || this.closed) {
			sendOrEnqueue(call);
			return;
		}
		this.backingOff.add(call);
		this.client.control().schedule(() -> {
			if (this.backingOff.remove(call)) {
				sendOrEnqueue(call);
			}
		}, Math.min(pauseNanos, Math.max(1, call.remainingNanos())), TimeUnit.NANOSECONDS);
	}

	private void sendOrEnqueue(ClientCall call) {
		BindRejection refusal = this.closed ? null : this.instances.refusedByAll(call.method.number);
		if (this.closed) {
			call.clientClosed();
		}
		else if (refusal != null) {
			call.fail(refusal.status(), refusal.why());
		}
		else if (mustFailFast(call)) {
			call.fail(RpcStatus.UNAVAILABLE, whyNoInstance(call));
		}
		else if (!this.proxy.sendToReady(call, null)) {
			this.proxy.queue.add(call);
		}
		askForInstances();
	}

	/**
	 * Whether no instance takes a call, and none is likely to in the time that it may
	 * wait.
	 */
	private boolean mustFailFast(ClientCall call) {
		if (!findsNone(call)) {
			return false;
		}
		this.needsInstances = true;
		AttemptHistory attempts = call.attempts;
		long since = (attempts != null) ? attempts.sinceNanos : call.startNanos;
		return !this.outlook.mayWait(since, this.waitNanos, now()) && this.instances.all()
			.stream()
			.noneMatch((member) -> member.pool.mayBecomeReady(since, this.waitNanos));
	}

	/** Have those tried again of which a call has found none. */
	private void askForInstances() {
		if (this.needsInstances && !this.closed) {
			this.needsInstances = false;
			this.instances.all().forEach((member) -> member.pool.connectSoon());
			this.source.lookAgain();
		}
	}

	/** Whether no instance takes a call now. Any thread. */
	private boolean findsNone(ClientCall call) {
		return this.proxy.ready.forCall(call).isEmpty();
	}

	private long now() {
		return this.client.nanoTime().getAsLong();
	}

	private String explain(ReferenceInfo info) {
		this.levels.count(info.instances());
		String state = info.state();
		return this.instances.isEmpty() ? state : "no instance takes calls: " + state;
	}

	/** A call did not run where it was sent: send it elsewhere. Any thread. */
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
	public void sendAgain(ClientCall call, CallTransport from, long pauseNanos) {
		this.client.counts().sentAgain(RedispatchReason.FAILED);
		if (pauseNanos == 0) {
			this.proxy.dispatch(call, from);
			return;
		}
		call.connection = null;
		onControl(call, () -> awaitAfter(pauseNanos, call));
	}

	@Override
	public boolean hedge(HedgedAttempt call, CallTransport first) {
		attemptsOf(call).cameBack(first.endpoint());
		if (this.proxy.sendToReady(call, first)) {
			this.client.counts().sentAgain(RedispatchReason.HEDGED);
			return true;
		}
		call.fail(RpcStatus.UNAVAILABLE, "no other instance has room");
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

	/** The time of a call is over. Any thread. */
	void expire(ClientCall call) {
		if (call.state == ClientCall.AWAITING_PERMIT) {
			call.fail(RpcStatus.DEADLINE_EXCEEDED, FailureMessages.noPermit(this.client.limit().most()));
		}
		else if (call.connection == null && findsNone(call)) {
			call.fail(RpcStatus.UNAVAILABLE, whyNoInstance(call));
		}
		else {
			call.failWithoutReply();
		}
	}

	private String whyNoInstance(ClientCall call) {
		String tag = (call.context != null) ? call.context.tag : null;
		String why = (tag != null) ? "tag '%s': %s".formatted(tag, this.problem) : this.problem;
		return why + this.source.trouble(this.binding.service().id(), this.namesInstances,
				this.client.options().adviceWithoutInstance);
	}

	public ReferenceInfo describe() {
		return describe(this.instances.known());
	}

	private ReferenceInfo describe(List<BroadcastTarget> instances) {
		return new ReferenceInfo(this.binding.service().id(), this.source.description(), this.source.kind(),
				this.resolved, instances.stream().map(BroadcastTarget::info).toList(), waitingCalls(),
				this.proxy.repetition.retries());
	}

	public void close() {
		this.closed = true;
		this.known.close();
		this.proxy.ready = RoutingTable.NONE;
		this.proxy.repetition.close();
		lookAgain();
		this.backingOff.forEach(this::sendOrEnqueue);
		this.backingOff.clear();
		this.instances.close(this);
		this.levels.close();
	}

}
