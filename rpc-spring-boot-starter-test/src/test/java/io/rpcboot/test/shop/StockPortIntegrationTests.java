package io.rpcboot.test.shop;

import io.rpcboot.Endpoint;
import io.rpcboot.client.ReferenceOptions;
import io.rpcboot.client.RpcClient;
import io.rpcboot.spring.test.LocalRpcPort;
import org.junit.jupiter.api.Test;

import org.springframework.boot.test.context.SpringBootTest;

import static org.assertj.core.api.Assertions.assertThat;

@SpringBootTest
class StockPortIntegrationTests {

	@LocalRpcPort
	private int port;

	@Test
	void server_listensAtInjectedPort() {
		try (RpcClient client = RpcClient.builder().build()) {
			Stock stock = client.reference(Stock.class,
					ReferenceOptions.defaults().withEndpoints(new Endpoint("127.0.0.1", this.port)));
			assertThat(stock.available("chair")).isEqualTo(5);
		}
	}

}
