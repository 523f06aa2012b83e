package io.rpcboot.test;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Stream;

import io.rpcboot.RpcStatus;
import io.rpcboot.server.RpcServer;
import io.rpcboot.spring.reference.RpcReferenceOverrides;

import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;

/**
 * Simulates faults in a test. Available as a parameter of a test method and as a bean. An
 * interface has at most one fault, the latest; all faults end after each test.
 * Thread-safe. Example: <pre class="code">
 * &#064;Test
 * void checkout_succeeds_whenStockIsUnavailable(RpcFaults faults) {
 * 	faults.refuse(StockService.class);
 * 	assertThat(this.shop.checkout()).isNotNull();
 * }
 * </pre>
 *
 * @since 0.1.0
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
	 * Delays each call of a service before it runs, on the thread of the call. Its
	 * deadline is unchanged.
	 * @param service the interface, of every version and group
	 * @param delay a positive duration
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
	 * Drops each call of a service: it does not run, and its caller waits until its
	 * deadline.
	 * @param service the interface, of every version and group
	 * @throws IllegalArgumentException if no bean of this context offers the interface
	 */
	public void drop(Class<?> service) {
		requireOffered(service, "drop");
		this.active.put(service, null, null);
	}

	/**
	 * Lets each stream that a method of a service returns stall: behind some elements
	 * comes nothing, until {@link #heal}. A stream that has no more of them completes.
	 * @param service the interface, of every version and group
	 * @param elements elements that still come, 0 or more; parts of an
	 * {@code InputStream}
	 * @throws IllegalArgumentException if no bean of this context offers the interface
	 */
	public void stall(Class<?> service, long elements) {
		stream("stall", service, elements, false);
	}

	/**
	 * Ends each stream that a method of a service returns behind some elements, with
	 * {@link RpcStatus#UNAVAILABLE}, as the loss of its connection does.
	 * @param service the interface, of every version and group
	 * @param elements elements that still come, 0 or more; parts of an
	 * {@code InputStream}
	 * @throws IllegalArgumentException if no bean of this context offers the interface
	 */
	public void end(Class<?> service, long elements) {
		stream("end", service, elements, true);
	}

	private void stream(String fault, Class<?> service, long elements, boolean ends) {
		if (elements < 0) {
			throw new IllegalArgumentException("elements: %d (expected: 0 or more)".formatted(elements));
		}
		requireOffered(service, fault);
		this.active.put(service, new StreamFault(elements, ends, new CompletableFuture<>()));
	}

	/**
	 * Fails each call at once with {@link RpcStatus#UNAVAILABLE}, as if there were no
	 * server. The call is not sent. A {@link io.rpcboot.client.Broadcast} fails as a
	 * whole.
	 * @param service the interface, of every reference
	 * @throws IllegalArgumentException if this context has no reference to the interface
	 */
	public void refuse(Class<?> service) {
		refuse(service, RpcStatus.UNAVAILABLE);
	}

	/**
	 * Fails each call at once. The call is not sent.
	 * @param service the interface, of every reference
	 * @param status the status that the caller receives
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
	 * Ends the fault of an interface. Does nothing if there is none.
	 * @param service the interface
	 */
	public void heal(Class<?> service) {
		this.active.remove(service);
	}

	/**
	 * Makes the server of this context tell its clients to go away, like a server that is
	 * restarted. Clients reconnect. Waits until they were told.
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
	 * Starts an outage of the registry: clients do not see instances that come and go.
	 * @throws IllegalStateException if the context has its own registry
	 */
	public void registryOutage() {
		registry().goAway();
	}

	/** Ends the outage of the registry. Does nothing if there is none. */
	public void registryBack() {
		registry().comeBack();
	}

	private FaultyRegistry registry() {
		FaultyRegistry registry = this.registries.getIfAvailable();
		if (registry == null) {
			throw new IllegalStateException(
					"registryOutage: this context has its own registry (expected: none, so that the one of the test is used)");
		}
		return registry;
	}

	/** Ends all faults. Called after each test. */
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
