package io.rpcboot.internal.registry.zookeeper.directory;

import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;

import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import io.rpcboot.ServiceId;
import io.rpcboot.registry.Registry.Subscription;
import io.rpcboot.registry.ServiceInstance;

/** Subscription of one listener. The registry thread calls the listener. */
final class Subscriber implements Subscription {

	private static final Logger log = LoggerFactory.getLogger("rpc.registry.zookeeper");

	private final ServiceId service;

	private final Consumer<List<ServiceInstance>> listener;

	private final Consumer<Subscriber> onClose;

	private final AtomicBoolean closed = new AtomicBoolean();

	/** List that the listener has, null before the first. */
	private @Nullable List<ServiceInstance> delivered;

	/** True if the registry lists no instance and the listener has the earlier list. */
	private volatile boolean kept;

	Subscriber(ServiceId service, Consumer<List<ServiceInstance>> listener, Consumer<Subscriber> onClose) {
		this.service = service;
		this.listener = listener;
		this.onClose = onClose;
	}

	ServiceId service() {
		return this.service;
	}

	boolean isClosed() {
		return this.closed.get();
	}

	void deliver(List<ServiceInstance> snapshot, boolean kept) {
		this.kept = kept;
		if (this.closed.get() || snapshot.equals(this.delivered)) {
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
	public boolean isCurrent() {
		return !this.kept;
	}

	@Override
	public void close() {
		if (this.closed.compareAndSet(false, true)) {
			this.onClose.accept(this);
		}
	}

}
