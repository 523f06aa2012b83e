package io.rpcboot.engine.failover;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;

import io.rpcboot.RpcException;
import io.rpcboot.RpcMethod;
import io.rpcboot.client.ReferenceInfo.State;
import io.rpcboot.client.ReferenceOptions;
import io.rpcboot.client.RpcClient;
import io.rpcboot.context.CallOptions;
import io.rpcboot.engine.fixture.ReferenceStates;
import io.rpcboot.fixture.Eventually;
import io.rpcboot.loadbalance.RandomLoadBalancer;
import io.rpcboot.registry.InMemoryRegistry;
import io.rpcboot.resilience.HedgingOptions;
import io.rpcboot.resilience.ResilienceOptions;
import io.rpcboot.resilience.RetryOptions;
import io.rpcboot.resilience.RoutingOptions;
import io.rpcboot.server.InstanceOptions;
import io.rpcboot.server.RpcServer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/** Tests routing among instances that differ: ejection, tags, zones. */
@Timeout(60)
class SickInstanceIntegrationTests {

	/** What instances offer. */
	public interface Asked {

		@RpcMethod(idempotent = true)
		int ask();

	}

	/** An instance that does as it is told. */
	private final class Instance implements Asked {

		private final int number = SickInstanceIntegrationTests.this.instances.size();

		private final AtomicInteger calls = new AtomicInteger();

		private final RpcServer server;

		private volatile boolean fails;

		private volatile long takesMillis;

		Instance(InstanceOptions options) {
			this.server = RpcServer.builder()
				.port(0)
				.bindAddress("127.0.0.1")
				.applicationName("shop")
				.registry(SickInstanceIntegrationTests.this.registry)
				.instance(options)
				.service(Asked.class, this)
				.start();
		}

