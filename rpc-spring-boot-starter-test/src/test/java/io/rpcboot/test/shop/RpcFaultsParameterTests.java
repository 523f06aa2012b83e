package io.rpcboot.test.shop;

import io.rpcboot.test.RpcFaults;
import io.rpcboot.test.RpcTest;
import org.junit.jupiter.api.Test;

import org.springframework.beans.factory.annotation.Autowired;

import static org.assertj.core.api.Assertions.assertThat;

@RpcTest
class RpcFaultsParameterTests {

	private final RpcFaults injected;

	private final RpcFaults given;

	RpcFaultsParameterTests(@Autowired RpcFaults injected, RpcFaults given) {
		this.injected = injected;
		this.given = given;
	}

	@Test
	void faults_areSameObject_atEveryInjectionPoint(@Autowired RpcFaults injected, RpcFaults given) {
		assertThat(injected).isSameAs(this.injected);
		assertThat(given).isSameAs(injected).isSameAs(this.given);
	}

}
