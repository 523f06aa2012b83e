package io.rpcboot.spring.discovery;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Set;

import io.rpcboot.Endpoint;
import io.rpcboot.RpcConfigurationException;
import io.rpcboot.ServiceId;
import io.rpcboot.registry.ServiceInstance;
import io.rpcboot.transport.Protocol;
import org.jspecify.annotations.Nullable;

/**
 * Instances of an application, as the discovery system lists them.
 *
 * @param instances usable instances, without services
 * @param withoutPort instances without an RPC port, as text for messages
 */
record Answer(List<ServiceInstance> instances, List<String> withoutPort) {

	static final Answer NONE = new Answer(List.of(), List.of());

	private static final String WEIGHT = "rpc-weight";

	private static final String ZONE = "rpc-zone";

	private static final String TAG = "rpc-tag";

	private static final String PROTOCOLS = "rpc-protocols";

	private static final String TLS = "rpc-tls";

	private static final String SERVER_NAME = "rpc-server-name";

	private static final int MAX_WEIGHT = 10_000;

	static Answer of(String application, List<org.springframework.cloud.client.ServiceInstance> found,
			String portMetadata) {
		List<ServiceInstance> instances = new ArrayList<>();
		List<String> withoutPort = new ArrayList<>();
		for (org.springframework.cloud.client.ServiceInstance each : found) {
			Map<String, String> metadata = (each.getMetadata() != null) ? each.getMetadata() : Map.of();
			String port = portMetadata.isEmpty() ? String.valueOf(each.getPort()) : metadata.get(portMetadata);
			Endpoint endpoint = endpoint(each.getHost(), port);
			if (endpoint == null) {
				withoutPort.add(each.getHost() + ((port != null) ? " (" + port + ")" : ""));
				continue;
			}
			String names = metadata.getOrDefault(PROTOCOLS, "");
			Set<Protocol> protocols = Protocol.parse(names);
			if (protocols.isEmpty() && !names.isBlank()) {
				continue; // it speaks none that this client knows
			}
			String id = (each.getInstanceId() != null) ? each.getInstanceId() : endpoint.toString();
			instances.add(new ServiceInstance(id, application, endpoint, weight(metadata), 0, Set.of(),
					name(metadata.get(ZONE)), name(metadata.get(TAG)), protocols, "true".equals(metadata.get(TLS)),
					metadata.getOrDefault(SERVER_NAME, "")));
		}
		// sorted, so that another order is no change
		instances.sort(Comparator.comparing((ServiceInstance each) -> each.endpoint().toString())
			.thenComparing(ServiceInstance::id));
		return new Answer(List.copyOf(instances), List.copyOf(withoutPort));
	}

	private static @Nullable Endpoint endpoint(@Nullable String host, @Nullable String port) {
		if (host == null || port == null) {
			return null;
		}
		try {
			String plain = host.startsWith("[") ? host.substring(1, host.length() - 1) : host;
			return new Endpoint(plain, Integer.parseInt(port.trim()));
		}
		catch (NumberFormatException | RpcConfigurationException ex) {
			return null;
		}
	}

	private static int weight(Map<String, String> metadata) {
		try {
			int weight = Integer.parseInt(metadata.getOrDefault(WEIGHT, ""));
			return (weight >= 1 && weight <= MAX_WEIGHT) ? weight : ServiceInstance.DEFAULT_WEIGHT;
		}
		catch (NumberFormatException ex) {
			return ServiceInstance.DEFAULT_WEIGHT;
		}
	}

	private static String name(@Nullable String text) {
		return (text != null && ServiceInstance.isName(text)) ? text : "";
	}

	/** Returns the instances with a service. */
	List<ServiceInstance> offering(ServiceId service) {
		return this.instances.stream().map((each) -> each.withServices(Set.of(service))).toList();
	}

}
