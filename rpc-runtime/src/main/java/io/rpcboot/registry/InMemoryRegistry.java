package io.rpcboot.registry;

import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.BinaryOperator;
import java.util.function.Consumer;
import java.util.function.Predicate;
import java.util.stream.Collectors;

import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import io.rpcboot.Endpoint;
import io.rpcboot.ServiceId;

/**
 * Registry of one JVM: servers and clients that share this object find each other.
 * Thread-safe. A daemon thread ({@code rpc-registry-memory}) calls the listeners, one at
 * a time, and ends while there is nothing to do. <pre>{@code
 * Registry registry = new InMemoryRegistry();
 * RpcServer server = RpcServer.builder().port(0).registry(registry).service(Users.class, users).build().start();
 * RpcClient client = RpcClient.builder().registry(registry).build();
 * }</pre>
 *
 * @since 0.1.0
 */
public class InMemoryRegistry implements Registry {

	private static final Logger log = LoggerFactory.getLogger("rpc.registry");

	/** Maximum of services in a message. */
	private static final int MAX_NAMED = 5;

	/** Maximum time for which {@link #register} waits for listeners. */
	private static final int LONGEST_WAIT_MILLIS = 1000;

	private final Set<Entry> entries = ConcurrentHashMap.newKeySet();

	private final Set<Follower> followers = ConcurrentHashMap.newKeySet();

	private final ThreadPoolExecutor executor = new ThreadPoolExecutor(1, 1, 1, TimeUnit.SECONDS,
			new LinkedBlockingQueue<>(), this::thread);

	/** Thread of the executor, null before its first task. */
	private volatile @Nullable Thread thread;

	private final AtomicBoolean closed = new AtomicBoolean();

	/** Time of creation, later the time of {@link #close()}. */
	private volatile Instant since = Instant.now();

	/** Creates an empty registry. */
	public InMemoryRegistry() {
		this.executor.allowCoreThreadTimeOut(true);
	}

	/**
	 * {@inheritDoc}
	 * <p>
	 * Waits at most 1 s for the listeners of subscribers, so that a process can call at
	 * once what it has registered.
	 */
	@Override
	public Registration register(ServiceInstance instance) {
		requireOpen();
		Entry entry = new Entry(instance);
		this.entries.add(entry);
		FutureTask<?> delivered = new FutureTask<>(this::deliverAll, null);
		execute(delivered);
		await(delivered);
		return entry;
	}

	@Override
	public Subscription subscribe(ServiceId service, Consumer<List<ServiceInstance>> listener) {
		requireOpen();
		Follower follower = new Follower(service, listener);
		this.followers.add(follower);
		execute(follower::deliver);
		return follower;
	}

	@Override
	public RegistryState state() {
		return this.closed.get() ? RegistryState.CLOSED : RegistryState.CONNECTED;
	}

	@Override
	public Instant stateSince() {
		return this.since;
	}

	@Override
	public boolean isSynchronous() {
		return true;
	}

	@Override
	public boolean isLocal() {
		return true;
	}

	@Override
	public String description() {
		return "the in-memory registry";
	}

	@Override
	public String kind() {
		return "in-memory";
	}

	/**
	 * Returns other versions and groups of the service, else some of the known services.
	 */
	@Override
	public String adviceWithoutInstance(ServiceId service) {
		Set<ServiceId> known = this.entries.stream()
			.flatMap((entry) -> entry.instance.services().stream())
			.collect(Collectors.toSet());
		List<String> alike = names(known, (each) -> each.name().equals(service.name()));
		List<String> names = alike.isEmpty() ? names(known, (each) -> true) : alike;
		if (names.isEmpty()) {
			return "";
		}
		String more = (names.size() <= MAX_NAMED) ? "" : " and %d more".formatted(names.size() - MAX_NAMED);
		return "known here: " + String.join(", ", names.subList(0, Math.min(MAX_NAMED, names.size()))) + more;
	}

	private static List<String> names(Set<ServiceId> known, Predicate<ServiceId> wanted) {
		return known.stream().filter(wanted).map(ServiceId::toString).sorted().toList();
	}

	@Override
	public void close() {
		if (!this.closed.compareAndSet(false, true)) {
			return;
		}
		this.since = Instant.now();
		this.followers.clear();
		this.entries.clear();
		this.executor.shutdown();
	}

	private void requireOpen() {
		if (this.closed.get()) {
			throw new IllegalStateException("registry: CLOSED (expected: a registry that is open)");
		}
	}

	private void deliverAll() {
		this.followers.forEach(Follower::deliver);
	}

	private void await(FutureTask<?> delivered) {
		if (Thread.currentThread() == this.thread || this.closed.get()) {
			return; // a listener registers: the other listeners are called after it
		}
		try {
			delivered.get(LONGEST_WAIT_MILLIS, TimeUnit.MILLISECONDS);
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
		}
		catch (ExecutionException | TimeoutException ignored) {
			// a slow listener delays registrations no longer
		}
	}

	private void execute(Runnable task) {
		try {
			this.executor.execute(task);
		}
		catch (RejectedExecutionException ignored) {
			// closed: there is no subscriber left
		}
	}

	private List<ServiceInstance> snapshot(ServiceId service) {
		BinaryOperator<ServiceInstance> newer = BinaryOperator
			.maxBy(Comparator.comparingLong(ServiceInstance::startedAtMillis).thenComparing(ServiceInstance::id));
		Map<Endpoint, ServiceInstance> byEndpoint = new HashMap<>();
		for (Entry entry : this.entries) {
			if (entry.instance.services().contains(service)) {
				byEndpoint.merge(entry.instance.endpoint(), entry.instance, newer);
			}
		}
		List<ServiceInstance> snapshot = new ArrayList<>(byEndpoint.values());
		snapshot.sort(Comparator.comparing(ServiceInstance::id));
		return List.copyOf(snapshot);
	}

	private Thread thread(Runnable task) {
		Thread created = new Thread(task, "rpc-registry-memory");
		created.setDaemon(true);
		this.thread = created;
		return created;
	}

	private final class Entry implements Registration {

		private volatile ServiceInstance instance;

		Entry(ServiceInstance instance) {
			this.instance = instance;
		}

		@Override
		public boolean isRegistered() {
			return InMemoryRegistry.this.entries.contains(this);
		}

		@Override
		public boolean update(ServiceInstance changed) {
			this.instance = changed;
			execute(InMemoryRegistry.this::deliverAll);
			return true;
		}

		@Override
		public String location() {
			return "memory:/" + this.instance.application() + "/" + this.instance.id();
		}

		@Override
		public void close() {
			if (InMemoryRegistry.this.entries.remove(this)) {
				execute(InMemoryRegistry.this::deliverAll);
			}
		}

	}

	private final class Follower implements Subscription {

		private final ServiceId service;

		private final Consumer<List<ServiceInstance>> listener;

		private @Nullable List<ServiceInstance> delivered;

		Follower(ServiceId service, Consumer<List<ServiceInstance>> listener) {
			this.service = service;
			this.listener = listener;
		}

		void deliver() {
			List<ServiceInstance> snapshot = snapshot(this.service);
			if (snapshot.equals(this.delivered) || !InMemoryRegistry.this.followers.contains(this)) {
				return;
			}
			try {
				this.listener.accept(snapshot);
				this.delivered = snapshot;
			}
			catch (Throwable ex) { // the next change calls it again
				log.warn("Listener of service {} failed", this.service, ex);
			}
		}

		@Override
		public void close() {
			InMemoryRegistry.this.followers.remove(this);
		}

	}

}
