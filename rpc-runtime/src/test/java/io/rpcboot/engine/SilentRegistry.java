package io.rpcboot.engine;

import java.util.List;
import java.util.Set;
import java.util.function.Consumer;

import io.rpcboot.ServiceId;
import io.rpcboot.registry.Registry;
import io.rpcboot.registry.RegistryState;
import io.rpcboot.registry.ServiceInstance;
import io.rpcboot.server.RpcServer;

/** A registry that cannot be reached until it is told to speak. One subscriber. */
final class SilentRegistry implements Registry {

	private volatile Consumer<List<ServiceInstance>> listener;

	private volatile ServiceId service;

	/** This server, and no other, offers the service. */
	void speak(RpcServer server) {
		this.listener.accept(List.of(new ServiceInstance("1", "app", server.advertisedEndpoint(),
				ServiceInstance.DEFAULT_WEIGHT, 0, Set.of(this.service))));
	}

	@Override
	public Registration register(ServiceInstance instance) {
		throw new UnsupportedOperationException();
	}

	@Override
	public Subscription subscribe(ServiceId service, Consumer<List<ServiceInstance>> listener) {
		this.service = service;
		this.listener = listener;
		return () -> {
		};
	}

	@Override
	public RegistryState state() {
		return RegistryState.CONNECTING;
	}

	@Override
	public boolean isLocal() {
		return true;
	}

	@Override
	public String description() {
		return "silence";
	}

	@Override
	public void close() {
	}

}
