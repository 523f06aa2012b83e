package io.rpcboot.registry.snapshot;

import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;

import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import io.rpcboot.ServiceId;
import io.rpcboot.registry.Registry;
import io.rpcboot.registry.RegistryState;
import io.rpcboot.registry.ServiceInstance;
import io.rpcboot.registry.snapshot.Snapshot.Listed;

/**
 * A registry that keeps the last lists of another registry in a file, so that a client
 * that starts while the registry is away finds the instances of before. Thread-safe.
 * <p>
 * A list of the file is used if the registry has not named the instances of a service
 * within {@link SnapshotOptions#waitForRegistry()}; the first list of the registry that
 * is not empty replaces it. Lists are written 5 seconds after a change, and from time to
 * time while the registry confirms them. A service without instances keeps its last list
 * in the file until that list expires. The daemon thread {@code rpc-registry-snapshot}
 * reads and writes the file.
 *
 * <pre>
 * Registry registry = new SnapshotRegistry(new ZooKeeperRegistry(zooKeeper),
 *         SnapshotOptions.defaults(Path.of("/var/cache/rpc/shop.snapshot")));
 * RpcClient client = RpcClient.builder().registry(registry).build();
 * </pre>
 *
 * @since 0.1.0
 */
public final class SnapshotRegistry implements Registry {

	private static final Logger log = LoggerFactory.getLogger("rpc.registry");

	/** Collects the changes of a deployment into one write. */
	static final Duration WRITE_DELAY = Duration.ofSeconds(5);

	private static final Duration MIN_REFRESH = Duration.ofSeconds(30);

	private static final Duration MAX_REFRESH = Duration.ofHours(1);

	/** Longest wait for the last write; a disk may hang. */
	private static final long CLOSE_MILLIS = 2_000;

	private final Registry registry;

	private final SnapshotOptions options;

	private final InstantSource clock;

	/** One thread, which may block. */
	private final ScheduledExecutorService thread;

	/** The earliest use of the file, unless the registry is connected. */
	private final Instant usableFrom;

	private final SnapshotFile file;

	private final Set<Follower> followers = ConcurrentHashMap.newKeySet();

	/** The last list of the registry that was not empty, for each service. */
	private final Map<ServiceId, Listed> learned = new ConcurrentHashMap<>();

	private final AtomicBoolean writeDue = new AtomicBoolean();

	private final AtomicBoolean closed = new AtomicBoolean();

	/** True once the log says that lists of the file are used. */
	private final AtomicBoolean logged = new AtomicBoolean();

	/**
	 * Creates a registry with a snapshot file.
	 * @param registry the registry whose lists are kept; closed with this object
	 * @param options the file and its limits
	 */
	public SnapshotRegistry(Registry registry, SnapshotOptions options) {
		this(registry, options, InstantSource.system(), thread());
	}

	SnapshotRegistry(Registry registry, SnapshotOptions options, InstantSource clock, ScheduledExecutorService thread) {
		this.registry = registry;
		this.options = options;
		this.clock = clock;
		this.thread = thread;
		this.usableFrom = clock.instant().plus(options.waitForRegistry());
		String source = options.source().isEmpty() ? registry.description() : options.source();
		this.file = new SnapshotFile(options.file(), source, options.maxAge(), clock);
		schedule(this.file::load, Duration.ZERO);
		schedule(this::refresh, refreshInterval());
	}

	private static ScheduledExecutorService thread() {
		ScheduledThreadPoolExecutor executor = new ScheduledThreadPoolExecutor(1, (task) -> {
			Thread thread = new Thread(task, "rpc-registry-snapshot");
			thread.setDaemon(true);
			return thread;
		});
		executor.setExecuteExistingDelayedTasksAfterShutdownPolicy(false);
		return executor;
	}

	private void schedule(Runnable task, Duration delay) {
		try {
			this.thread.schedule(() -> run(task), delay.toNanos(), TimeUnit.NANOSECONDS);
		}
		catch (RejectedExecutionException ignored) {
			// closed
		}
	}

	private static void run(Runnable task) {
		try {
			task.run();
		}
		catch (Throwable ex) {
			log.warn("Snapshot of the registry: unexpected failure", ex);
		}
	}

	/** Returns an eighth of the maximum age, within 30 s and 1 h. */
	private Duration refreshInterval() {
		Duration part = this.options.maxAge().dividedBy(8);
		Duration bounded = (part.compareTo(MAX_REFRESH) < 0) ? part : MAX_REFRESH;
		return (bounded.compareTo(MIN_REFRESH) > 0) ? bounded : MIN_REFRESH;
	}

	@Override
	public Registration register(ServiceInstance instance) {
		return this.registry.register(instance);
	}

	@Override
	public Subscription subscribe(ServiceId service, Consumer<List<ServiceInstance>> listener) {
		Follower follower = new Follower(service, listener);
		follower.follow(this.registry.subscribe(service, follower::onRegistry));
		this.followers.add(follower);
		schedule(() -> useFile(follower), waitForRegistry());
		return follower;
	}

	private Duration waitForRegistry() {
		if (this.registry.state() == RegistryState.CONNECTED) {
			return this.options.waitForRegistry();
		}
		Duration left = Duration.between(this.clock.instant(), this.usableFrom);
		return left.isNegative() ? Duration.ZERO : left;
	}

