package io.rpcboot.test.shop;

import io.rpcboot.test.RpcFaults;
import io.rpcboot.test.RpcTest;
import org.junit.jupiter.api.Test;

import org.springframework.beans.factory.annotation.Autowired;

import static org.assertj.core.api.Assertions.assertThat;

@RpcTest
class RpcFaultsConstructorTests {

	private final RpcFaults faults;

	@Autowired
	RpcFaultsConstructorTests(RpcFaults faults) {
		this.faults = faults;
	}

	@Test
	void constructorParameters_areInjectedBySpring(RpcFaults given) {
		assertThat(given).isSameAs(this.faults);
	}

}
