package io.rpcboot.internal.transport;

import io.netty.channel.embedded.EmbeddedChannel;
import io.rpcboot.internal.transport.connection.Connection.State;
import io.rpcboot.internal.transport.connection.Connection;
import io.rpcboot.internal.transport.fixture.EmbeddedConnections;
import io.rpcboot.internal.transport.fixture.RecordingListener;
import io.rpcboot.internal.transport.write.FlushPolicy.Decision;
import io.rpcboot.internal.transport.write.FlushPolicy;
import io.rpcboot.transport.BatchingOptions;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/** Connections by state, and what they have counted, those that have ended as well. */
class ConnectionCountersTests {

	private final ConnectionCounters numbers = new ConnectionCounters();

	private final EmbeddedChannel channel = new EmbeddedChannel();

	private final Connection connection = open(this.channel);

	private Connection open(EmbeddedChannel channel) {
		Connection connection = Connection.install(channel, "test", new FlushPolicy(BatchingOptions.defaults()), null,
				(opened) -> EmbeddedConnections.handler(1024, opened, (any) -> new RecordingListener()));
		this.numbers.add(connection, channel);
		return connection;
	}

	private long[] states() {
		return new long[] { this.numbers.in(State.OPENING), this.numbers.in(State.READY),
				this.numbers.in(State.LEAVING) };
	}

	@Test
	void connection_isCountedInOneState() {
		Connection other = open(new EmbeddedChannel());
		assertThat(states()).containsExactly(2, 0, 0);
		this.connection.ready();
		other.ready();
		assertThat(states()).containsExactly(0, 2, 0);
		this.connection.leaves();
		assertThat(states()).containsExactly(0, 1, 1);
		this.channel.close();
		assertThat(states()).containsExactly(0, 1, 0);
	}

	@Test
	void departingConnection_staysDraining_whenItBecomesReady() {
		this.connection.goesAway();
		this.connection.ready();
		assertThat(states()).containsExactly(0, 0, 1);
	}

	@Test
	void counters_keepValuesOfEndedConnections() {
		this.connection.goesAway();
		this.connection.queue().policy.triesRound();
		this.connection.queue().policy.triesRound();
		assertThat(this.numbers.goAways()).isOne();
		assertThat(this.numbers.decisions(Decision.GO)).isEqualTo(2);
		this.channel.close();
		Connection next = open(new EmbeddedChannel());
		next.goesAway();
		next.queue().policy.triesRound();
		assertThat(this.numbers.goAways()).isEqualTo(2);
		assertThat(this.numbers.decisions(Decision.GO)).isEqualTo(3);
		assertThat(this.numbers.decisions(Decision.PROBE)).isZero();
	}

}
