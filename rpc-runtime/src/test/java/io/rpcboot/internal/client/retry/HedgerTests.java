package io.rpcboot.internal.client.retry;

import java.lang.reflect.Proxy;
import java.util.List;
import java.util.Set;
import java.util.stream.IntStream;

import io.rpcboot.Endpoint;
import io.rpcboot.RpcStatus;
import io.rpcboot.internal.client.call.CallMetadata;
import io.rpcboot.internal.client.call.CallTransport;
import io.rpcboot.internal.client.call.ClientCall;
import io.rpcboot.internal.client.call.ClientCounters;
import io.rpcboot.internal.client.connection.ClientConnection;
import io.rpcboot.internal.client.fixture.HandDrivenClient;
import io.rpcboot.internal.client.routing.CandidateSet;
import io.rpcboot.internal.client.routing.RoutingTable;
import io.rpcboot.registry.ServiceInstance;
import io.rpcboot.serialization.OutputBuffer;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/** Calls that were sent to one of two instances, of which the other has no room. */
class HedgerTests {

	private static final Endpoint HERE = endpoint(0);

	private final HandDrivenClient client = new HandDrivenClient(10);

	private final RetryBudget budget = new RetryBudget(1, this.client.clock::get);

	private final Hedger hedger = new Hedger(this.budget, this.client.directory, new ClientCounters());

	HedgerTests() {
		List<ServiceInstance> both = IntStream.range(0, 2)
			.mapToObj((i) -> new ServiceInstance("i" + i, "app", endpoint(i), 1, 0, Set.of()))
			.toList();
		CandidateSet instances = new CandidateSet(both, List.of(), new int[] { 1, 1 }, 1, this.client.clock::get);
		this.client.proxy.ready = new RoutingTable(instances, new ClientConnection[0][], null, true);
	}

	private static Endpoint endpoint(int number) {
		return new Endpoint("10.0.0." + number, 7000);
	}

	private CallTransport carrier() {
		return (CallTransport) Proxy.newProxyInstance(getClass().getClassLoader(),
				new Class<?>[] { CallTransport.class }, (proxy, method, arguments) -> switch (method.getName()) {
					case "endpoint" -> HERE;
					default -> null;
				});
	}

	private ClientCall sent() {
		ClientCall call = this.client.calls(1).get(0);
		call.connection = carrier();
		assertThat(call.markSent(1, HandDrivenClient.TIMEOUT_NANOS)).isTrue();
		return call;
	}

	/** Its time to be sent twice may come when it is overdue and was already. */
	@Test
	void call_isHedgedAtMostOnce() {
		ClientCall call = sent();
		HedgedAttempt hedge = HedgedAttempt.of(call);
		call.hedge = hedge;
		double before = this.budget.left();
		assertThat(this.hedger.hedge(call)).isTrue();
		assertThat(call.hedge).isSameAs(hedge);
		assertThat(this.budget.left()).isEqualTo(before);
	}

	/** At the next look there may be. */
	@Test
	void hedge_costsNothing_withoutPermitElsewhere() {
		ClientCall call = sent();
		double before = this.budget.left();
		assertThat(this.hedger.hedge(call)).as("others find none either").isFalse();
		assertThat(call.hedge).isNull();
		assertThat(call.isAbandoned()).isFalse();
		assertThat(this.budget.left()).isEqualTo(before);
	}

	/** The first one was sent: that the second was refused does not change it. */
	@Test
	void call_mayHaveExecuted_whenItsHedgeIsRefused() {
		ClientCall call = sent();
		HedgedAttempt hedge = HedgedAttempt.of(call);
		call.hedge = hedge;
		hedge.decides = true;
		hedge.fail(RpcStatus.RESOURCE_EXHAUSTED, "refused");
		assertThat(call.failure.status()).isEqualTo(RpcStatus.RESOURCE_EXHAUSTED);
		assertThat(call.failure.mayHaveExecuted()).isTrue();
	}

	/** An event loop may be writing the call, or another be about to. */
	@Test
	void hedgeReply_completesCall_withoutChangingItsRequest() {
		ClientCall call = sent();
		CallTransport before = call.connection;
		byte[] arguments = call.copyBody();
		HedgedAttempt hedge = HedgedAttempt.of(call);
		call.hedge = hedge;
		hedge.connection = carrier();
		byte[] answer = new byte[100];
		assertThat(hedge.completeWithReply(RpcStatus.DECLARED, null, answer, 0, answer.length, false)).isTrue();
		assertThat(call.state).as("whoever waits may go on").isEqualTo(hedge.state + 1);
		assertThat(call.status()).isEqualTo(RpcStatus.DECLARED);
		assertThat(call.answer()).isSameAs(hedge);
		assertThat(call.copyBody()).isEqualTo(arguments);
		assertThat(call.connection).isSameAs(before);
		assertThat(call.completeWithReply(RpcStatus.OK, null, answer, 0, 10, false)).as("its own answer is late")
			.isFalse();
	}

	@Test
	void lateHedgeReply_isIgnored() {
		ClientCall call = sent();
		HedgedAttempt hedge = HedgedAttempt.of(call);
		hedge.connection = carrier();
		call.claim();
		assertThat(hedge.completeWithReply(RpcStatus.OK, null, new byte[10], 0, 10, false)).isFalse();
	}

	@Test
	void originalCall_keepsAttachments_whenHedgeDropsThem() {
		ClientCall call = sent();
		byte[] section = { 0, 0, 0, 1, 7 };
		call.context = new CallMetadata(1, section, new byte[0], null, null, null);
		OutputBuffer out = new OutputBuffer(new byte[64], 64);
		out.write(section, 0, section.length);
		call.arguments(out);
		HedgedAttempt hedge = HedgedAttempt.of(call);
		assertThat(hedge.context.dropOptional()).isTrue();
		assertThat(hedge.context.attachments()).isEmpty();
		assertThat(call.context.attachments()).isEqualTo(section);
	}

	@Test
	void endedCall_isNotHedged() {
		ClientCall call = sent();
		call.claim();
		assertThat(this.hedger.hedge(call)).isTrue();
		assertThat(call.hedge).isNull();
	}

}
