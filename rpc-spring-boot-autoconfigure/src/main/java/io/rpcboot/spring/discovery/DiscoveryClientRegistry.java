package io.rpcboot.spring.discovery;

import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;

import io.rpcboot.ServiceId;
import io.rpcboot.registry.LookupThreads;
import io.rpcboot.registry.Registry;
import io.rpcboot.registry.RegistryState;
import io.rpcboot.registry.ServiceInstance;
import org.jspecify.annotations.Nullable;

import org.springframework.cloud.client.discovery.DiscoveryClient;
import org.springframework.cloud.client.discovery.event.HeartbeatEvent;
import org.springframework.context.ApplicationListener;

/**
 * Registry on top of a {@code DiscoveryClient} of Spring Cloud: Eureka, Consul, Nacos,
 * Kubernetes and others. Looks up instances periodically, on its own threads, and when
 * the client publishes a change. Instances are registered by the discovery system, not
 * here. Thread-safe.
 *
 * @since 0.1.0
 */
public final class DiscoveryClientRegistry implements Registry, ApplicationListener<HeartbeatEvent> {

	private final DiscoveryClient client;

	private final DiscoveryOptions options;

	private final LookupThreads threads;

	private final Map<String, FollowedApplication> applications = new HashMap<>();

	/** Applications whose latest look-up failed. */
	private final Set<String> failing = new HashSet<>();

	private long outages;

	private boolean closed;

	/**
	 * Creates a registry.
	 * @param client looks up the instances of applications
	 * @param options applications of services, and the interval of look-ups
	 */
	public DiscoveryClientRegistry(DiscoveryClient client, DiscoveryOptions options) {
		this(client, options, new LookupThreads("rpc-registry-discovery"));
	}

	DiscoveryClientRegistry(DiscoveryClient client, DiscoveryOptions options, LookupThreads threads) {
		this.client = client;
		this.options = options;
		this.threads = threads;
	}

	@Override
	public boolean takesRegistrations() {
		return false;
	}

	@Override
	public Registration register(ServiceInstance instance) {
		throw new UnsupportedOperationException("instances are registered by the discovery system");
	}

	/**
	 * {@inheritDoc}
	 * @throws io.rpcboot.RpcConfigurationException if no application is set for the
	 * service
	 */
	@Override
	public synchronized Subscription subscribe(ServiceId service, Consumer<List<ServiceInstance>> listener) {
		if (this.closed) {
			throw new IllegalStateException("registry: CLOSED (expected: a registry that is open)");
		}
		String name = this.options.applicationOf(service);
		FollowedApplication application = this.applications.computeIfAbsent(name,
				(each) -> new FollowedApplication(each, this.client, this.options, this.threads,
						(failed) -> lookedUp(each, failed)));
		Consumer<Answer> follower = new Follower(service, listener);
		application.follow(follower);
		return new Subscription() {

			@Override
			public void lookAgain() {
				application.now();
			}

			@Override
			public void close() {
				leave(name, application, follower);
			}

		};
	}

	private synchronized void leave(String name, FollowedApplication application, Consumer<Answer> follower) {
		if (application.leave(follower)) {
			application.close();
			this.applications.remove(name, application);
			this.failing.remove(name);
		}
	}

	/**
	 * Counts outages: one begins when the first application fails, and ends when none
	 * fails.
	 */
	private synchronized void lookedUp(String application, boolean failed) {
		if (!failed) {
			this.failing.remove(application);
		}
		else if (this.applications.containsKey(application) && this.failing.add(application)
				&& this.failing.size() == 1) {
			this.outages++;
		}
	}

	@Override
	public void onApplicationEvent(HeartbeatEvent event) {
		followed().forEach(FollowedApplication::now);
	}

	private synchronized List<FollowedApplication> followed() {
		return List.copyOf(this.applications.values());
	}

	/**
	 * Returns {@code DISCONNECTED} while the latest look-up of an application has failed.
	 */
	@Override
	public synchronized RegistryState state() {
		if (this.closed) {
			return RegistryState.CLOSED;
		}
		return problem().isEmpty() ? RegistryState.CONNECTED : RegistryState.DISCONNECTED;
	}

	/** {@inheritDoc} If look-ups of several applications fail, the problem of one. */
	@Override
	public synchronized String problem() {
		return this.applications.values()
			.stream()
			.map(FollowedApplication::problem)
			.filter((each) -> !each.isEmpty())
			.findFirst()
			.orElse("");
	}

	@Override
	public synchronized long outages() {
		return this.outages;
	}

	@Override
	public boolean isLocal() {
		return false;
	}

	@Override
	public String description() {
		return "the DiscoveryClient (" + this.client.description() + ")";
	}

	@Override
	public String kind() {
		return "discovery-client";
	}

	@Override
	public String adviceWithoutInstance(ServiceId service) {
		FollowedApplication application = application(service);
		return (application != null) ? application.advice() : "";
	}

	private synchronized @Nullable FollowedApplication application(ServiceId service) {
		return this.applications.get(this.options.applicationOf(service));
	}

	@Override
	public synchronized void close() {
		this.closed = true;
		this.applications.values().forEach(FollowedApplication::close);
		this.applications.clear();
		this.threads.close();
	}

	private static final class Follower implements Consumer<Answer> {

		private final ServiceId service;

		private final Consumer<List<ServiceInstance>> listener;

		private @Nullable List<ServiceInstance> told;

		Follower(ServiceId service, Consumer<List<ServiceInstance>> listener) {
			this.service = service;
			this.listener = listener;
		}

		/** Not concurrent: the application calls it under its lock. */
		@Override
		public void accept(Answer answer) {
			List<ServiceInstance> snapshot = answer.offering(this.service);
			if (!snapshot.equals(this.told)) {
				this.listener.accept(snapshot);
				this.told = snapshot;
			}
		}

	}

}
