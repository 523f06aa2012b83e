package io.rpcboot.internal.transport;

import java.util.ArrayList;
import java.util.List;

import io.netty.channel.embedded.EmbeddedChannel;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

import io.rpcboot.internal.memory.IncomingGrant;
import io.rpcboot.internal.memory.MemoryAccount;
import io.rpcboot.internal.memory.MemoryAccount.Direction;
import io.rpcboot.internal.protocol.ProtocolException;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

class GrantAnswersTests {

	private static final int MAX_FRAME = 100_000;

	private final MemoryAccount account = new MemoryAccount(250_000, MAX_FRAME);

	private final List<Long> announced = new ArrayList<>();

	private int admissions;

	private final IncomingGrant grant = new IncomingGrant(this.account, MAX_FRAME, () -> this.admissions++);

	private final Connection[] connection = new Connection[1];

	private final EmbeddedChannel channel = EmbeddedConnections.open(MAX_FRAME, (opened) -> {
		this.connection[0] = opened;
		return new RecordingHandler();
	});

	private final GrantAnswers answers = new GrantAnswers(this.grant,
			new LeastRate(this.connection[0], 0, this.grant::owed, (reason) -> {
			}), MAX_FRAME, () -> this.announced.add(this.grant.granted()));

	GrantAnswersTests() {
		this.grant.open();
	}

	@AfterEach
	void close() {
		this.grant.close();
		this.channel.finishAndReleaseAll();
		assertThat(this.account.used(Direction.INCOMING)).isZero();
	}

	@Test
	void aNeedIsAnnouncedWhenItIsReserved() {
		long total = this.grant.granted() + MAX_FRAME;
		this.account.overdraw(Direction.OUTGOING, 240_000);
		this.answers.need(total);
		assertThat(this.announced).isEmpty();
		this.account.release(Direction.OUTGOING, 240_000);
		assertThat(this.admissions).isEqualTo(1);
		this.answers.admitted();
		assertThat(this.announced).containsExactly(total);
		this.answers.admitted();
		assertThat(this.announced).as("once").hasSize(1);
	}

	@Test
	void aNeedOfMoreThanAFrameIsRefused() {
		long granted = this.grant.granted();
		for (long total : new long[] { -1, granted + MAX_FRAME + 1, Long.MAX_VALUE }) {
			assertThatExceptionOfType(ProtocolException.class).isThrownBy(() -> this.answers.need(total))
				.withMessage("NEED: %d (expected: at most the %d granted and max-frame-size, which is %d)", total,
						granted, MAX_FRAME);
		}
		assertThat(this.announced).isEmpty();
	}

	@Test
	void whatIsGivenBackWasGranted() {
		long granted = this.grant.granted();
		assertThatExceptionOfType(ProtocolException.class).isThrownBy(() -> this.answers.yield(granted + 1))
			.withMessage("YIELD: %d (expected: at most the %d granted)", granted + 1, granted);
		assertThat(this.announced).isEmpty();
		this.answers.yield(granted);
		assertThat(this.announced).hasSize(1).first().satisfies((total) -> assertThat(total).isGreaterThan(granted));
	}

}
