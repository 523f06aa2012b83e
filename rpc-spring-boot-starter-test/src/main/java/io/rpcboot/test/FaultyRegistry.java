package io.rpcboot.test;

import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;

import io.rpcboot.ServiceId;
import io.rpcboot.registry.InMemoryRegistry;
import io.rpcboot.registry.RegistryState;
import io.rpcboot.registry.ServiceInstance;
import org.jspecify.annotations.Nullable;

/**
 * In-memory registry of a test with simulated outages. During an outage changes are
 * withheld; afterwards they are published.
 */
final class FaultyRegistry extends InMemoryRegistry {

	private final Set<Follower> followers = ConcurrentHashMap.newKeySet();

	private volatile boolean away;

	void goAway() {
		this.away = true;
	}

	void comeBack() {
		this.away = false;
		this.followers.forEach(Follower::tellWithheld);
	}

	@Override
	public Subscription subscribe(ServiceId service, Consumer<List<ServiceInstance>> listener) {
		Follower follower = new Follower(listener);
		this.followers.add(follower);
		Subscription subscription = super.subscribe(service, follower::onSnapshot);
		return () -> {
			this.followers.remove(follower);
			subscription.close();
		};
	}

	@Override
	public RegistryState state() {
		RegistryState state = super.state();
		return (this.away && state == RegistryState.CONNECTED) ? RegistryState.DISCONNECTED : state;
	}

	@Override
	public String description() {
		return "the registry of this test";
	}

	@Override
	public void close() {
		this.followers.clear();
		super.close();
	}

	private final class Follower {

		private final Consumer<List<ServiceInstance>> listener;

		private @Nullable List<ServiceInstance> withheld;

		Follower(Consumer<List<ServiceInstance>> listener) {
			this.listener = listener;
		}

		synchronized void onSnapshot(List<ServiceInstance> snapshot) {
			this.withheld = snapshot;
			tellWithheld();
		}

		synchronized void tellWithheld() {
			List<ServiceInstance> snapshot = this.withheld;
			if (!FaultyRegistry.this.away && snapshot != null) {
				this.withheld = null;
				this.listener.accept(snapshot);
			}
		}

	}

}
