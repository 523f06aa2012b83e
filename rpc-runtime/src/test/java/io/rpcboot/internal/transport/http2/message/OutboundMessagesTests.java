package io.rpcboot.internal.transport.http2.message;

import java.io.ByteArrayOutputStream;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.concurrent.atomic.AtomicLong;

import io.rpcboot.internal.memory.Direction;
import io.rpcboot.internal.memory.MemoryBudget;
import io.rpcboot.internal.protocol.grpc.MessagePrefix;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;

/** Messages of a stream, whose memory is free once they are written or dropped. */
class OutboundMessagesTests {

	private static final int LIMIT = 1_000_000;

	private static final int FRAME = 16_384;

	private final MemoryBudget budget = new MemoryBudget(LIMIT, 0);

	private final AtomicLong unsent = new AtomicLong();

	private final OutboundMessages messages = new OutboundMessages(this.budget, this.unsent);

	@AfterEach
	void allMemoryIsFree() {
		this.messages.clear();
		assertThat(used()).isZero();
		assertThat(this.unsent).hasValue(0);
	}

	private long used() {
		assertThat(this.unsent).hasValue(this.budget.used(Direction.OUTGOING));
		return this.unsent.get();
	}

	private static byte[] bytes(int length) {
		byte[] bytes = new byte[length];
		new Random(length).nextBytes(bytes);
		return bytes;
	}

	private void add(int... lengths) {
		for (int each : lengths) {
			assertThat(this.messages.add(bytes(each))).isTrue();
		}
	}

	private static byte[] prefixed(int... lengths) {
		ByteArrayOutputStream out = new ByteArrayOutputStream();
		for (int each : lengths) {
			byte[] prefix = new byte[MessagePrefix.LENGTH];
			MessagePrefix.write(prefix, 0, false, each);
			out.writeBytes(prefix);
			out.writeBytes(bytes(each));
		}
		return out.toByteArray();
	}

	@Test
	void oneMessage_isItsOwnBody() {
		byte[] message = bytes(100);
		this.messages.add(message);
		assertThat(this.messages.next()).isSameAs(message);
		assertThat(this.messages.isPrefixed()).isFalse();
		this.messages.written();
		assertThat(used()).isZero();
		assertThat(this.messages.next()).isNull();
		assertThat(this.messages.isPrefixed()).isFalse();
	}

	@Test
	void shortMessages_areOneBody_inTheirOrder() {
		add(100, 0, 7, 3000);
		assertThat(this.messages.next()).isEqualTo(prefixed(100, 0, 7, 3000));
		assertThat(this.messages.isPrefixed()).isTrue();
		assertThat(this.messages.size()).isZero();
	}

	@Test
	void body_fitsOneFrame() {
		add(FRAME - 20, 10, 1, FRAME, 5, 6);
		assertThat(this.messages.next()).isEqualTo(prefixed(FRAME - 20, 10)).hasSize(FRAME);
		this.messages.written();
		assertThat(this.messages.next()).isEqualTo(bytes(1));
		assertThat(this.messages.isPrefixed()).isFalse();
		this.messages.written();
		assertThat(this.messages.next()).isEqualTo(bytes(FRAME));
		this.messages.written();
		assertThat(this.messages.next()).isEqualTo(prefixed(5, 6));
	}

	/** A client that does not read keeps the body that was begun. */
	@Test
	void memory_isInUse_untilTheBodyIsWritten() {
		add(1000, 20_000);
		long all = used();
		assertThat(all).isBetween(21_000L, 21_200L);
		this.messages.next();
		assertThat(used()).isEqualTo(all);
		this.messages.written();
		assertThat(used()).isBetween(20_000L, 20_100L);
		this.messages.next();
		this.messages.dropWaiting();
		assertThat(used()).isBetween(20_000L, 20_100L);
		this.messages.written();
		assertThat(used()).isZero();
	}

	@Test
	void emptyMessages_areNotFree() {
		int count = 0;
		while (count < LIMIT && this.messages.add(new byte[0])) {
			count++;
		}
		assertThat(count).isLessThan(LIMIT / 16);
	}

	@Test
	void add_isFalse_withoutMemory() {
		assertThat(this.messages.add(new byte[LIMIT])).isFalse();
		assertThat(this.messages.size()).isZero();
	}

	@ParameterizedTest
	@ValueSource(longs = { 1, 2, 3, 4, 5 })
	void messages_arriveInOrder_howeverTheyAreTaken(long seed) {
		Random random = new Random(seed);
		List<Integer> sent = new ArrayList<>();
		ByteArrayOutputStream written = new ByteArrayOutputStream();
		for (int i = 0; i < 2000; i++) {
			if (random.nextInt(3) > 0) {
				int length = random.nextInt(random.nextBoolean() ? 100 : 9000);
				if (this.messages.add(bytes(length))) {
					sent.add(length);
				}
			}
			else {
				take(written);
			}
		}
		while (this.messages.size() > 0) {
			take(written);
		}
		assertThat(written.toByteArray()).isEqualTo(prefixed(sent.stream().mapToInt(Integer::intValue).toArray()));
		assertThat(used()).isZero();
	}

	private void take(ByteArrayOutputStream written) {
		byte[] body = this.messages.next();
		if (body == null) {
			return;
		}
		if (!this.messages.isPrefixed()) {
			byte[] prefix = new byte[MessagePrefix.LENGTH];
			MessagePrefix.write(prefix, 0, false, body.length);
			written.writeBytes(prefix);
		}
		written.writeBytes(Arrays.copyOf(body, body.length));
		this.messages.written();
	}

}
