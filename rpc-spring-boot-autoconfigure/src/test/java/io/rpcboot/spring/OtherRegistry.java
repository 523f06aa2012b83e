package io.rpcboot.spring;

import java.util.List;
import java.util.function.Consumer;

import io.rpcboot.ServiceId;
import io.rpcboot.registry.InMemoryRegistry;
import io.rpcboot.registry.Registry;
import io.rpcboot.registry.RegistryState;
import io.rpcboot.registry.ServiceInstance;

/** An in-memory registry that differs where a test says so. */
public class OtherRegistry implements Registry {

	private final InMemoryRegistry delegate = new InMemoryRegistry();

	@Override
	public Registration register(ServiceInstance instance) {
		return this.delegate.register(instance);
	}

	@Override
	public Subscription subscribe(ServiceId service, Consumer<List<ServiceInstance>> listener) {
		return this.delegate.subscribe(service, listener);
	}

	@Override
	public RegistryState state() {
		return this.delegate.state();
	}

	@Override
	public boolean isLocal() {
		return true;
	}

	@Override
	public String description() {
		return "another registry";
	}

	@Override
	public void close() {
		this.delegate.close();
	}

}
