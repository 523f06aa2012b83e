package io.rpcboot.test.shop;

import java.time.Duration;

import io.rpcboot.RpcException;
import io.rpcboot.RpcStatus;
import io.rpcboot.client.Broadcast;
import io.rpcboot.spring.RpcReference;
import io.rpcboot.test.RpcFaults;
import io.rpcboot.test.RpcTest;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

@RpcTest
class StockFaultTests {

	@RpcReference(timeout = "1s")
	private Stock stock;

	@Test
	void isSlow(RpcFaults faults) {
		faults.delay(Stock.class, Duration.ofSeconds(5));
		assertThatExceptionOfType(RpcException.class).isThrownBy(() -> this.stock.available("chair"))
			.satisfies((ex) -> assertThat(ex.status()).isEqualTo(RpcStatus.DEADLINE_EXCEEDED));
	}

	@Test
	void isAway(RpcFaults faults) {
		faults.refuse(Stock.class);
		assertThatExceptionOfType(RpcException.class).isThrownBy(() -> this.stock.available("chair"))
			.satisfies((ex) -> assertThat(ex.status()).isEqualTo(RpcStatus.UNAVAILABLE));
		faults.heal(Stock.class);
		assertThat(this.stock.available("chair")).isEqualTo(5);
	}

	@Test
	void broadcast_fails_whenServiceIsRefused(RpcFaults faults) {
		assertThat(Broadcast.to(this.stock).call((each) -> each.available("chair")).values()).containsExactly(5);
		assertThat(Broadcast.to(this.stock).callFuture((each) -> each.availableLater("chair")).join().values())
			.containsExactly(5);
		faults.refuse(Stock.class);
		assertThatExceptionOfType(RpcException.class)
			.isThrownBy(() -> Broadcast.to(this.stock).call((each) -> each.available("chair")))
			.satisfies((ex) -> assertThat(ex.status()).isEqualTo(RpcStatus.UNAVAILABLE));
	}

}
