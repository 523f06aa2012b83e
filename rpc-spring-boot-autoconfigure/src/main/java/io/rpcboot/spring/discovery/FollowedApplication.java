package io.rpcboot.spring.discovery;

import java.util.List;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArraySet;
import java.util.function.Consumer;

import io.rpcboot.registry.Lookup;
import io.rpcboot.registry.LookupThreads;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import org.springframework.cloud.client.discovery.DiscoveryClient;

/**
 * An application of the discovery system. References to its services share its look-ups.
 * Thread-safe.
 */
final class FollowedApplication {

	private static final Logger logger = LoggerFactory.getLogger("rpc.registry");

	private final String name;

	private final DiscoveryClient client;

	private final String portMetadata;

	/** Receives true after each failed look-up, false after each successful one. */
	private final Consumer<Boolean> failures;

	private final Set<Consumer<Answer>> listeners = new CopyOnWriteArraySet<>();

	private final Lookup<Answer> lookup;

	private @Nullable Answer latest;

	/** True if the latest look-up found no instance but the one before did. */
	private boolean vanished;

	private boolean warnedOfPorts;

	FollowedApplication(String name, DiscoveryClient client, DiscoveryOptions options, LookupThreads threads,
			Consumer<Boolean> failures) {
		this.name = name;
		this.client = client;
		this.portMetadata = options.portMetadata();
		this.failures = failures;
		this.lookup = new Lookup<>("Application " + name, this::ask, this::onAnswer, options.interval(), threads);
	}

	private Answer ask() {
		boolean failed = true;
		try {
			List<org.springframework.cloud.client.ServiceInstance> found = this.client.getInstances(this.name);
			Answer answer = (found != null) ? Answer.of(this.name, found, this.portMetadata) : Answer.NONE;
			failed = false;
			return answer;
		}
		finally {
			this.failures.accept(failed);
		}
	}

	/**
	 * Publishes an answer. Some discovery clients return an empty list if they cannot
	 * reach their server, so an empty list must be confirmed by the next look-up.
	 */
	private synchronized void onAnswer(Answer answer) {
		warnOfPorts(answer);
		boolean none = answer.instances().isEmpty();
		boolean had = this.latest != null && !this.latest.instances().isEmpty();
		if (none && had && !this.vanished) {
			this.vanished = true;
			return;
		}
		this.vanished = false;
		this.latest = answer;
		this.listeners.forEach((listener) -> listener.accept(answer));
	}

	private void warnOfPorts(Answer answer) {
		if (!answer.withoutPort().isEmpty() && !this.warnedOfPorts) {
			this.warnedOfPorts = true;
			logger.warn(
					"Application {}: {} without an RPC port under '{}' in the metadata, {}; not called. "
							+ "Set {} in the metadata of the provider, or rpc.registry.discovery-client.port-metadata",
					this.name,
					(answer.withoutPort().size() == 1) ? "an instance" : answer.withoutPort().size() + " instances",
					this.portMetadata, answer.withoutPort().get(0), this.portMetadata);
		}
	}

	synchronized void follow(Consumer<Answer> listener) {
		this.listeners.add(listener);
		if (this.latest != null) {
			listener.accept(this.latest);
		}
		else {
			this.lookup.now();
		}
	}

	/** Removes a listener. Returns true if none is left. */
	boolean leave(Consumer<Answer> listener) {
		this.listeners.remove(listener);
		return this.listeners.isEmpty();
	}

	void now() {
		this.lookup.now();
	}

	/** Returns why the latest look-up failed or that it hangs; else empty. */
	String problem() {
		return this.lookup.problem();
	}

	/** Returns why there is no instance. */
	synchronized String advice() {
		String problem = this.lookup.problem();
		if (!problem.isEmpty() || this.latest == null) {
			return problem;
		}
		int withoutPort = this.latest.withoutPort().size();
		return (withoutPort == 0) ? "application %s has no instance there".formatted(this.name)
				: "application %s: %d without an RPC port under '%s' in the metadata".formatted(this.name, withoutPort,
						this.portMetadata);
	}

	void close() {
		this.lookup.close();
	}

}
