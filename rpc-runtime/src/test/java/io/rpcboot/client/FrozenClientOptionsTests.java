package io.rpcboot.client;

import io.rpcboot.internal.client.runtime.ClientOptions;
import io.rpcboot.transport.BatchingOptions;
import io.rpcboot.transport.RpcConnectionListener;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/** Tests that changes of a builder after the build do not reach the client. */
class FrozenClientOptionsTests {

	private final RpcClientBuilder builder = RpcClient.builder();

	@Test
	void clientBatching_isUnchanged_afterBuilderChanges() {
		try (RpcClient client = this.builder.build()) {
			this.builder.batching(BatchingOptions.defaults().withMaxMessages(7));
			assertThat(client.batching()).isEqualTo(BatchingOptions.defaults());
		}
	}

	@Test
	void frozenOptions_areUnchanged_afterBuilderChanges() {
		RpcConnectionListener listener = new RpcConnectionListener() {
		};
		this.builder.connectionListener(listener);
		ClientOptions frozen = this.builder.options.frozen();
		this.builder.connectionListener(listener).maxPendingCalls(7);
		assertThat(frozen.connectionListeners).hasSize(1);
		assertThat(frozen.maxPendingCalls).isEqualTo(65_536);
		assertThatExceptionOfType(UnsupportedOperationException.class).isThrownBy(frozen.connectionListeners::clear);
	}

}
