package io.rpcboot.client;

import java.time.Duration;
import java.util.List;

import io.rpcboot.Endpoint;
import io.rpcboot.serialization.Serializer;
import io.rpcboot.transport.BatchingOptions;
import io.rpcboot.transport.Options;
import org.jspecify.annotations.Nullable;

/**
 * What distinguishes one reference from another to the same interface.
 *
 * @param version version of the service, empty for none
 * @param group group of the service, empty for none
 * @param timeout time allowed for a call, null for that of the client
 * @param endpoints where to call, without a registry; empty to ask the registry
 * @param serializer how objects become bytes, null for the serializer of the client
 * @param batching when connections flush, null for the batching of the client; references
 * with different batching share no connection
 * @param callbacks which thread completes futures, null for the choice of the client
 */
public record ReferenceOptions(String version, String group, @Nullable Duration timeout, List<Endpoint> endpoints,
		@Nullable Serializer serializer, @Nullable BatchingOptions batching, @Nullable Callbacks callbacks) {

	public ReferenceOptions {
		Options.require(timeout == null || (!timeout.isZero() && !timeout.isNegative()), "timeout",
				String.valueOf(timeout), "a positive duration such as 3s");
		Options.require(serializer == null || Serializer.hasValidName(serializer), "serializer",
				(serializer != null) ? "'" + serializer.name() + "'" : "none",
				"a name of lower-case letters, digits and '-', at most 32");
		endpoints = List.copyOf(endpoints);
	}

	/**
	 * No version, no group, the client's other settings, instances from the registry.
	 * @return the defaults
	 */
	public static ReferenceOptions defaults() {
		return new ReferenceOptions("", "", null, List.of(), null, null, null);
	}

	/**
	 * Ask for a version.
	 * @param version the version
	 * @return changed options
	 */
	public ReferenceOptions withVersion(String version) {
		return new ReferenceOptions(version, this.group, this.timeout, this.endpoints, this.serializer, this.batching,
				this.callbacks);
	}

	/**
	 * Ask for a group.
	 * @param group the group
	 * @return changed options
	 */
	public ReferenceOptions withGroup(String group) {
		return new ReferenceOptions(this.version, group, this.timeout, this.endpoints, this.serializer, this.batching,
				this.callbacks);
	}

	/**
	 * Set the time allowed for a call.
	 * @param timeout more than 0
	 * @return changed options
	 */
	public ReferenceOptions withTimeout(Duration timeout) {
		return new ReferenceOptions(this.version, this.group, timeout, this.endpoints, this.serializer, this.batching,
				this.callbacks);
	}

	/**
	 * Call these addresses without asking the registry.
	 * @param endpoints one or more
	 * @return changed options
	 */
	public ReferenceOptions withEndpoints(Endpoint... endpoints) {
		return new ReferenceOptions(this.version, this.group, this.timeout, List.of(endpoints), this.serializer,
				this.batching, this.callbacks);
	}

	/**
	 * Choose the serializer. References to one service may use several.
	 * @param serializer one that the servers accept for this service
	 * @return changed options
	 */
	public ReferenceOptions withSerializer(Serializer serializer) {
		return new ReferenceOptions(this.version, this.group, this.timeout, this.endpoints, serializer, this.batching,
				this.callbacks);
	}

	/**
	 * Choose when connections flush. References to one server share its connections only
	 * if their batching is equal.
	 * @param batching the options
	 * @return changed options
	 */
	public ReferenceOptions withBatching(BatchingOptions batching) {
		return new ReferenceOptions(this.version, this.group, this.timeout, this.endpoints, this.serializer, batching,
				this.callbacks);
	}

	/**
	 * Choose the thread that completes futures.
	 * @param callbacks the choice
	 * @return changed options
	 */
	public ReferenceOptions withCallbacks(Callbacks callbacks) {
		return new ReferenceOptions(this.version, this.group, this.timeout, this.endpoints, this.serializer,
				this.batching, callbacks);
	}

}
