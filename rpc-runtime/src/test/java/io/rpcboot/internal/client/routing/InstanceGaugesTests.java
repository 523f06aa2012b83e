package io.rpcboot.internal.client.routing;

import io.rpcboot.client.ReferenceInfo.State;
import io.rpcboot.internal.client.fixture.AbstractHandDrivenRouter;
import io.rpcboot.metrics.RpcMetrics.Gauge;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/** Tests the gauges of instances by state. */
class InstanceGaugesTests extends AbstractHandDrivenRouter {

	private static final String SERVICE_NAME = SERVICE.id().toString();

	private void assertInstances(int connecting, int ready, int draining, int backingOff) {
		assertThat(this.levels.of(Gauge.INSTANCES_CONNECTING)).as("connecting").isEqualTo(connecting);
		assertThat(this.levels.of(Gauge.INSTANCES_READY)).as("ready").isEqualTo(ready);
		assertThat(this.levels.of(Gauge.INSTANCES_DRAINING)).as("draining").isEqualTo(draining);
		assertThat(this.levels.of(Gauge.INSTANCES_BACKING_OFF)).as("backing off").isEqualTo(backingOff);
		assertThat(this.levels.of(Gauge.INSTANCES_INCOMPATIBLE)).as("incompatible").isZero();
	}

	@Test
	void gauges_followInstanceStates() throws Exception {
		serve();
		Caller caller = new Caller(WAIT, this.port);
		assertInstances(1, 0, 0, 0);
		awaitReady(caller);
		assertInstances(0, 1, 0, 0);
		caller.names(this.port, freePort());
		assertInstances(1, 1, 0, 0);
		this.control.runNext();
		assertInstances(0, 1, 0, 1);
		lose(caller);
		assertThat(this.levels.of(Gauge.INSTANCES_READY)).isZero();
		caller.names();
		assertInstances(0, 0, 0, 0);
	}

	@Test
	void departingInstance_isDraining() throws Exception {
		Caller caller = connected(WAIT);
		pass(200);
		this.server.goAway();
		while (caller.proxy.hasReady()) {
			this.control.runNext();
		}
		assertInstances(0, 0, 1, 0);
	}

	@Test
	void retryBudget_isAbsent_withoutIdempotentMethods() {
		Caller caller = new Caller(WAIT, this.port);
		assertThat(caller.directory.describe(true).retries()).isNull();
		assertThat(this.levels.subjects(Gauge.RETRIES_LEFT)).isEmpty();
	}

	@Test
	void gauges_areRemoved_afterReferencesClose() {
		Caller first = new Caller(WAIT, this.port);
		Caller second = new Caller(WAIT, this.port);
		for (State state : State.values()) {
			assertThat(this.levels.subjects(Gauge.valueOf("INSTANCES_" + state))).containsExactly(SERVICE_NAME,
					SERVICE_NAME);
		}
		assertInstances(2, 0, 0, 0);
		first.directory.close();
		assertInstances(1, 0, 0, 0);
		second.directory.close();
		for (State state : State.values()) {
			assertThat(this.levels.subjects(Gauge.valueOf("INSTANCES_" + state))).isEmpty();
		}
	}

}
