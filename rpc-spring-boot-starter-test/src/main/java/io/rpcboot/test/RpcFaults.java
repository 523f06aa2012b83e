package io.rpcboot.test;

import java.time.Duration;
import java.util.List;
import java.util.stream.Stream;

import io.rpcboot.RpcStatus;
import io.rpcboot.server.RpcServer;
import io.rpcboot.spring.reference.RpcReferenceOverrides;

import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;

/**
 * What goes wrong in a test. A parameter of a test method, or a bean of its context. One
 * fault at a time for an interface: the latest. Everything is well again after each test.
 * Thread-safe.
 */
public final class RpcFaults {

	private final ConfigurableListableBeanFactory beanFactory;

	private final ActiveFaults active;

	private final ObjectProvider<RpcServer> servers;

	private final ObjectProvider<FaultyRegistry> registries;

	RpcFaults(ConfigurableListableBeanFactory beanFactory, ActiveFaults active, ObjectProvider<RpcServer> servers,
			ObjectProvider<FaultyRegistry> registries) {
		this.beanFactory = beanFactory;
		this.active = active;
		this.servers = servers;
		this.registries = registries;
	}

	/**
	 * Let each call of a service wait before it runs, on the thread of the call. Its
	 * deadline goes on.
	 * @param service the interface, of every version and group
	 * @param delay positive
	 * @throws IllegalArgumentException if no bean of this context offers the interface
	 */
	public void delay(Class<?> service, Duration delay) {
		if (delay.isZero() || delay.isNegative()) {
			throw new IllegalArgumentException("delay: %s (expected: a positive duration)".formatted(delay));
		}
		requireOffered(service, "delay");
		this.active.put(service, null, delay);
	}

	/**
	 * Let no call of a service run or be answered: callers wait until their deadline.
	 * @param service the interface, of every version and group
	 * @throws IllegalArgumentException if no bean of this context offers the interface
	 */
	public void drop(Class<?> service) {
		requireOffered(service, "drop");
		this.active.put(service, null, null);
	}

	/**
	 * Let each call fail at once with {@link RpcStatus#UNAVAILABLE}, as if no server were
	 * there. It is not sent. A {@link io.rpcboot.client.Broadcast} fails as a whole.
	 * @param service the interface, of every reference
	 * @throws IllegalArgumentException if this context has no reference to the interface
	 */
	public void refuse(Class<?> service) {
		refuse(service, RpcStatus.UNAVAILABLE);
	}

	/**
	 * Let each call fail at once. It is not sent.
	 * @param service the interface, of every reference
	 * @param status what the caller gets
	 * @throws IllegalArgumentException if this context has no reference to the interface
	 */
	public void refuse(Class<?> service, RpcStatus status) {
		boolean known = Stream.of(this.beanFactory.getBeanNamesForType(service, true, false))
			.anyMatch((name) -> name.startsWith(RpcReferenceOverrides.REFERENCE_PREFIX));
		if (!known) {
			throw new IllegalArgumentException(
					"refuse: %s (expected: the interface of a reference of this context); inject one with @RpcReference"
						.formatted(service.getName()));
		}
		this.active.put(service, status, null);
	}

	/**
	 * End the fault of an interface. Does nothing if it has none.
	 * @param service the interface
	 */
	public void heal(Class<?> service) {
		this.active.remove(service);
	}

	/**
	 * Let the server of this context tell its clients to go away, as one does that is
	 * restarted. They come back by themselves. Waits until they were told.
	 * @throws IllegalStateException if this context has no server
	 */
	public void goAway() {
		RpcServer server = this.servers.getIfAvailable();
		if (server == null) {
			throw new IllegalStateException(
					"goAway: this context has no RPC server (expected: a bean with @RpcService)");
		}
		server.goAway().join();
	}

	/**
	 * Take the registry away: nobody learns of instances that come and go.
	 * @throws IllegalStateException if the context has a registry of its own
	 */
	public void registryOutage() {
		registry().goAway();
	}

	/** Give the registry back. Does nothing if it is there. */
	public void registryBack() {
		registry().comeBack();
	}

	private FaultyRegistry registry() {
		FaultyRegistry registry = this.registries.getIfAvailable();
		if (registry == null) {
			throw new IllegalStateException(
					"registryOutage: this context has a registry of its own (expected: none, so that the test brings one)");
		}
		return registry;
	}

	/** End all faults. Happens after each test. */
	public void reset() {
		this.active.clear();
		this.registries.ifAvailable(FaultyRegistry::comeBack);
	}

	private void requireOffered(Class<?> service, String fault) {
		List<String> offered = this.servers.stream()
			.flatMap((server) -> server.services().stream())
			.map((each) -> each.service().name())
			.distinct()
			.sorted()
			.toList();
		if (!offered.contains(service.getName())) {
			throw new IllegalArgumentException(
					"%s: %s (expected: a service that this context offers: %s); add a bean with @RpcService, or use refuse"
						.formatted(fault, service.getName(), offered));
		}
	}

}
