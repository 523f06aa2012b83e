package io.rpcboot.registry.zookeeper;

import java.time.Duration;
import java.time.Instant;

import org.junit.jupiter.api.Test;

import io.rpcboot.registry.RegistryState;

import static org.assertj.core.api.Assertions.assertThat;

/** Tests the state and the problem that a registry reports. */
class ReachabilityTests {

	private static final Instant START = Instant.parse("2026-01-01T00:00:00Z");

	private Instant now = START;

	private final Reachability reachability = new Reachability(() -> this.now);

	private void pass(long seconds) {
		this.now = this.now.plus(Duration.ofSeconds(seconds));
	}

	private void assertState(RegistryState state, long sinceSecond, long outages) {
		assertThat(this.reachability.state()).isEqualTo(state);
		assertThat(this.reachability.since()).isEqualTo(START.plusSeconds(sinceSecond));
		assertThat(this.reachability.outages()).isEqualTo(outages);
	}

	@Test
	void loss_countsAsOneOutage() {
		pass(1);
		assertState(RegistryState.CONNECTING, 0, 0);
		this.reachability.reached();
		assertState(RegistryState.CONNECTED, 1, 0);
		pass(1);
		this.reachability.reached();
		assertState(RegistryState.CONNECTED, 1, 0);
		this.reachability.lost();
		pass(1);
		this.reachability.lost();
		assertState(RegistryState.DISCONNECTED, 2, 1);
		this.reachability.reached();
		assertState(RegistryState.CONNECTED, 3, 1);
		pass(1);
		this.reachability.lost();
		assertState(RegistryState.DISCONNECTED, 4, 2);
	}

	@Test
	void problem_isReasonOfMissingConnection_untilReached() {
		this.reachability.unreachable("has an unknown host: a");
		assertThat(this.reachability.problem()).isEqualTo("has an unknown host: a");
		this.reachability.refused("refuses b");
		assertThat(this.reachability.problem()).isEqualTo("refuses b");
		this.reachability.accepted();
		this.reachability.reached();
		assertThat(this.reachability.problem()).isEmpty();
		this.reachability.unreachable("too late");
		assertThat(this.reachability.problem()).isEmpty();
	}

	@Test
	void unreachedRegistry_isNotLost() {
		pass(1);
		this.reachability.lost();
		assertState(RegistryState.CONNECTING, 0, 0);
	}

	@Test
	void refusedRegistry_isNotConnected_untilAccepted() {
		this.reachability.reached();
		pass(1);
		assertThat(this.reachability.refused("no")).isTrue();
		assertThat(this.reachability.refused("still no")).isFalse();
		assertState(RegistryState.CONNECTING, 1, 0);
		assertThat(this.reachability.isConnected()).as("to try again").isTrue();
		assertThat(this.reachability.refusal()).isEqualTo("still no");
		pass(1);
		this.reachability.lost();
		this.reachability.reached();
		assertState(RegistryState.CONNECTING, 1, 0);
		assertThat(this.reachability.accepted()).isTrue();
		assertState(RegistryState.CONNECTED, 2, 0);
		assertThat(this.reachability.accepted()).isFalse();
		assertThat(this.reachability.refusal()).isEmpty();
	}

	@Test
	void laterRefusal_isOutage_untilAccepted() {
		this.reachability.reached();
		this.reachability.accepted();
		pass(1);
		this.reachability.refused("no");
		assertState(RegistryState.DISCONNECTED, 1, 1);
		pass(1);
		this.reachability.lost();
		this.reachability.reached();
		assertState(RegistryState.DISCONNECTED, 1, 1);
		this.reachability.accepted();
		assertState(RegistryState.CONNECTED, 2, 1);
	}

	@Test
	void reachability_staysClosed() {
		this.reachability.reached();
		pass(1);
		assertThat(this.reachability.isClosed()).isFalse();
		assertThat(this.reachability.close()).isTrue();
		assertThat(this.reachability.isClosed()).isTrue();
		pass(1);
		assertThat(this.reachability.close()).isFalse();
		assertState(RegistryState.CLOSED, 1, 0);
		assertThat(this.reachability.isConnected()).as("what is registered can still be taken out").isTrue();
		this.reachability.lost();
		assertThat(this.reachability.isConnected()).isFalse();
		assertState(RegistryState.CLOSED, 1, 0);
	}

}
