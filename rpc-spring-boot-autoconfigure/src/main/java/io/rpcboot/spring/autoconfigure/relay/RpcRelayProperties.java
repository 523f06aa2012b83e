package io.rpcboot.spring.autoconfigure.relay;

import java.time.Duration;
import java.util.List;
import java.util.Map;

import io.rpcboot.client.CallbackThread;
import io.rpcboot.spring.autoconfigure.client.ReferenceSettings;
import io.rpcboot.spring.autoconfigure.client.RpcClientProperties.ReferenceBatching;
import io.rpcboot.spring.autoconfigure.client.ResilienceProperties.ReferenceEjection;
import io.rpcboot.spring.autoconfigure.client.RpcClientProperties.ReferenceMethod;
import io.rpcboot.spring.autoconfigure.client.ResilienceProperties.ReferenceRetry;
import io.rpcboot.spring.autoconfigure.client.ResilienceProperties.ReferenceRouting;
import io.rpcboot.spring.autoconfigure.client.RpcClientProperties.ReferenceSsl;
import io.rpcboot.transport.Protocol;
import org.jspecify.annotations.Nullable;

import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * Properties of the relay, {@code rpc.relay.*}.
 *
 * @param port Port of the relay, which passes calls on to other servers; 0 for any free
 * one. Without a port there is no relay.
 * @param routes Services that the relay passes on, and the way to their servers.
 * @since 0.1.0
 */
@ConfigurationProperties("rpc.relay")
public record RpcRelayProperties(@Nullable Integer port, @DefaultValue List<Route> routes) {

	/**
	 * Route of the relay.
	 *
	 * @param services Names of the services, without wildcards.
	 * @param versions Versions that the route passes on; by default all with addresses,
	 * else calls without a version.
	 * @param groups Groups that the route passes on; by default all with addresses, else
	 * calls without a group.
	 * @param attachments Attachments that a call needs for the route, by name.
	 * @param addAttachments Attachments that calls get, by name; those of a client are
	 * replaced.
	 * @param removeAttachments Names of attachments that calls lose.
	 * @param addresses Addresses of the servers, as those of a reference; without them
	 * the registry is asked.
	 * @param timeout Longest time of a call, also of one without a deadline.
	 * @param waitForInstance Time for which a call waits for an instance.
	 * @param ssl TLS of the connections to the servers.
	 * @param credentials Name of a CredentialsProvider bean, for calls without their own.
	 * @param batching When the connections to the servers flush.
	 * @param routing Choice of instances by tag and zone.
	 * @param ejection Ejection of instances that fail or are slow.
	 */
	public record Route(@DefaultValue List<String> services, @DefaultValue List<String> versions,
			@DefaultValue List<String> groups, @DefaultValue Map<String, String> attachments,
			@DefaultValue Map<String, String> addAttachments, @DefaultValue List<String> removeAttachments,
			@DefaultValue List<String> addresses, @Nullable Duration timeout, @Nullable Duration waitForInstance,
			@Nullable ReferenceSsl ssl, @Nullable String credentials, @Nullable ReferenceBatching batching,
			@Nullable ReferenceRouting routing, @Nullable ReferenceEjection ejection) implements ReferenceSettings {

		/** None: a relay repeats calls only if they did not run. */
		@Override
		public @Nullable ReferenceRetry retry() {
			return null;
		}

		@Override
		public @Nullable Protocol protocol() {
			return null;
		}

		@Override
		public @Nullable Boolean relayCredentials() {
			return null;
		}

		@Override
		public @Nullable String serializer() {
			return null;
		}

		@Override
		public @Nullable CallbackThread callbacks() {
			return null;
		}

		@Override
		public @Nullable Boolean detached() {
			return null;
		}

		@Override
		public @Nullable String fallback() {
			return null;
		}

		@Override
		public @Nullable List<String> interceptors() {
			return null;
		}

		@Override
		public Map<String, ReferenceMethod> methods() {
			return Map.of();
		}

	}

}
