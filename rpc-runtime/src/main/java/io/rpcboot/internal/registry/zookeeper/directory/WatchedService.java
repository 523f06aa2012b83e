package io.rpcboot.internal.registry.zookeeper.directory;

import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.OptionalLong;
import java.util.Set;

import io.rpcboot.ServiceId;
import io.rpcboot.internal.registry.zookeeper.node.Nodes;
import io.rpcboot.internal.registry.zookeeper.node.RegistryPaths;
import io.rpcboot.registry.ServiceInstance;
import org.apache.zookeeper.AddWatchMode;
import org.apache.zookeeper.WatchedEvent;
import org.apache.zookeeper.Watcher;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A subscribed service: its subscribers, its applications and its instances. Registry
 * thread only.
 */
final class WatchedService {

	private static final Logger log = LoggerFactory.getLogger("rpc.registry.zookeeper");

	private final Discovery discovery;

	private final ServiceId id;

	private final String path;

	private final Watcher watcher = this::changed;

	private final Set<Subscriber> subscribers = new LinkedHashSet<>();

	private final InstanceList instances;

	private Set<WatchedApplication> applications = Set.of();

	private boolean read;

	private boolean warnedOfEmpty;

	private long nextExpiry;

	private boolean expiryDue;

	WatchedService(Discovery discovery, RegistryPaths paths, ServiceId id, long graceNanos) {
		this.discovery = discovery;
		this.id = id;
		this.path = paths.service(id);
		this.instances = new InstanceList(graceNanos);
	}

	ServiceId id() {
		return this.id;
	}

	boolean isOfferedBy(WatchedApplication application) {
		return this.applications.contains(application);
	}

	void add(Subscriber subscriber) {
		this.subscribers.add(subscriber);
		if (this.read) {
			subscriber.deliver(this.instances.snapshot(), this.instances.isKeptInsteadOfEmpty());
		}
	}

	/** Removes a subscriber. Returns true if it was the last. */
	boolean remove(Subscriber subscriber) {
		return this.subscribers.remove(subscriber) && this.subscribers.isEmpty();
	}

	void watch(Nodes nodes) throws Exception {
		nodes.watch(this.path, AddWatchMode.PERSISTENT, this.watcher);
	}

	void unwatch(Nodes nodes) throws Exception {
		nodes.unwatch(this.path);
	}

	/** Reads the service. If a read fails, the earlier state stays. */
	void read(Nodes nodes) throws Exception {
		Set<WatchedApplication> found = new LinkedHashSet<>();
		for (String name : nodes.children(this.path)) {
			WatchedApplication application = this.discovery.application(name);
			application.read(nodes);
			found.add(application);
		}
		this.applications = found;
		List<ServiceInstance> listed = new ArrayList<>();
		found.forEach((application) -> application.addInstances(this.id, listed));
		this.instances.update(listed, System.nanoTime(), this.discovery.holdUntil());
		this.read = true;
	}

	void publish() {
		if (this.discovery.isClosed()) {
			return;
		}
		boolean kept = this.instances.isKeptInsteadOfEmpty();
		if (kept && !this.warnedOfEmpty) {
			List<ServiceInstance> last = this.instances.snapshot();
			log.warn("Registry lists no instance of {} any more; {} still called while it answers", this.id,
					(last.size() == 1) ? "the last one, %s, is".formatted(last.get(0).endpoint())
							: "each of the last %d is".formatted(last.size()));
		}
		this.warnedOfEmpty = kept;
		List.copyOf(this.subscribers).forEach((subscriber) -> subscriber.deliver(this.instances.snapshot(), kept));
		scheduleExpiry();
	}

	private void scheduleExpiry() {
		OptionalLong next = this.instances.nextExpiry();
		if (next.isEmpty() || (this.expiryDue && this.nextExpiry - next.getAsLong() <= 0)) {
			return;
		}
		this.expiryDue = true;
		this.nextExpiry = next.getAsLong();
		this.discovery.schedule(this::expire, Math.max(this.nextExpiry - System.nanoTime(), 0));
	}

	private void expire() {
		this.expiryDue = false;
		this.instances.expire(System.nanoTime());
		publish();
	}

	private void changed(WatchedEvent event) {
		if (event.getType() != Watcher.Event.EventType.None) {
			this.discovery.serviceChanged(this);
		}
	}

}
