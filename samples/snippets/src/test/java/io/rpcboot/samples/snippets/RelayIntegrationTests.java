package io.rpcboot.samples.snippets;

import java.time.Duration;
import java.util.List;

import io.rpcboot.client.ReferenceOptions;
import io.rpcboot.client.RpcClient;
import io.rpcboot.relay.RelayRoute;
import io.rpcboot.relay.RpcRelay;
import io.rpcboot.server.RpcServer;
import io.rpcboot.transport.Protocol;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/** Runs the snippet of docs/relay.md. */
class RelayIntegrationTests {

	@Test
	void call_passesThroughRelay() {
		String service = Stock.class.getName();
		int port = 0;
		try (RpcServer server = RpcServer.builder().port(0).service(Stock.class, (Stock) (item) -> 7).start();
				RpcClient client = RpcClient.builder().build()) {
			List<String> addresses = List.of("127.0.0.1:" + server.port());
			RelayRoute route = RelayRoute.to(List.of(service))
				.withTarget(ReferenceOptions.defaults().withAddresses(addresses));
			RpcRelay relay = RpcRelay.builder().port(port).route(route).start();
			Stock stock = client.reference(Stock.class,
					ReferenceOptions.defaults()
						.withAddresses(List.of("127.0.0.1:" + relay.port()))
						.withProtocol(Protocol.GRPC));
			assertThat(stock.available("a7")).isEqualTo(7);
			relay.shutdown(Duration.ofSeconds(30));
		}
	}

	/** A contract. */
	public interface Stock {

		int available(String item);

	}

}
