package io.rpcboot.registry.snapshot;

import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;

import io.rpcboot.ServiceId;
import io.rpcboot.registry.Registry;
import io.rpcboot.registry.RegistryState;
import io.rpcboot.registry.ServiceInstance;

/** A registry that says what a test wants. */
final class StubRegistry implements Registry {

	RegistryState state = RegistryState.CONNECTING;

	String problem = "";

	/** Whether its lists are what it says, and not kept although it names nobody. */
	boolean current = true;

	/** How often a subscription was asked to look again. */
	int looks;

	private final Map<ServiceId, List<Consumer<List<ServiceInstance>>>> listeners = new HashMap<>();

	void says(ServiceId service, ServiceInstance... instances) {
		this.state = RegistryState.CONNECTED;
		List.copyOf(this.listeners.getOrDefault(service, List.of()))
			.forEach((listener) -> listener.accept(List.of(instances)));
	}

	int subscriptions() {
		return this.listeners.values().stream().mapToInt(List::size).sum();
	}

	@Override
	public Registration register(ServiceInstance instance) {
		throw new UnsupportedOperationException("register " + instance.id());
	}

	@Override
	public Subscription subscribe(ServiceId service, Consumer<List<ServiceInstance>> listener) {
		this.listeners.computeIfAbsent(service, (added) -> new ArrayList<>()).add(listener);
		return new Subscription() {

			@Override
			public void lookAgain() {
				StubRegistry.this.looks++;
			}

			@Override
			public boolean isCurrent() {
				return StubRegistry.this.current;
			}

			@Override
			public void close() {
				StubRegistry.this.listeners.getOrDefault(service, List.of()).remove(listener);
			}

		};
	}

	@Override
	public RegistryState state() {
		return this.state;
	}

	@Override
	public Instant stateSince() {
		return Instant.EPOCH;
	}

	@Override
	public long outages() {
		return 7;
	}

	@Override
	public boolean takesRegistrations() {
		return false;
	}

	@Override
	public boolean isLocal() {
		return true;
	}

	@Override
	public String description() {
		return "stub at zk1";
	}

	@Override
	public String problem() {
		return this.problem;
	}

	@Override
	public String adviceWithoutInstance(ServiceId service) {
		return "advice for " + service;
	}

	@Override
	public void close() {
		this.state = RegistryState.CLOSED;
	}

}
