package io.rpcboot.test.shop;

import io.rpcboot.spring.RpcReference;
import io.rpcboot.test.RpcTest;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

@RpcTest
class StockTests {

	@RpcReference
	private Stock stock;

	@Test
	void answers() {
		assertThat(this.stock.available("chair")).isEqualTo(5);
	}

}
