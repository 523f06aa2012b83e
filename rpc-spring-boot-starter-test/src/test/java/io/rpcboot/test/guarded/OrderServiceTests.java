package io.rpcboot.test.guarded;

import io.rpcboot.RpcException;
import io.rpcboot.RpcStatus;
import io.rpcboot.spring.RpcReference;
import io.rpcboot.test.RpcCaller;
import io.rpcboot.test.RpcTest;
import org.junit.jupiter.api.Test;

import org.springframework.context.annotation.Import;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

@RpcTest
@Import(OrderRules.class)
class OrderServiceTests {

	@RpcReference
	private Orders orders;

	@Test
	void cancel_needsItsAuthority(RpcCaller caller) {
		caller.authenticate("ann", "SCOPE_read");
		assertThatExceptionOfType(RpcException.class).isThrownBy(() -> this.orders.cancel(7))
			.satisfies((ex) -> assertThat(ex.status()).isEqualTo(RpcStatus.PERMISSION_DENIED));
		caller.authenticate("ann", "SCOPE_cancel");
		assertThat(this.orders.cancel(7)).isEqualTo("cancelled 7");
	}

}
