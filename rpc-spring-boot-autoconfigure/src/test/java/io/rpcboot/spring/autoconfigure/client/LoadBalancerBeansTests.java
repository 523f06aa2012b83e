package io.rpcboot.spring.autoconfigure.client;

import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;

import io.rpcboot.RpcRouteKey;
import io.rpcboot.client.RpcClient;
import io.rpcboot.loadbalance.Candidates;
import io.rpcboot.loadbalance.LoadBalancer;
import io.rpcboot.server.RpcServer;
import io.rpcboot.spring.RpcReference;
import io.rpcboot.spring.autoconfigure.fixture.PropertyEffect;
import io.rpcboot.spring.autoconfigure.registry.RpcRegistryAutoConfiguration;
import io.rpcboot.spring.autoconfigure.serialization.RpcSerializationAutoConfiguration;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import org.springframework.beans.factory.NoUniqueBeanDefinitionException;
import org.springframework.beans.factory.config.BeanDefinition;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.ApplicationContext;
import org.springframework.context.support.GenericApplicationContext;

import static org.assertj.core.api.Assertions.assertThat;

/** Two instances of a service with two references, and a bean that chooses. */
class LoadBalancerBeansTests {

	private final List<RpcServer> servers = IntStream.range(0, 2)
		.mapToObj((number) -> RpcServer.builder()
			.port(0)
			.bindAddress("127.0.0.1")
			.service(Shelf.class, new Instance(number))
			.start())
		.toList();

	private final ApplicationContextRunner runner = new ApplicationContextRunner()
		.withPropertyValues("rpc.client.load-balancer=round-robin",
				"rpc.client.services.Shelf.addresses=" + address(0) + "," + address(1))
		.withBean(User.class)
		.withConfiguration(AutoConfigurations.of(RpcClientAutoConfiguration.class, RpcRegistryAutoConfiguration.class,
				RpcSerializationAutoConfiguration.class));

	private String address(int number) {
		return "127.0.0.1:" + this.servers.get(number).port();
	}

	@AfterEach
	void close() {
		this.servers.forEach(RpcServer::close);
	}

	/** What both offer. */
	public interface Shelf {

		int any();

		int ofKey(@RpcRouteKey String key);

	}

	private record Instance(int number) implements Shelf {

		@Override
		public int any() {
			return this.number;
		}

		@Override
		public int ofKey(String key) {
			return this.number;
		}

	}

	record User(@RpcReference Shelf one, @RpcReference(name = "Shelf") Shelf other) {

	}

	/** The instance with the larger port. */
	static final class Last implements LoadBalancer {

		static final AtomicInteger MADE = new AtomicInteger();

		Last() {
			MADE.incrementAndGet();
		}

		@Override
		public int choose(Candidates candidates) {
			return (candidates.instance(0).endpoint().port() > candidates.instance(1).endpoint().port()) ? 0 : 1;
		}

	}

	private int last() {
		return (this.servers.get(0).port() > this.servers.get(1).port()) ? 0 : 1;
	}

	private static User ready(ApplicationContext context) {
		User user = context.getBean(User.class);
		RpcClient client = context.getBean(RpcClient.class);
		Awaitility.await()
			.atMost(Duration.ofSeconds(20))
			.until(() -> client.references()
				.stream()
				.allMatch((each) -> each.instances().stream().allMatch((instance) -> instance.connections() == 1)));
		return user;
	}

	@Test
	void loadBalancerBean_overridesPropertyButNotRouteKeys() {
		this.runner.withBean(Last.class).run((context) -> {
			User user = ready(context);
			for (int i = 0; i < 20; i++) {
				assertThat(user.one().any()).isEqualTo(last());
				assertThat(user.other().any()).isEqualTo(last());
			}
			assertThat(IntStream.range(0, 50).map((i) -> user.one().ofKey("key" + i))).contains(0, 1);
		});
	}

	@Test
	void prototypeLoadBalancer_isCreatedForEachReference() {
		Last.MADE.set(0);
		this.runner
			.withInitializer((context) -> ((GenericApplicationContext) context).registerBean(Last.class,
					(definition) -> definition.setScope(BeanDefinition.SCOPE_PROTOTYPE)))
			.run((context) -> {
				assertThat(ready(context).one().any()).isEqualTo(last());
				assertThat(Last.MADE).hasValue(2);
			});
	}

	@Test
	void loadBalancerBeans_failStartup_whenAmbiguous() {
		this.runner.withBean("one", Last.class)
			.withBean("other", Last.class)
			.run((context) -> assertThat(context).getFailure()
				.rootCause()
				.isInstanceOf(NoUniqueBeanDefinitionException.class)
				.hasMessageContaining("one,other"));
	}

	@ParameterizedTest
	@ValueSource(strings = { "random", "round-robin", "least-pending", "power-of-two" })
	void everyLoadBalancer_reachesAllInstances(String name) {
		this.runner.withPropertyValues("rpc.client.load-balancer=" + name).run((context) -> {
			User user = ready(context);
			Set<Integer> reached = new HashSet<>();
			Awaitility.await().atMost(Duration.ofSeconds(20)).pollInterval(Duration.ofMillis(1)).until(() -> {
				reached.add(user.one().any());
				return reached.size() == 2;
			});
		});
	}

	@Test
	@PropertyEffect("rpc.client.load-balancer")
	void loadBalancerProperty_applies_withoutBean() {
		this.runner.run((context) -> {
			User user = ready(context);
			int first = user.one().any();
			assertThat(IntStream.range(1, 40).map((i) -> user.one().any()).toArray())
				.containsExactly(IntStream.range(1, 40).map((i) -> (first + i) % 2).toArray());
		});
	}

}
