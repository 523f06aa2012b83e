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

/** One listener. Told on the registry's thread. */
final class Subscriber implements Subscription {

	private static final Logger log = LoggerFactory.getLogger("rpc.registry.zookeeper");

	private final ServiceId service;

	private final Consumer<List<ServiceInstance>> listener;

	private final Consumer<Subscriber> onClose;

	private final AtomicBoolean closed = new AtomicBoolean();

	private @Nullable List<ServiceInstance> told;

	/** Whether the registry named nobody when it was last heard. */
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

	void tell(List<ServiceInstance> snapshot, boolean kept) {
		this.kept = kept;
		if (this.closed.get() || snapshot.equals(this.told)) {
			return;
		}
		try {
			this.listener.accept(snapshot);
			this.told = snapshot;
		}
		catch (Throwable ex) { // the next change tells it again
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
