package io.rpcboot.spring.actuate.info;

import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;

import io.rpcboot.client.ClientInfo;
import io.rpcboot.client.RpcClient;
import io.rpcboot.server.RpcServer;
import io.rpcboot.spring.actuate.endpoint.RpcBeans;
import io.rpcboot.spring.actuate.endpoint.StarterVersion;
import io.rpcboot.transport.EventLoopOptions;

import org.springframework.boot.actuate.info.Info;
import org.springframework.boot.actuate.info.InfoContributor;

/**
 * Adds to the endpoint {@code info}, under {@code rpc}: the version of the starter, the
 * transport of the sockets, the serializers, and the contract hash of each service, by
 * which two instances can be compared.
 */
final class RpcInfoContributor implements InfoContributor {

	private final RpcBeans beans;

	RpcInfoContributor(RpcBeans beans) {
		this.beans = beans;
	}

	@Override
	public void contribute(Info.Builder builder) {
		Map<String, Object> rpc = new LinkedHashMap<>();
		String version = StarterVersion.get();
		if (version != null) {
			rpc.put("version", version);
		}
		RpcServer server = this.beans.server();
		if (server != null) {
			rpc.put("server", describe(server));
		}
		RpcClient client = this.beans.client();
		if (client != null) {
			ClientInfo info = client.info();
			rpc.put("client", Map.of("transport", text(info.transport()), "serializer", info.serializer()));
		}
		if (!rpc.isEmpty()) {
			builder.withDetail("rpc", rpc);
		}
	}

	private static Map<String, Object> describe(RpcServer server) {
		Map<String, Object> result = new LinkedHashMap<>();
		EventLoopOptions.Transport transport = server.transport();
		if (transport != null) {
			result.put("transport", text(transport));
		}
		result.put("serializers",
				server.services().stream().flatMap((each) -> each.serializers().stream()).distinct().toList());
		Map<String, String> contracts = new TreeMap<>();
		server.services().forEach((each) -> contracts.put(each.service().toString(), each.contractHash()));
		result.put("contracts", contracts);
		return result;
	}

	private static String text(EventLoopOptions.Transport transport) {
		return transport.name().toLowerCase(Locale.ROOT);
	}

}
