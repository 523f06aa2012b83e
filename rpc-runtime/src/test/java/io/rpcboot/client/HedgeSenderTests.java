package io.rpcboot.client;

import java.lang.reflect.Proxy;
import java.util.List;
import java.util.Set;
import java.util.stream.IntStream;

import org.junit.jupiter.api.Test;

import io.rpcboot.Endpoint;
import io.rpcboot.internal.cluster.RetryBudget;
import io.rpcboot.registry.ServiceInstance;

import static org.assertj.core.api.Assertions.assertThat;

/** Calls that were sent to one of two instances, of which the other has no room. */
class HedgeSenderTests {

	private static final Endpoint HERE = endpoint(0);

	private final HandDrivenClient client = new HandDrivenClient(10);

	private final RetryBudget budget = new RetryBudget(1, this.client.clock::get);

	private final HedgeSender sender = new HedgeSender(this.budget, this.client.directory, new ClientCounts());

	HedgeSenderTests() {
		List<ServiceInstance> both = IntStream.range(0, 2)
			.mapToObj((i) -> new ServiceInstance("i" + i, "app", endpoint(i), 1, 0, Set.of()))
			.toList();
		ReadyInstances instances = new ReadyInstances(both, List.of(), new int[] { 1, 1 }, 1, this.client.clock::get);
		this.client.proxy.ready = new Ready(instances, new ClientConnection[0][], null, true);
	}

	private static Endpoint endpoint(int number) {
		return new Endpoint("10.0.0." + number, 7000);
	}

	private ClientCall sent() {
		ClientCall call = this.client.calls(1).get(0);
		call.connection = (CallCarrier) Proxy.newProxyInstance(getClass().getClassLoader(),
				new Class<?>[] { CallCarrier.class }, (proxy, method, arguments) -> HERE);
		assertThat(call.markSent(1, HandDrivenClient.TIMEOUT_NANOS, false)).isTrue();
		return call;
	}

	/** Its time to be sent twice may come when it is overdue and was already. */
	@Test
	void aCallGoesTwiceAndNotThreeTimes() {
		ClientCall call = sent();
		HedgeCall hedge = HedgeCall.of(call);
		call.hedge = hedge;
		double before = this.budget.left();
		assertThat(this.sender.send(call)).isTrue();
		assertThat(call.hedge).isSameAs(hedge);
		assertThat(this.budget.left()).isEqualTo(before);
	}

	/** At the next look there may be. */
	@Test
	void aCallForWhichThereIsNoRoomElsewhereCostsNothingAndMayGoLater() {
		ClientCall call = sent();
		double before = this.budget.left();
		assertThat(this.sender.send(call)).as("others find none either").isFalse();
		assertThat(call.hedge).isNull();
		assertThat(call.isAbandoned()).isFalse();
		assertThat(this.budget.left()).isEqualTo(before);
	}

	@Test
	void aCallThatIsOverIsNotSentAgain() {
		ClientCall call = sent();
		call.claim();
		assertThat(this.sender.send(call)).isTrue();
		assertThat(call.hedge).isNull();
	}

}
