package io.rpcboot.test.shop;

import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

import io.rpcboot.RpcException;
import io.rpcboot.RpcStatus;
import io.rpcboot.client.Broadcast;
import io.rpcboot.spring.RpcReference;
import io.rpcboot.test.RpcFaults;
import io.rpcboot.test.RpcTest;
import org.aopalliance.intercept.MethodInterceptor;
import org.junit.jupiter.api.Test;

import org.springframework.aop.framework.autoproxy.BeanNameAutoProxyCreator;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.test.context.TestConfiguration;
import org.springframework.context.annotation.Bean;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/** Faults of references with an aspect. */
@RpcTest
class AdvisedReferenceTests {

	@RpcReference
	private Stock stock;

	@Test
	void fault_isSeen_byAspect(RpcFaults faults, @Autowired List<RpcStatus> seen) {
		faults.refuse(Stock.class, RpcStatus.RESOURCE_EXHAUSTED);
		assertThatExceptionOfType(RpcException.class).isThrownBy(() -> this.stock.available("chair"))
			.satisfies((ex) -> assertThat(ex.status()).isEqualTo(RpcStatus.RESOURCE_EXHAUSTED));
		assertThat(seen).containsExactly(RpcStatus.RESOURCE_EXHAUSTED);
		faults.heal(Stock.class);
		assertThat(this.stock.available("chair")).isEqualTo(5);
		seen.clear();
	}

	@Test
	void fault_refusesBroadcast_behindAspect(RpcFaults faults) {
		assertThat(Broadcast.to(this.stock).call((each) -> each.available("chair")).values()).containsExactly(5);
		faults.refuse(Stock.class);
		assertThatExceptionOfType(RpcException.class).isThrownBy(() -> Broadcast.to(this.stock));
	}

	@TestConfiguration(proxyBeanMethods = false)
	static class Aspects {

		@Bean
		List<RpcStatus> seen() {
			return new CopyOnWriteArrayList<>();
		}

		@Bean
		MethodInterceptor noting(List<RpcStatus> seen) {
			return (invocation) -> {
				try {
					return invocation.proceed();
				}
				catch (RpcException ex) {
					seen.add(ex.status());
					throw ex;
				}
			};
		}

		@Bean
		static BeanNameAutoProxyCreator aspects() {
			BeanNameAutoProxyCreator creator = new BeanNameAutoProxyCreator();
			creator.setBeanNames("rpcReference:*");
			creator.setInterceptorNames("noting");
			return creator;
		}

	}

}
