package io.rpcboot.samples.snippets;

import java.util.stream.IntStream;

import io.rpcboot.loadbalance.Candidates;
import io.rpcboot.loadbalance.LoadBalancer;
import io.rpcboot.spring.RpcReference;
import io.rpcboot.test.RpcTest;
import org.junit.jupiter.api.Test;

import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.context.annotation.Import;

import static org.assertj.core.api.Assertions.assertThat;
import static org.mockito.BDDMockito.given;
import static org.mockito.Mockito.mock;

/** Runs the snippets of docs/configuration.md. */
@RpcTest
@Import({ BalancerConfiguration.class, MoneyConfiguration.class })
class ConfigurationSnippetsTests {

	private static final int CHOICES = 1000;

	@RpcReference
	private Cache cache;

	@Autowired
	private LoadBalancer balancer;

	/** Three of four pairs that it draws have the instance without calls. */
	@Test
	void balancer_prefersInstanceWithFewerCalls() {
		Candidates candidates = mock(Candidates.class);
		given(candidates.size()).willReturn(2);
		given(candidates.pendingCalls(0)).willReturn(5);
		long chosen = IntStream.range(0, CHOICES).filter((each) -> this.balancer.choose(candidates) == 1).count();
		assertThat(chosen).isBetween(650L, 850L);
	}

	@Test
	void call_succeeds_withBalancerOfApplication() {
		assertThat(this.cache.evict("a7")).isEqualTo(2);
	}

}
