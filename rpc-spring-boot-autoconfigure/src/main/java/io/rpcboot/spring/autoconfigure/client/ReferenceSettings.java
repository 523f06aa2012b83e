package io.rpcboot.spring.autoconfigure.client;

import java.time.Duration;
import java.util.List;
import java.util.Map;

import io.rpcboot.client.CallbackThread;
import io.rpcboot.spring.autoconfigure.client.ResilienceProperties.ReferenceEjection;
import io.rpcboot.spring.autoconfigure.client.ResilienceProperties.ReferenceRetry;
import io.rpcboot.spring.autoconfigure.client.ResilienceProperties.ReferenceRouting;
import io.rpcboot.spring.autoconfigure.client.RpcClientProperties.ReferenceBatching;
import io.rpcboot.spring.autoconfigure.client.RpcClientProperties.ReferenceMethod;
import io.rpcboot.spring.autoconfigure.client.RpcClientProperties.ReferenceSsl;
import io.rpcboot.transport.Protocol;
import org.jspecify.annotations.Nullable;

/**
 * Settings that a reference, a service and a route of a relay may have. Null or empty:
 * not set.
 *
 * @since 0.1.0
 */
public interface ReferenceSettings {

	List<String> addresses();

	@Nullable Duration timeout();

	@Nullable Duration waitForInstance();

	@Nullable Protocol protocol();

	@Nullable ReferenceSsl ssl();

	/** Name of a bean. */
	@Nullable String credentials();

	@Nullable Boolean relayCredentials();

	@Nullable String serializer();

	@Nullable CallbackThread callbacks();

	@Nullable ReferenceBatching batching();

	@Nullable ReferenceRouting routing();

	@Nullable ReferenceEjection ejection();

	@Nullable ReferenceRetry retry();

	@Nullable Boolean detached();

	/** Name of a bean; empty for no fallback, which overrides the annotation. */
	@Nullable String fallback();

	/** Names of beans; empty for no interceptors, which overrides the annotation. */
	@Nullable List<String> interceptors();

	Map<String, ReferenceMethod> methods();

}
