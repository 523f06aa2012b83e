package io.rpcboot.test.shop;

import io.rpcboot.client.ReferenceInfo;
import io.rpcboot.client.RpcClient;
import io.rpcboot.spring.RpcReference;
import io.rpcboot.test.RpcTest;
import org.junit.jupiter.api.Test;

import org.springframework.beans.factory.annotation.Autowired;

import static org.assertj.core.api.Assertions.assertThat;

/** Shares its context with StockTests, which has no such reference. */
@RpcTest
class LateReferenceTests {

	@RpcReference(name = "late", waitForInstance = "0s")
	private Stock stock;

	@Test
	void referenceOfSecondTest_isConnected_beforeItsFirstCall(@Autowired RpcClient client) {
		assertThat(client.references()).isNotEmpty().allMatch(ReferenceInfo::isReady);
		assertThat(this.stock.available("chair")).isEqualTo(5);
	}

}
