package io.rpcboot.internal.client.routing;

import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;

import io.rpcboot.RpcStatus;
import io.rpcboot.client.ReferenceInfo.Calls;
import io.rpcboot.client.ReferenceInfo.Instance;
import io.rpcboot.client.ReferenceInfo.State;
import io.rpcboot.internal.client.connection.ClientConnection;
import io.rpcboot.internal.client.fixture.AbstractHandDrivenRouter;
import io.rpcboot.server.RpcServer;
import io.rpcboot.workload.UserService;
import io.rpcboot.workload.UserServiceImpl;
import org.assertj.core.data.Percentage;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/** Instances as operators see them. */
class RecentCallsTests extends AbstractHandDrivenRouter {

	private static final long MILLI = TimeUnit.MILLISECONDS.toNanos(1);

	private static Instance at(Caller caller, int port) {
		List<Instance> all = caller.directory.describe(true).instances();
		return all.stream().filter((each) -> each.endpoint().port() == port).findFirst().orElseThrow();
	}

	private static ClientConnection connection(Caller caller) {
		return caller.proxy.ready.connections[0][0];
	}

	@Test
	void calls_areCountedByStatusAndLatency_fromFirstDescription() throws Exception {
		serve();
		Caller caller = new Caller(WAIT, this.port);
		awaitReady(caller);
		assertThat(caller.directory.describe(false).instances().get(0).calls()).isNull();
		assertThat(connection(caller).load.countsCalls).as("nobody has asked").isFalse();
		assertThat(at(caller, this.port).calls()).isEqualTo(new Calls(0, 0, 0, 0, Map.of()));
		for (int i = 1; i <= 100; i++) {
			connection(caller).load.grownCountsOf(0)
				.ended(((i <= 3) ? RpcStatus.APPLICATION : RpcStatus.OK).ordinal(), i * MILLI);
		}
		connection(caller).load.grownCountsOf(0).ended(RpcStatus.DECLARED.ordinal(), MILLI);
		pass(10_000);
		Calls calls = at(caller, this.port).calls();
		assertThat(calls).isNotNull();
		assertThat(calls.ended()).isEqualTo(101);
		assertThat(calls.perSecond()).isCloseTo(10.1, Percentage.withPercentage(1));
		assertThat(calls.p50Nanos()).isCloseTo(50 * MILLI, Percentage.withPercentage(10));
		assertThat(calls.p99Nanos()).isCloseTo(99 * MILLI, Percentage.withPercentage(10));
		assertThat(calls.failures()).isEqualTo(Map.of(RpcStatus.APPLICATION, 3L));
	}

	@Test
	void oldCalls_leaveTheWindow() throws Exception {
		serve();
		Caller caller = new Caller(WAIT, this.port);
		awaitReady(caller);
		at(caller, this.port);
		connection(caller).load.grownCountsOf(0).ended(RpcStatus.UNAVAILABLE.ordinal(), MILLI);
		for (int i = 0; i < 15; i++) {
			pass(5000);
			at(caller, this.port);
		}
		assertThat(at(caller, this.port).calls()).isEqualTo(new Calls(0, 0, 0, 0, Map.of()));
	}

	@Test
	void slowInstanceOfTwo_isReported_andStaysReady() throws Exception {
		serve();
		try (RpcServer other = RpcServer.builder()
			.port(0)
			.bindAddress("127.0.0.1")
			.service(UserService.class, new UserServiceImpl())
			.start()) {
			Caller caller = new Caller(WAIT, this.port, other.port());
			while (caller.proxy.ready.connections.length < 2) {
				this.control.runNext();
			}
			for (int i = 0; i < 40; i++) {
				pass(250);
				this.control.repeat();
				for (ClientConnection[] each : caller.proxy.ready.connections) {
					boolean slow = each[0].connection.remote().endsWith(":" + this.port);
					each[0].load.outcomes.ended(0, false, (slow ? 400 : 3) * MILLI);
				}
			}
			assertThat(at(caller, this.port).slowness()).endsWith("elsewhere 3.0 ms");
			assertThat(at(caller, this.port).state()).isEqualTo(State.READY);
			assertThat(at(caller, other.port()).slowness()).isEmpty();
		}
	}

}
