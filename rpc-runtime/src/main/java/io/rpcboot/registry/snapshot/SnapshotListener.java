package io.rpcboot.registry.snapshot;

import java.time.Instant;
import java.util.List;
import java.util.function.BiConsumer;
import java.util.function.Consumer;

import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import io.rpcboot.ServiceId;
import io.rpcboot.registry.Registry.Subscription;
import io.rpcboot.registry.ServiceInstance;

/**
 * A listener that hears the registry, and the snapshot until the registry has said
 * something. Thread-safe; the listener is called by one thread at a time.
 */
final class SnapshotListener implements Subscription {

	private static final Logger log = LoggerFactory.getLogger("rpc.registry");

	private final ServiceId service;

	private final Consumer<List<ServiceInstance>> listener;

	private final BiConsumer<ServiceId, List<ServiceInstance>> learned;

	private final Consumer<SnapshotListener> onClose;

	private @Nullable Subscription subscription;

	/** Whether the registry's word counts from now on. */
	private boolean answered;

	/** The list of the snapshot that the listener has, null if it has another. */
	private @Nullable CachedInstances standIn;

	private boolean warned;

	private boolean closed;

	/**
	 * Create it.
	 * @param service what is followed
	 * @param listener who is told
	 * @param learned told of each list of the registry
	 * @param onClose told when nobody wants it any more
	 */
	SnapshotListener(ServiceId service, Consumer<List<ServiceInstance>> listener,
			BiConsumer<ServiceId, List<ServiceInstance>> learned, Consumer<SnapshotListener> onClose) {
		this.service = service;
		this.listener = listener;
		this.learned = learned;
		this.onClose = onClose;
	}

	ServiceId service() {
		return this.service;
	}

	synchronized void follow(Subscription subscription) {
		this.subscription = subscription;
	}

	/** What the registry says. */
	void onRegistry(List<ServiceInstance> instances) {
		synchronized (this) {
			if (this.closed) {
				return;
			}
			if (!keepsStandIn(instances)) {
				this.listener.accept(instances);
				this.answered = true;
				this.standIn = null;
			}
		}
		this.learned.accept(this.service, instances);
	}

	/**
	 * A registry that has just come back may not know anybody yet. As there, a list that
	 * was not empty does not become empty: connections find out who is dead.
	 */
	private boolean keepsStandIn(List<ServiceInstance> instances) {
		CachedInstances kept = this.standIn;
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

	/** What the snapshot says. Returns whether it was needed. */
	synchronized boolean onSnapshot(CachedInstances known) {
		if (this.closed || this.answered || this.standIn != null) {
			return false;
		}
		this.standIn = known;
		try {
			this.listener.accept(known.instances());
		}
		catch (Throwable ex) {
			log.warn("Listener of service {} failed", this.service, ex);
		}
		return true;
	}

	/** When the registry had confirmed the list that stands in, null if none does. */
	synchronized @Nullable Instant standInSince() {
		return (this.standIn != null && !this.closed) ? this.standIn.at() : null;
	}

	@Override
	public void lookAgain() {
		Subscription asked;
		synchronized (this) {
			asked = this.subscription;
		}
		if (asked != null) {
			asked.lookAgain();
		}
	}

	@Override
	public synchronized boolean isCurrent() {
		return this.standIn == null && this.subscription != null && this.subscription.isCurrent();
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
			this.onClose.accept(this);
		}
	}

}
