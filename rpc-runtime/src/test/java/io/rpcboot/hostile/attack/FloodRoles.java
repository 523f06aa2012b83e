package io.rpcboot.hostile.attack;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;

import io.rpcboot.internal.protocol.binary.FrameType;

/** Many frames of one kind, and large tables of contracts. */
final class FloodRoles {

	private static final int FRAMES_AT_ONCE = 500;

	private static final int PING_BYTES = 64;

	private FloodRoles() {
	}

	/** Sends the same frames as fast as it can and reads nothing. */
	abstract static class Flood extends BoundRole {

		private boolean flooding;

		Flood(AttackCounts counts) {
			super(counts);
		}

		@Override
		void ready() {
			this.connection.stopReading();
			this.flooding = true;
			this.connection.send(burst());
		}

		@Override
		public void drained() {
			if (this.flooding) {
				ByteBuffer next = burst();
				if (next.hasRemaining()) {
					this.connection.send(next);
				}
			}
		}

		/** The next frames, none when there are enough. */
		abstract ByteBuffer burst();

		@Override
		public void look(long nowNanos) {
			probe(nowNanos);
		}

	}

	/** PING without end. */
	static final class Pings extends Flood {

		Pings(AttackCounts counts) {
			super(counts);
		}

		@Override
		ByteBuffer burst() {
			return repeat(FRAMES_AT_ONCE,
					(out, number) -> out.put(Speech.frame(FrameType.PING, 0, 0, number, new byte[PING_BYTES])));
		}

	}

	/** One-way calls without end, whatever is granted. */
	static final class OneWays extends Flood {

		private final byte[] arguments = Speech.arguments("notice", 7);

		OneWays(AttackCounts counts) {
			super(counts);
		}

		@Override
		ByteBuffer burst() {
			return repeat(FRAMES_AT_ONCE, (out, number) -> {
				this.counts.called();
				out.put(Speech.frame(FrameType.ONE_WAY, 0, Speech.number("notice"), ++this.sentCalls, this.arguments));
			});
		}

	}

	/** As many BINDs as a server takes, each of which it answers. */
	static final class Binds extends Flood {

		private static final int MOST = 4000;

		private static final int NUMBERS = 16;

		private static final byte[] OWN_HASH = Speech.hash("none");

		private final boolean offered;

		private final int most;

		private int sent;

		/**
		 * Create a role.
		 * @param offered whether it binds what is offered, or services with long names
		 * that are not
		 */
		Binds(AttackCounts counts, boolean offered) {
			super(counts);
			this.offered = offered;
			this.most = offered ? MOST : 255;
		}

		@Override
		ByteBuffer burst() {
			int count = Math.min(FRAMES_AT_ONCE, this.most - this.sent);
			return repeat(count, (out, number) -> {
				int first = NUMBERS * (++this.sent % MOST);
				out.put(this.offered ? Speech.bind(first)
						: Speech.bind(first, 1, OWN_HASH, "x".repeat(1000) + this.sent));
			});
		}

	}

	/** Sends a large table that nobody has seen before when it is asked for it. */
	static final class Tables extends BoundRole {

		private static final int FIRST = 1000;

		private static final AtomicInteger NUMBERS = new AtomicInteger();

		/**
		 * Lengths of the tables: some large ones, then smaller ones that fill the rest.
		 */
		private static final List<Integer> SHRINKING = List.of(Speech.TABLE, Speech.TABLE, Speech.TABLE, 500_000,
				250_000, 100_000, 50_000, 25_000);

		private final boolean whole;

		private final String text;

		private boolean asked;

		/**
		 * Create a role.
		 * @param whole whether the last byte is sent
		 */
		Tables(AttackCounts counts, boolean whole) {
			this(counts, whole, whole ? Speech.table(NUMBERS.incrementAndGet() % 1_000_000, Speech.TABLE)
					: "never told " + NUMBERS.incrementAndGet() + " " + System.nanoTime());
		}

		private Tables(AttackCounts counts, boolean whole, String text) {
			super(counts);
			this.whole = whole;
			this.text = text;
		}

		/** Tables of lengths that become less and less; their connections stay. */
		static Tables shrinking(AttackCounts counts) {
			int number = NUMBERS.incrementAndGet() % 1_000_000;
			return new Tables(counts, true, Speech.table(number, SHRINKING.get(number % SHRINKING.size())));
		}

		@Override
		void ready() {
			this.connection.send(Speech.bind(FIRST, Speech.hash(this.text)));
		}

		@Override
		public void received(int type, int code, long callId, int length, long value) {
			super.received(type, code, callId, length, value);
			if (type == FrameType.CONTRACT && length == 0 && !this.asked) {
				this.asked = true;
				whenGranted(this.whole ? this.text.length() : Speech.TABLE, this::table);
			}
		}

		private void table() {
			byte[] body = this.whole ? this.text.getBytes(StandardCharsets.UTF_8) : new byte[0];
			int length = this.whole ? body.length : Speech.TABLE;
			this.sentBytes += length;
			this.connection.send(Speech.header(length, FrameType.CONTRACT, 0, FIRST, 0));
			if (this.whole) {
				this.connection.send(ByteBuffer.wrap(body));
			}
			else {
				this.connection.sendZeros(Speech.TABLE - 1);
			}
		}

	}

	/** Writes one frame. */
	private interface FrameWriter {

		void write(ByteBuffer out, int number);

	}

	private static ByteBuffer repeat(int count, FrameWriter writer) {
		ByteBuffer one = ByteBuffer.allocate(2048);
		ByteBuffer result = ByteBuffer.allocate(2048 * Math.max(0, count));
		for (int i = 1; i <= count; i++) {
			writer.write(one.clear(), i);
			result.put(one.flip());
		}
		return result.flip();
	}

}
