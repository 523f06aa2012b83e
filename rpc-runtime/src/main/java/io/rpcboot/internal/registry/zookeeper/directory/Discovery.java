package io.rpcboot.internal.registry.zookeeper.directory;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;

import io.rpcboot.ServiceId;
import io.rpcboot.internal.registry.zookeeper.node.Nodes;
import io.rpcboot.internal.registry.zookeeper.node.RegistryPaths;
import io.rpcboot.registry.Registry.Subscription;
import io.rpcboot.registry.ServiceInstance;
import io.rpcboot.registry.zookeeper.ZooKeeperRegistryOptions;

/**
 * Subscribed services and the applications that offer them, each watched once for all of
 * its subscribers. Registry thread only, except where a method says otherwise. Each event
 * leads to a fresh read of its node; events that arrive in the meantime share one read.
 */
public final class Discovery {

	private final DirectorySession session;

	private final RegistryPaths paths;

	private final long graceNanos;

	private final Map<ServiceId, WatchedService> services = new HashMap<>();

	private final Map<String, WatchedApplication> applications = new HashMap<>();

	private final Set<WatchedService> changedServices = new LinkedHashSet<>();

	private final Set<WatchedApplication> changedApplications = new LinkedHashSet<>();

	private boolean refreshDue;

	/** Time by {@code nanoTime} until which vanished instances stay. */
	private long holdUntil = System.nanoTime();

	private volatile boolean closed;

	public Discovery(DirectorySession session, RegistryPaths paths, ZooKeeperRegistryOptions options) {
		this.session = session;
		this.paths = paths;
		this.graceNanos = options.graceTime().toNanos();
	}

	/** Subscribes to the instances of a service. Any thread. */
	public Subscription subscribe(ServiceId service, Consumer<List<ServiceInstance>> listener) {
		Subscriber subscriber = new Subscriber(service, listener, this::unsubscribe);
		this.session.execute(() -> add(subscriber));
		return subscriber;
	}

	/** Ends all calls of listeners. Any thread. */
	public void close() {
		this.closed = true;
	}

	boolean isClosed() {
		return this.closed;
	}

	/** Keeps vanished instances at least until this time by {@code nanoTime}. */
	public void holdUntil(long nanos) {
		this.holdUntil = nanos;
	}

	long holdUntil() {
		return this.holdUntil;
	}

	/** Reads and watches everything again. */
	public void synchronize() {
		this.applications.values().forEach(WatchedApplication::unread);
		for (WatchedService service : List.copyOf(this.services.values())) {
			this.session.attempt((nodes) -> {
				service.watch(nodes);
				refresh(service, nodes);
			});
		}
	}

	void serviceChanged(WatchedService service) {
		this.session.execute(() -> {
			this.changedServices.add(service);
			refreshSoon();
		});
	}

	void applicationChanged(WatchedApplication application, String node) {
		this.session.execute(() -> {
			application.forget(node);
			this.changedApplications.add(application);
			refreshSoon();
		});
	}

	WatchedApplication application(String name) {
		return this.applications.computeIfAbsent(name, (missing) -> new WatchedApplication(this, this.paths, missing));
	}

	private void add(Subscriber subscriber) {
		if (subscriber.isClosed()) {
			return;
		}
		WatchedService known = this.services.get(subscriber.service());
		if (known != null) {
			known.add(subscriber);
			return;
		}
		WatchedService service = new WatchedService(this, this.paths, subscriber.service(), this.graceNanos);
		this.services.put(subscriber.service(), service);
		service.add(subscriber);
		this.session.attempt((nodes) -> {
			service.watch(nodes);
			refresh(service, nodes);
		});
	}

	private void unsubscribe(Subscriber subscriber) {
		this.session.execute(() -> {
			WatchedService service = this.services.get(subscriber.service());
			if (service == null || !service.remove(subscriber)) {
				return;
			}
			this.services.remove(subscriber.service());
			this.session.attempt(service::unwatch);
			releaseApplications();
		});
	}

	/** Schedules a refresh after the events that already wait for this thread. */
	private void refreshSoon() {
		if (!this.refreshDue) {
			this.refreshDue = true;
			this.session.execute(this::refreshChanged);
		}
	}

	private void refreshChanged() {
		this.refreshDue = false;
		List<WatchedApplication> dirtyApplications = take(this.changedApplications);
		Set<WatchedService> dirtyServices = new LinkedHashSet<>(take(this.changedServices));
		for (WatchedApplication application : dirtyApplications) {
			application.stale();
			this.services.values().stream().filter((one) -> one.isOfferedBy(application)).forEach(dirtyServices::add);
		}
		for (WatchedService service : dirtyServices) {
			if (this.services.get(service.id()) == service) {
				this.session.attempt((nodes) -> refresh(service, nodes));
			}
		}
	}

	private void refresh(WatchedService service, Nodes nodes) throws Exception {
		service.read(nodes);
		releaseApplications();
		service.publish();
	}

	private void releaseApplications() {
		List<WatchedApplication> unused = new ArrayList<>(this.applications.values());
		unused
			.removeIf((application) -> this.services.values().stream().anyMatch((one) -> one.isOfferedBy(application)));
		for (WatchedApplication application : unused) {
			this.applications.remove(application.name());
			this.session.attempt(application::unwatch);
		}
	}

	/** Schedules a task on the registry thread. */
	void schedule(Runnable task, long delayNanos) {
		this.session.schedule(task, delayNanos);
	}

	private static <T> List<T> take(Set<T> set) {
		List<T> taken = List.copyOf(set);
		set.clear();
		return taken;
	}

}
