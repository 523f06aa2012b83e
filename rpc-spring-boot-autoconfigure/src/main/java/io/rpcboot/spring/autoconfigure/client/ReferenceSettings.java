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
import org.jspecify.annotations.Nullable;

/**
 * What may be set for one reference as well as for all references to one service. What is
 * null or empty is not set.
 */
interface ReferenceSettings {

	List<String> addresses();

	@Nullable Duration timeout();

	@Nullable Duration waitForInstance();

	@Nullable String serializer();

	@Nullable CallbackThread callbacks();

	@Nullable ReferenceBatching batching();

	@Nullable ReferenceRouting routing();

	@Nullable ReferenceEjection ejection();

	@Nullable ReferenceRetry retry();

	@Nullable Boolean detached();

	/** The name of a bean; empty for none, whatever else says. */
	@Nullable String fallback();

	/** The names of beans; empty for none, whatever else says. */
	@Nullable List<String> interceptors();

	Map<String, ReferenceMethod> methods();

}
