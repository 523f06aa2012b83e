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

	private final Hedger hedger = new Hedger(this.budget, Set.of(RpcStatus.UNAVAILABLE), this.client.directory,
			new ClientCounters());

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

	private HedgedCall hedged(ClientCall first) {
		HedgedCall call = new HedgedCall(this.hedger);
		call.begins(first);
		return call;
	}

	/** Its time to be sent twice may come again. */
	@Test
	void call_isHedgedAtMostOnce() {
		HedgedCall call = hedged(sent());
		assertThat(call.makeSecond()).isNotNull();
		double before = this.budget.left();
		assertThat(this.hedger.hedge(call)).isTrue();
		assertThat(call.makeSecond()).isNull();
		assertThat(this.budget.left()).isEqualTo(before);
	}

	@Test
	void unsentCall_isHedgedLater() {
		ClientCall first = this.client.calls(1).get(0);
		HedgedCall call = hedged(first);
		assertThat(this.hedger.hedge(call)).isFalse();
		assertThat(call.makeSecond()).isNull();
		first.connection = carrier();
		assertThat(call.makeSecond()).as("none was made").isNotNull();
	}

	@Test
	void hedge_costsNothing_withoutRoomElsewhere() {
		ClientCall first = sent();
		HedgedCall call = hedged(first);
		double before = this.budget.left();
		assertThat(this.hedger.hedge(call)).isTrue();
		assertThat(first.isAbandoned()).isFalse();
		assertThat(this.budget.left()).isEqualTo(before);
	}

	@Test
	void call_isNotHedged_withoutPermit() {
		HedgedCall call = hedged(sent());
		this.client.limit.room.drainPermits();
		assertThat(call.makeSecond()).isNull();
	}

	/** The first one was sent: that the second was refused does not change it. */
	@Test
	void call_mayHaveExecuted_whenItsHedgeIsRefused() {
		ClientCall first = sent();
		HedgedCall call = hedged(first);
		ClientCall second = call.makeSecond();
		assertThat(this.client.directory.hedge(second, first.connection)).as("nobody takes it").isFalse();
		first.fail(RpcStatus.UNAVAILABLE, "lost");
		assertThat(call.decide(first)).as("the other may answer").isNull();
		assertThat(call.decide(second)).isSameAs(second);
		assertThat(second.failure.mayHaveExecuted()).isTrue();
	}

	@Test
	void failureOfCallAlone_decides() {
		ClientCall first = sent();
		HedgedCall call = hedged(first);
		call.makeSecond();
		first.fail(RpcStatus.INVALID_ARGUMENT, "of this call");
		assertThat(call.decide(first)).isSameAs(first);
	}

	@Test
	void firstCall_goesOn_whenSecondFails() {
		ClientCall first = sent();
		HedgedCall call = hedged(first);
		ClientCall second = call.makeSecond();
		assertThat(call.isRace()).isTrue();
		second.fail(RpcStatus.INVALID_ARGUMENT, "another version");
		assertThat(call.decide(second)).isNull();
		assertThat(call.isRace()).as("the first may be retried").isFalse();
		first.fail(RpcStatus.UNAVAILABLE, "lost");
		assertThat(call.decide(first)).isSameAs(first);
	}

	/** A call that was never sent says nothing about the other one. */
	@Test
	void failureThatMayHaveExecuted_counts() {
		ClientCall first = sent();
		HedgedCall call = hedged(first);
		ClientCall second = call.makeSecond();
		second.markSent(2, HandDrivenClient.TIMEOUT_NANOS);
		second.fail(RpcStatus.UNAVAILABLE, "lost");
		assertThat(call.decide(second)).isNull();
		first.markNotExecuted();
		first.fail(RpcStatus.UNAVAILABLE, "nobody takes it");
		assertThat(first.failure.mayHaveExecuted()).isFalse();
		assertThat(call.decide(first)).isSameAs(second);
	}

	/** An event loop may be writing the call, or another be about to. */
	@Test
	void hedgeReply_decides_withoutChangingRequestOfFirst() {
		ClientCall first = sent();
		byte[] arguments = first.copyBody();
		HedgedCall call = hedged(first);
		ClientCall second = call.makeSecond();
		second.connection = carrier();
		byte[] answer = new byte[100];
		assertThat(second.completeWithReply(RpcStatus.DECLARED, null, answer, 0, answer.length, false)).isTrue();
		assertThat(call.decide(second)).isSameAs(second);
		assertThat(second.status()).isEqualTo(RpcStatus.DECLARED);
		assertThat(first.copyBody()).isEqualTo(arguments);
		first.cancel("lost");
		assertThat(first.status()).isEqualTo(RpcStatus.CANCELLED);
		assertThat(call.decide(first)).as("decided already").isNull();
	}

	@Test
	void originalCall_keepsAttachments_whenHedgeDropsThem() {
		ClientCall first = sent();
		byte[] section = { 0, 0, 0, 1, 7 };
		first.context = new CallMetadata(1, section, new byte[0], null, null, null);
		OutputBuffer out = new OutputBuffer(new byte[64], 64);
		out.write(section, 0, section.length);
		first.arguments(out);
		ClientCall second = hedged(first).makeSecond();
		assertThat(second.context.dropOptional()).isTrue();
		assertThat(second.context.attachments()).isEmpty();
		assertThat(first.context.attachments()).isEqualTo(section);
	}

	/** The application has made one call, which has its answer. */
	@Test
	void queuedHedge_isNotCountedAsCancelled_whenReplyArrives() {
		ClientCall second = hedged(sent()).makeSecond();
		second.cancel("the first was answered");
		assertThat(second.isAbandoned()).isTrue();
		assertThat(this.client.runtime.counts().cancelled()).isZero();
		assertThat(this.client.limit.room.availablePermits()).isEqualTo(10);
	}

	@Test
	void endedCall_isNotHedged() {
		ClientCall first = sent();
		HedgedCall call = hedged(first);
		first.claim();
		assertThat(this.hedger.hedge(call)).isTrue();
		assertThat(call.makeSecond()).isNull();
	}

}
