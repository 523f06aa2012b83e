package io.rpcboot.internal.server.runtime;

import io.rpcboot.metrics.GaugeRegistrations;
import io.rpcboot.metrics.RpcMetrics;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

class ClearTextClientsTests {

	private final ClearTextClients clients = new ClearTextClients(new GaugeRegistrations(RpcMetrics.none()));

	@Test
	void connections_areCountedByApplication() {
		this.clients.connected("shop");
		this.clients.connected("shop");
		this.clients.connected("");
		assertThat(this.clients.counts()).containsEntry("shop", 2L).containsEntry("unknown", 1L).hasSize(2);
	}

	@Test
	void inventedNames_areCountedTogether() {
		for (int i = 0; i < 500; i++) {
			this.clients.connected("shop" + i);
		}
		this.clients.connected("shop0");
		assertThat(this.clients.counts()).hasSize(101).containsEntry("shop0", 2L).containsEntry("other", 400L);
	}

}
