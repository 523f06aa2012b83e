package io.rpcboot.hostile.attack;

import java.nio.ByteBuffer;
import java.util.concurrent.TimeUnit;

import io.rpcboot.internal.protocol.binary.FrameType;

/** Bodies that are not finished: given up, held, slow, or only asked for. */
final class BodyRoles {

	/** 7.9 of 8 MiB. */
	private static final int MOST_OF_IT = 8_283_750;

	private static final byte[] ONE = new byte[1];

	private BodyRoles() {
	}

	/** What was said before the body begins. */
	enum Stage {

		PREFACE, HELLO, BIND

	}

	/** Sends most of a body, then closes, or keeps it. */
	static final class Unfinished extends BoundRole {

		private final Stage stage;

		private final boolean closes;

		private boolean begun;

		Unfinished(AttackCounts counts, Stage stage, boolean closes) {
			super(counts);
			this.stage = stage;
			this.closes = closes;
		}

		@Override
		public void begin(HostileConnection connection) {
			if (this.stage.compareTo(Stage.BIND) >= 0) {
				super.begin(connection);
				return;
			}
			this.connection = connection;
			connection.send(Speech.preface());
			if (this.stage == Stage.HELLO) {
				connection.send(Speech.hello());
			}
			body();
		}

		@Override
		void ready() {
			whenGranted(Speech.MAX_BODY, this::body);
		}

		private void body() {
			this.begun = true;
			beginCall(FrameType.REQUEST, Speech.number("echo"), 0, Speech.MAX_BODY);
			this.connection.sendZeros(MOST_OF_IT);
		}

		@Override
		public void drained() {
			if (this.begun && this.closes) {
				this.connection.finish();
			}
		}

	}

	/** Sends a body with so many bytes a second. */
	static final class Slow extends BoundRole {

		private final int length;

		private final double bytesPerNano;

		private long beganNanos;

		private int sent;

		Slow(AttackCounts counts, int length, double bytesPerSecond) {
			super(counts);
			this.length = length;
			this.bytesPerNano = bytesPerSecond / TimeUnit.SECONDS.toNanos(1);
		}

		@Override
		void ready() {
			whenGranted(this.length, () -> {
				beginCall(FrameType.REQUEST, Speech.number("echo"), 0, this.length);
				this.beganNanos = System.nanoTime();
			});
		}

		@Override
		public void look(long nowNanos) {
			if (this.beganNanos == 0 || this.connection.hasUnsent()) {
				return;
			}
			long due = (long) ((nowNanos - this.beganNanos) * this.bytesPerNano);
			int count = (int) Math.min(this.length - this.sent, due - this.sent);
			if (count == 1) {
				this.connection.send(ByteBuffer.wrap(ONE));
			}
			else if (count > 1) {
				this.connection.sendZeros(count);
			}
			this.sent += Math.max(0, count);
			if (this.sent == this.length) {
				// its call is answered; the next one is as slow
				this.beganNanos = 0;
				this.sent = 0;
				ready();
			}
		}

	}

	/**
	 * Sends calls whose arguments become many times their bytes, one after the other: of
	 * those that are allowed and of those that are refused by turns.
	 */
	static final class Objects extends BoundRole {

		private static final byte[] ALLOWED = Speech.group(2_300_000);

		private static final byte[] REFUSED = Speech.group(4_000_000);

		Objects(AttackCounts counts) {
			super(counts);
		}

		@Override
		void ready() {
			byte[] arguments = (this.sentCalls % 2 == 0) ? ALLOWED : REFUSED;
			whenGranted(arguments.length, () -> call("count", 0, arguments));
		}

		@Override
		public void received(int type, int code, long callId, int length, long value) {
			super.received(type, code, callId, length, value);
			if (type == FrameType.RESPONSE) {
				ready();
			}
		}

	}

	/** Asks for a grant, again as soon as it has one, and never sends. */
	static final class Asking extends BoundRole {

		private final boolean givesBack;

		Asking(AttackCounts counts, boolean givesBack) {
			super(counts);
			this.givesBack = givesBack;
		}

		@Override
		void ready() {
			need(Speech.MAX_BODY);
		}

		@Override
		void granted() {
			if (this.givesBack && !asks()) {
				giveBack(this.grantedBytes - this.sentBytes);
				need(Speech.MAX_BODY);
			}
		}

	}

	/** Gives back what it was granted in small parts, again and again. */
	static final class Yielding extends BoundRole {

		private static final int PARTS = 64;

		Yielding(AttackCounts counts) {
			super(counts);
		}

		@Override
		void ready() {
			granted();
		}

		@Override
		void granted() {
			long step = Math.max(1, (this.grantedBytes - this.sentBytes) / PARTS);
			while (this.sentBytes + step <= this.grantedBytes) {
				giveBack(step);
			}
			if (!asks()) {
				need(Speech.MAX_BODY);
			}
		}

	}

	/** Sends a header that announces a body, and no body. */
	static final class HeaderOnly extends BoundRole {

		private final int type;

		private final int length;

		HeaderOnly(AttackCounts counts, int type, int length) {
			super(counts);
			this.type = type;
			this.length = length;
		}

		@Override
		void ready() {
			boolean call = this.type == FrameType.REQUEST;
			if (call) {
				whenGranted(this.length, () -> beginCall(this.type, Speech.number("echo"), 0, this.length));
				return;
			}
			this.connection.send(Speech.header(this.length, this.type, 0, 0, 1));
		}

	}

}