	private void useFile(Follower follower) {
		Listed known = this.file.get(follower.service);
		if (known != null && !known.instances().isEmpty() && follower.onSnapshot(known)
				&& this.logged.compareAndSet(false, true)) {
			log.warn("Registry {} has not answered; using the instances of its snapshot {}, of {}", description(),
					this.options.file(), known.at());
		}
	}

	private void refresh() {
		if (this.registry.state() == RegistryState.CONNECTED && !this.learned.isEmpty()) {
			write();
		}
		schedule(this::refresh, refreshInterval());
	}

	private void write() {
		this.writeDue.set(false);
		if (this.registry.state() == RegistryState.CONNECTED) {
			Instant now = this.clock.instant();
			for (Follower follower : this.followers) {
				if (follower.isConfirmed()) {
					this.learned.computeIfPresent(follower.service,
							(service, list) -> new Listed(list.instances(), now));
				}
			}
		}
		this.file.store(this.learned);
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
	public boolean isSynchronous() {
		return this.registry.isSynchronous();
	}

	@Override
	public boolean isLocal() {
		return this.registry.isLocal();
	}

	@Override
	public String description() {
		return this.registry.description();
	}

	@Override
	public String kind() {
		return this.registry.kind();
	}

	/**
	 * Returns the number of services whose instances are those of the file, because the
	 * registry has not named any yet.
	 * @return 0 or more
	 */
	public int servicesOfSnapshot() {
		return (int) this.followers.stream()
			.filter((each) -> each.substituteTime() != null)
			.map((each) -> each.service)
			.distinct()
			.count();
	}

	@Override
	public String problem() {
		Instant oldest = this.followers.stream()
			.map(Follower::substituteTime)
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

	/** {@inheritDoc} Changes that are not yet in the file are written first. */
	@Override
	public void close() {
		if (!this.closed.compareAndSet(false, true)) {
			return;
		}
		try {
			this.thread.submit(() -> run(() -> {
				if (this.writeDue.get()) {
					write();
				}
			})).get(CLOSE_MILLIS, TimeUnit.MILLISECONDS);
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
		}
		catch (RejectedExecutionException | ExecutionException | TimeoutException ignored) {
			// the earlier file stays
		}
		this.thread.shutdown();
		this.followers.clear();
		this.registry.close();
	}

	/**
	 * Forwards the lists of the registry to a listener, and the list of the file until
	 * the registry has named instances. The listener is called by one thread at a time.
	 */
	private final class Follower implements Subscription {

		private final ServiceId service;

		private final Consumer<List<ServiceInstance>> listener;

		private @Nullable Subscription subscription;

		/** True once a list of the registry was forwarded. */
		private boolean answered;

		/** True if the latest list of the registry is not empty. */
		private boolean named;

		/** The list of the file that the listener has, null if it has another list. */
		private @Nullable Listed substitute;

		private boolean warned;

		private boolean closed;

		Follower(ServiceId service, Consumer<List<ServiceInstance>> listener) {
			this.service = service;
			this.listener = listener;
		}

		synchronized void follow(Subscription subscription) {
			this.subscription = subscription;
		}

		void onRegistry(List<ServiceInstance> instances) {
			synchronized (this) {
				if (this.closed) {
					return;
				}
				this.named = !instances.isEmpty();
				if (!keepsSubstitute(instances)) {
					this.listener.accept(instances);
					this.answered = true;
					this.substitute = null;
				}
			}
			if (!instances.isEmpty()) {
				SnapshotRegistry.this.learned.put(this.service,
						new Listed(instances, SnapshotRegistry.this.clock.instant()));
				if (SnapshotRegistry.this.writeDue.compareAndSet(false, true)) {
					schedule(SnapshotRegistry.this::write, WRITE_DELAY);
				}
			}
		}

		/**
		 * Returns true for an empty list while the list of the file is used: a registry
		 * that has just restarted may not know any instance yet. Connections find out
		 * which instances are gone.
		 */
		private boolean keepsSubstitute(List<ServiceInstance> instances) {
			Listed kept = this.substitute;
			if (kept == null || !instances.isEmpty()) {
				return false;
			}
			if (!this.warned) {
				log.warn("Registry lists no instance of {}; keeping the {} of its snapshot of {}", this.service,
						kept.instances().size(), kept.at());
				this.warned = true;
			}
			return true;
		}

		/** Returns true if the list of the file was needed. */
		synchronized boolean onSnapshot(Listed known) {
			if (this.closed || this.answered || this.substitute != null) {
				return false;
			}
			this.substitute = known;
			try {
				this.listener.accept(known.instances());
			}
			catch (Throwable ex) {
				log.warn("Listener of service {} failed", this.service, ex);
			}
			return true;
		}

		/** Returns the time of the list of the file, null if that list is not used. */
		synchronized @Nullable Instant substituteTime() {
			return (this.substitute != null && !this.closed) ? this.substitute.at() : null;
		}

		/** Returns true if the registry names the instances that it has named last. */
		synchronized boolean isConfirmed() {
			return this.named && isCurrent();
		}

		@Override
		public void lookAgain() {
			Subscription followed;
			synchronized (this) {
				followed = this.subscription;
			}
			if (followed != null) {
				followed.lookAgain();
			}
		}

		@Override
		public synchronized boolean isCurrent() {
			return this.substitute == null && this.subscription != null && this.subscription.isCurrent();
		}

		@Override
		public void close() {
			Subscription ended;
			synchronized (this) {
				this.closed = true;
				ended = this.subscription;
				this.subscription = null;
			}
			if (ended != null) {
				ended.close();
				SnapshotRegistry.this.followers.remove(this);
			}
		}

	}

}
