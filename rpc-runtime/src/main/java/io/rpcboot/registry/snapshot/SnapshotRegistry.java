package io.rpcboot.registry.snapshot;

import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;
import java.util.stream.Collectors;

import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import io.rpcboot.ServiceId;
import io.rpcboot.registry.Registry;
import io.rpcboot.registry.RegistryState;
import io.rpcboot.registry.ServiceInstance;

/**
 * A registry that keeps its last good lists in a file, so that a client that starts while
 * the registry is away finds the instances of before. Thread-safe.
 * <p>
 * A list of the file stands in when the registry has said nothing of a service for a
 * while, and the first list of the registry that is not empty takes its place. Lists are
 * written some seconds after a change, and now and then while the registry confirms them;
 * a service without instances keeps its last list in the file until that is too old.
 * Files are read and written on a daemon thread of its own
 * ({@code rpc-registry-snapshot}).
 */
public final class SnapshotRegistry implements Registry {

	private static final Logger log = LoggerFactory.getLogger("rpc.registry");

	/** Changes come together: a deployment changes one list many times. */
	static final Duration WRITE_DELAY = Duration.ofSeconds(5);

	private static final Duration SHORTEST_REFRESH = Duration.ofSeconds(30);

	private static final Duration LONGEST_REFRESH = Duration.ofHours(1);

	private final Registry registry;

	private final SnapshotOptions options;

	private final InstantSource clock;

	private final Worker worker;

	private final Instant standInFrom;

	private final Snapshot snapshot;

	private final Set<SnapshotListener> followers = ConcurrentHashMap.newKeySet();

	/** What the registry has said in this process, the last list that was not empty. */
	private final Map<ServiceId, Learned> learned = new ConcurrentHashMap<>();

	private final AtomicBoolean writeDue = new AtomicBoolean();

	private final AtomicBoolean closed = new AtomicBoolean();

	/** Whether the log says that lists of the file are used. */
	private final AtomicBoolean told = new AtomicBoolean();

	/**
	 * Put a file beside a registry.
	 * @param registry the registry, which is closed with this
	 * @param options where the file is
	 */
	public SnapshotRegistry(Registry registry, SnapshotOptions options) {
		this(registry, options, InstantSource.system(), Worker.onItsOwnThread());
	}

	SnapshotRegistry(Registry registry, SnapshotOptions options, InstantSource clock, Worker worker) {
		this.registry = registry;
		this.options = options;
		this.clock = clock;
		this.worker = worker;
		this.standInFrom = clock.instant().plus(options.waitForRegistry());
		String source = options.source().isEmpty() ? registry.description() : options.source();
		this.snapshot = new Snapshot(new SnapshotFile(options.file()), source, options.maxAge(), clock);
		worker.schedule(this.snapshot::load, Duration.ZERO);
		worker.schedule(this::refresh, refreshInterval());
	}

	private Duration refreshInterval() {
		Duration part = this.options.maxAge().dividedBy(8);
		Duration bounded = (part.compareTo(LONGEST_REFRESH) < 0) ? part : LONGEST_REFRESH;
		return (bounded.compareTo(SHORTEST_REFRESH) > 0) ? bounded : SHORTEST_REFRESH;
	}

	@Override
	public Registration register(ServiceInstance instance) {
		return this.registry.register(instance);
	}

	@Override
	public Subscription subscribe(ServiceId service, Consumer<List<ServiceInstance>> listener) {
		SnapshotListener follower = new SnapshotListener(service, listener, this::learn, this.followers::remove);
		follower.follow(this.registry.subscribe(service, follower::onRegistry));
		this.followers.add(follower);
		this.worker.schedule(() -> standIn(follower), patience());
		return follower;
	}

	/** How long the registry may take for a list. */
	private Duration patience() {
		if (this.registry.state() == RegistryState.CONNECTED) {
			return this.options.waitForRegistry();
		}
		Duration left = Duration.between(this.clock.instant(), this.standInFrom);
		return left.isNegative() ? Duration.ZERO : left;
	}

