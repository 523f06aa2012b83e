package io.rpcboot.test.guarded;

import io.rpcboot.RpcStatus;
import io.rpcboot.context.CallOptions;
import io.rpcboot.spring.RpcReference;
import io.rpcboot.test.RpcCaller;
import io.rpcboot.test.RpcTest;
import org.junit.jupiter.api.Test;

import static io.rpcboot.test.guarded.GuardedMethodTests.assertRefused;
import static org.assertj.core.api.Assertions.assertThat;

/**
 * A secret of the application asks for a caller; that of its client is not sent. A call
 * may have credentials of its own.
 */
@RpcTest(properties = { "rpc.server.auth.secret=VzjmxgO3W6PqYl5CwF8hM0bT1uNsRkEe",
		"rpc.client.auth.secret=VzjmxgO3W6PqYl5CwF8hM0bT1uNsRkEe", "rpc.client.auth.allow-clear-text=true" })
class SecretOfApplicationTests {

	@RpcReference
	private Orders orders;

	@Test
	void stranger_isRefused() {
		assertRefused(RpcStatus.UNAUTHENTICATED, "a client certificate or credentials are needed",
				() -> this.orders.find(7));
	}

	@Test
	void callerOfTheTest_isLetIn(RpcCaller caller) {
		caller.authenticate("ann");
		assertThat(this.orders.find(7)).isEqualTo("order 7");
	}

	@Test
	void credentialsOfTheCall_areChecked_asOnTheWire() throws Exception {
		assertThat(with("Bearer VzjmxgO3W6PqYl5CwF8hM0bT1uNsRkEe")).isEqualTo("shared-secret");
		assertRefused(RpcStatus.UNAUTHENTICATED, "the credentials are not valid", () -> with("Bearer other"));
	}

	private String with(String credentials) throws Exception {
		return CallOptions.with("authorization", credentials).call(this.orders::caller);
	}

}
