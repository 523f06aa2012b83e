package io.rpcboot.test.guarded;

import io.rpcboot.RpcStatus;
import io.rpcboot.spring.RpcReference;
import io.rpcboot.test.RpcCaller;
import io.rpcboot.test.RpcTest;
import org.junit.jupiter.api.Test;

import static io.rpcboot.test.guarded.GuardedMethodTests.assertRefused;
import static org.assertj.core.api.Assertions.assertThat;

/**
 * A list decides in process as on the wire. A setting of a reference outside of the slice
 * is no mistake.
 */
@RpcTest(
		properties = { "rpc.server.services.Orders.allow=shop,user:ann", "rpc.client.references.elsewhere.timeout=1s" })
class ListedCallerTests {

	@RpcReference
	private Orders orders;

	@RpcReference(protocol = "grpc")
	private Orders overGrpc;

	@Test
	void stranger_isRefused() {
		assertRefused(RpcStatus.UNAUTHENTICATED, "a client certificate or credentials are needed",
				() -> this.orders.find(7));
		assertRefused(RpcStatus.UNAUTHENTICATED, "a client certificate or credentials are needed",
				() -> this.overGrpc.find(7));
	}

	@Test
	void nameInTheList_isLetIn(RpcCaller caller) {
		caller.certificate("shop");
		assertThat(this.orders.find(7)).isEqualTo("order 7");
		assertThat(this.overGrpc.find(7)).isEqualTo("order 7");
		caller.certificate("till");
		assertRefused(RpcStatus.PERMISSION_DENIED, "caller 'till' may not call this", () -> this.orders.find(7));
		caller.reset();
		caller.authenticate("ann");
		assertThat(this.orders.find(7)).isEqualTo("order 7");
		caller.authenticate("shop");
		assertRefused(RpcStatus.PERMISSION_DENIED, "caller 'shop' may not call this", () -> this.overGrpc.find(7));
	}

}