	private void standIn(SnapshotListener follower) {
		CachedInstances known = this.snapshot.get(follower.service());
		if (known != null && !known.instances().isEmpty() && follower.onSnapshot(known)
				&& this.told.compareAndSet(false, true)) {
			log.warn("Registry {} has not answered; using the instances of its snapshot {}, of {}", description(),
					this.options.file(), known.at());
		}
	}

	private void learn(ServiceId service, List<ServiceInstance> instances) {
		Instant now = this.clock.instant();
		if (!instances.isEmpty()) {
			this.learned.put(service, new Learned(new CachedInstances(instances, now), true));
			writeSoon();
			return;
		}
		this.learned.computeIfPresent(service, (same, before) -> new Learned(before.list(), false));
	}

	private void writeSoon() {
		if (this.writeDue.compareAndSet(false, true)) {
			this.worker.schedule(this::write, WRITE_DELAY);
		}
	}

	private void refresh() {
		if (this.registry.state() == RegistryState.CONNECTED && !this.learned.isEmpty()) {
			write();
		}
		this.worker.schedule(this::refresh, refreshInterval());
	}

	private void write() {
		this.writeDue.set(false);
		if (this.registry.state() == RegistryState.CONNECTED) {
			Instant now = this.clock.instant();
			Set<ServiceId> current = this.followers.stream()
				.filter(SnapshotListener::isCurrent)
				.map(SnapshotListener::service)
				.collect(Collectors.toSet());
			this.learned.replaceAll((service, list) -> current.contains(service) ? list.confirmed(now) : list);
		}
		Map<ServiceId, CachedInstances> lists = new HashMap<>();
		this.learned.forEach((service, list) -> lists.put(service, list.list()));
		this.snapshot.store(lists);
	}

	@Override
	public RegistryState state() {
		return this.registry.state();
	}

	@Override
	public @Nullable Instant stateSince() {
		return this.registry.stateSince();
	}

	@Override
	public long outages() {
		return this.registry.outages();
	}

	@Override
	public boolean takesRegistrations() {
		return this.registry.takesRegistrations();
	}

	@Override
	public boolean isLocal() {
		return this.registry.isLocal();
	}

	@Override
	public String description() {
		return this.registry.description();
	}

	/**
	 * How many services have the instances of the file, because the registry has named
	 * none yet.
	 * @return 0 or more
	 */
	public int servicesOfSnapshot() {
		return (int) this.followers.stream()
			.filter((each) -> each.standInSince() != null)
			.map(SnapshotListener::service)
			.distinct()
			.count();
	}

	@Override
	public String problem() {
		Instant oldest = this.followers.stream()
			.map(SnapshotListener::standInSince)
			.filter(Objects::nonNull)
			.min(Instant::compareTo)
			.orElse(null);
		String own = (oldest != null)
				? "the instances of %d services are those of the snapshot of %s".formatted(servicesOfSnapshot(), oldest)
				: "";
		String theirs = this.registry.problem();
		return theirs.isEmpty() || own.isEmpty() ? theirs + own : theirs + "; " + own;
	}

	@Override
	public String adviceWithoutInstance(ServiceId service) {
		return this.registry.adviceWithoutInstance(service);
	}

	/** {@inheritDoc} What is not written yet is written before. */
	@Override
	public void close() {
		if (!this.closed.compareAndSet(false, true)) {
			return;
		}
		this.worker.finish(() -> {
			if (this.writeDue.get()) {
				write();
			}
		});
		this.followers.clear();
		this.registry.close();
	}

	/**
	 * A list that the registry has named.
	 *
	 * @param list the last one that was not empty
	 * @param current whether that is what it says now
	 */
	private record Learned(CachedInstances list, boolean current) {

		Learned confirmed(Instant now) {
			return this.current ? new Learned(new CachedInstances(this.list.instances(), now), true) : this;
		}

	}

}
