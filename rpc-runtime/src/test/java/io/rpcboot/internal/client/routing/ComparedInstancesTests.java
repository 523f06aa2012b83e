package io.rpcboot.internal.client.routing;

import io.rpcboot.client.ReferenceInfo.State;
import io.rpcboot.internal.client.fixture.AbstractHandDrivenRouter;
import io.rpcboot.internal.client.outlier.MethodOutcomes;
import io.rpcboot.server.RpcServer;
import io.rpcboot.workload.UserService;
import io.rpcboot.workload.UserServiceImpl;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests which calls count when instances are compared. The test counts in place of calls.
 */
class ComparedInstancesTests extends AbstractHandDrivenRouter {

	private static final int FEW = 100;

	private static final int MANY = 10_000;

	/** One in so many has failed. */
	private static final int SICK = 3;

	private static final int WELL = Integer.MAX_VALUE;

	private final RpcServer other = RpcServer.builder()
		.port(0)
		.bindAddress("127.0.0.1")
		.service(UserService.class, new UserServiceImpl())
		.start();

	@BeforeEach
	void serveHere() {
		serve();
	}

	@AfterEach
	void closeOther() {
		this.other.close();
	}

	private Caller caller() throws InterruptedException {
		Caller caller = new Caller(WAIT, this.port, this.other.port());
		awaitBoth(caller);
		return caller;
	}

	private void awaitBoth(Caller caller) throws InterruptedException {
		while (caller.proxy.ready.connections.length < 2) {
			this.control.runNext();
		}
	}

	private void look() {
		pass(250);
		this.control.repeat();
	}

	private static MethodOutcomes tallies(Caller caller, int port) {
		return caller.directory.broadcastTargets()
			.all()
			.stream()
			.filter((each) -> each.endpoint().port() == port)
			.findFirst()
			.orElseThrow()
			.connections()[0].load.outcomes;
	}

	private static void end(Caller caller, int port, int calls, int failing) {
		MethodOutcomes tallies = tallies(caller, port);
		for (int i = 1; i <= calls; i++) {
			tallies.ended(0, i % failing == 0, 0);
		}
	}

	private State state(Caller caller) {
		return caller.directory.describe(true)
			.instances()
			.stream()
			.filter((each) -> each.endpoint().port() == this.port)
			.findFirst()
			.orElseThrow()
			.state();
	}

	private void assertJudgedByNewCalls(Caller caller) {
		assertThat(state(caller)).isEqualTo(State.READY);
		end(caller, this.port, FEW, SICK);
		end(caller, this.other.port(), FEW, WELL);
		look();
		assertThat(state(caller)).isEqualTo(State.EJECTED);
	}

	@Test
	void calls_areNotCompared_fromTimeWithSingleInstance() throws Exception {
		Caller caller = caller();
		look();
		caller.names(this.port);
		end(caller, this.port, MANY, SICK);
		pass(60_000);
		caller.names(this.port, this.other.port());
		awaitBoth(caller);
		end(caller, this.other.port(), FEW, WELL);
		look();
		assertJudgedByNewCalls(caller);
	}

	@Test
	void calls_areNotCompared_fromBeforeReferenceWasCreated() throws Exception {
		Caller before = caller();
		look();
		end(before, this.port, MANY, SICK);
		end(before, this.other.port(), FEW, WELL);
		Caller caller = caller();
		look();
		assertThat(state(before)).isEqualTo(State.EJECTED);
		assertJudgedByNewCalls(caller);
	}

	@Test
	void ejectedInstance_takesCalls_whileItIsAlone() throws Exception {
		Caller caller = caller();
		look();
		assertJudgedByNewCalls(caller);
		caller.names(this.port);
		assertThat(state(caller)).isEqualTo(State.READY);
		caller.names(this.port, this.other.port());
		awaitBoth(caller);
		look();
		assertJudgedByNewCalls(caller);
	}

	@Test
	void ejectedInstance_staysEjected_whenListedTwice() throws Exception {
		Caller caller = caller();
		look();
		assertJudgedByNewCalls(caller);
		caller.names(this.port, this.other.port(), this.port);
		assertThat(caller.directory.describe(true).instances()).hasSize(2);
		assertThat(state(caller)).isEqualTo(State.EJECTED);
	}

}