		@Override
		public int ask() {
			this.calls.incrementAndGet();
			LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(this.takesMillis));
			if (this.fails) {
				throw new IllegalStateException("sick");
			}
			return this.number;
		}

	}

	private final InMemoryRegistry registry = new InMemoryRegistry();

	private final List<Instance> instances = new ArrayList<>();

	/** The balancer sends a sick instance as many calls as others until it is ejected. */
	private final RpcClient client = RpcClient.builder()
		.registry(this.registry)
		.loadBalancer(RandomLoadBalancer::new)
		.build();

	@AfterEach
	void close() {
		this.client.close();
		this.instances.forEach((each) -> each.server.close());
		this.registry.close();
	}

	private Instance instance(InstanceOptions options) {
		Instance made = new Instance(options);
		this.instances.add(made);
		return made;
	}

	private Asked reference(RoutingOptions routing) {
		return reference(ResilienceOptions.defaults()
			.withRouting(routing.withSlowStart(Duration.ZERO))
			.withRetry(RetryOptions.defaults().withMaxAttempts(1)));
	}

	private Asked reference(ResilienceOptions resilience) {
		Asked made = this.client.reference(Asked.class, ReferenceOptions.defaults().withResilience(resilience));
		Eventually.until("all are ready", () -> ReferenceStates.ready(this.client) == this.instances.size());
		return made;
	}

	private boolean isIn(State state, Instance instance) {
		return ReferenceStates.instances(this.client)
			.stream()
			.anyMatch((each) -> each.endpoint().port() == instance.server.port() && each.state() == state);
	}

	private static void ask(Asked asked) {
		try {
			asked.ask();
		}
		catch (RpcException ex) {
			// the sick one
		}
	}

	private void askUntil(Asked asked, State state, Instance instance) {
		Eventually.until(state + "", () -> {
			ask(asked);
			return isIn(state, instance);
		});
	}

	/** Calls that one instance gets of so many. */
	private static int callsOf(Instance instance, Asked asked, int calls) {
		int before = instance.calls.get();
		for (int i = 0; i < calls; i++) {
			ask(asked);
		}
		return instance.calls.get() - before;
	}

	@Test
	void failingInstance_isOnlyProbed_untilItRecovers() {
		Instance sick = instance(InstanceOptions.defaults());
		instance(InstanceOptions.defaults());
		Asked asked = reference(RoutingOptions.defaults());
		sick.fails = true;
		askUntil(asked, State.EJECTED, sick);
		assertThat(callsOf(sick, asked, 1000)).isLessThanOrEqualTo(5);
		assertThat(ReferenceStates.instances(this.client)).filteredOn((each) -> each.state() == State.EJECTED)
			.singleElement()
			.satisfies((each) -> assertThat(each.problem()).contains("calls", "elsewhere 0 %"));
		sick.fails = false;
		askUntil(asked, State.READY, sick);
		Eventually.until("it has its share again", () -> callsOf(sick, asked, 100) > 30);
	}

	@Test
	void slowInstance_isOnlyProbed_untilItRecovers() {
		Instance sick = instance(InstanceOptions.defaults());
		instance(InstanceOptions.defaults());
		instance(InstanceOptions.defaults());
		Asked asked = reference(RoutingOptions.defaults());
		sick.takesMillis = 50;
		askUntil(asked, State.EJECTED, sick);
		assertThat(callsOf(sick, asked, 1000)).isLessThanOrEqualTo(5);
		sick.takesMillis = 0;
		askUntil(asked, State.READY, sick);
		Eventually.until("it has its share again", () -> callsOf(sick, asked, 100) > 15);
	}

	@Test
	void onlyTaggedCalls_goToTaggedInstances() throws Exception {
		Instance plain = instance(InstanceOptions.defaults());
		Instance canary = instance(InstanceOptions.defaults().withTag("canary"));
		Asked asked = reference(RoutingOptions.defaults());
		assertThat(callsOf(canary, asked, 200)).isZero();
		CallOptions tagged = CallOptions.with(RoutingOptions.TAG_ATTACHMENT, "canary");
		assertThat(tagged.call(() -> callsOf(canary, asked, 200))).isEqualTo(200);
		CallOptions unknown = CallOptions.with(RoutingOptions.TAG_ATTACHMENT, "blue");
		assertThat(unknown.call(() -> callsOf(plain, asked, 100))).as("nobody has it").isEqualTo(100);
		canary.server.close();
		Eventually.until("it is gone", () -> ReferenceStates.instances(this.client).size() == 1);
		assertThat(tagged.call(() -> callsOf(plain, asked, 100))).isEqualTo(100);
	}

	/** All of its calls are cancelled: the answers come from others. */
	@Test
	void slowInstance_isEjected_whenItsCallsAreHedged() {
		Instance sick = instance(InstanceOptions.defaults());
		instance(InstanceOptions.defaults());
		instance(InstanceOptions.defaults());
		Asked asked = reference(ResilienceOptions.defaults()
			.withHedging("ask", HedgingOptions.defaults().withDelay(Duration.ofMillis(30)))
			.withRetry(RetryOptions.defaults().withMaxAttempts(1).withBudget(1)));
		sick.takesMillis = 500;
		askUntil(asked, State.EJECTED, sick);
		sick.takesMillis = 0;
		askUntil(asked, State.READY, sick);
	}

	/** Calls with a tag may be the only ones. */
	@ParameterizedTest
	@ValueSource(strings = { "canary", "" })
	void sickInstance_isEjected_withTaggedCallsOnly(String tag) {
		Instance sick = instance(InstanceOptions.defaults().withTag(tag));
		instance(InstanceOptions.defaults().withTag(tag));
		instance(InstanceOptions.defaults());
		Asked asked = reference(RoutingOptions.defaults());
		CallOptions.with(RoutingOptions.TAG_ATTACHMENT, "canary").run(() -> {
			sick.fails = true;
			askUntil(asked, State.EJECTED, sick);
			sick.fails = false;
			askUntil(asked, State.READY, sick);
		});
	}

	@Test
	void strictTaggedCall_fails_withoutTaggedInstance() throws Exception {
		instance(InstanceOptions.defaults());
		Asked asked = reference(RoutingOptions.defaults().withStrict(true));
		assertThat(asked.ask()).isZero();
		CallOptions tagged = CallOptions.with(RoutingOptions.TAG_ATTACHMENT, "canary");
		assertThatExceptionOfType(RpcException.class).isThrownBy(() -> tagged.call(asked::ask))
			.withMessageContaining("UNAVAILABLE")
			.withMessageContaining("canary");
	}

	@Test
	void taggedClient_callsTaggedInstances() {
		Instance canary = instance(InstanceOptions.defaults().withTag("canary"));
		instance(InstanceOptions.defaults());
		Asked asked = reference(RoutingOptions.defaults().withTag("canary"));
		assertThat(callsOf(canary, asked, 100)).isEqualTo(100);
		canary.server.close();
		Eventually.until("it is gone", () -> ReferenceStates.instances(this.client).size() == 1);
		assertThat(asked.ask()).isOne();
	}

	@Test
	void calls_stayInZone_untilItIsTooSmall() {
		Instance near = instance(InstanceOptions.defaults().withZone("a"));
		Instance far = instance(InstanceOptions.defaults().withZone("b"));
		Instance farther = instance(InstanceOptions.defaults().withZone("b"));
		Asked asked = reference(RoutingOptions.defaults().withZone("a"));
		assertThat(callsOf(near, asked, 100)).isEqualTo(100);
		near.fails = true;
		askUntil(asked, State.EJECTED, near);
		assertThat(callsOf(near, asked, 500)).isLessThanOrEqualTo(5);
		assertThat(far.calls.get() + farther.calls.get()).isGreaterThan(300);
		near.fails = false;
		askUntil(asked, State.READY, near);
		Eventually.until("calls stay near", () -> callsOf(near, asked, 100) >= 99);
		for (int i = 0; i < 4; i++) {
			instance(InstanceOptions.defaults().withZone("b"));
		}
		Eventually.until("all are ready", () -> ReferenceStates.ready(this.client) == 7);
		assertThat(callsOf(near, asked, 700)).as("one of seven").isLessThan(250);
	}

}
