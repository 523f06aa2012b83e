package io.rpcboot.registry;

import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Consumer;

import io.rpcboot.fixture.Eventually;

/** A listener that keeps what it was told. */
public final class Snapshots implements Consumer<List<ServiceInstance>> {

	private final List<List<ServiceInstance>> all = new CopyOnWriteArrayList<>();

	private volatile String thread = "";

	@Override
	public void accept(List<ServiceInstance> snapshot) {
		this.thread = Thread.currentThread().getName();
		this.all.add(snapshot);
	}

	public List<List<ServiceInstance>> all() {
		return this.all;
	}

	public List<String> ids() {
		int size = this.all.size();
		return (size == 0) ? List.of() : this.all.get(size - 1).stream().map(ServiceInstance::id).toList();
	}

	public String thread() {
		return this.thread;
	}

	public void await(String... ids) {
		Eventually.until("instances " + List.of(ids) + ", last " + ids(),
				() -> !this.all.isEmpty() && ids().equals(List.of(ids)));
	}

}
