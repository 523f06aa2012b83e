package io.rpcboot.samples.snippets;

import java.util.concurrent.ThreadLocalRandom;

import io.rpcboot.loadbalance.LoadBalancer;

import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Scope;

@Configuration(proxyBeanMethods = false)
class BalancerConfiguration {

	@Bean
	@Scope("prototype")
	LoadBalancer leastPending() {
		return (candidates) -> {
			ThreadLocalRandom random = ThreadLocalRandom.current();
			int one = random.nextInt(candidates.size());
			int other = random.nextInt(candidates.size());
			return (candidates.pendingCalls(one) <= candidates.pendingCalls(other)) ? one : other;
		};
	}

}
