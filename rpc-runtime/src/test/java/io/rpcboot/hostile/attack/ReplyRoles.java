package io.rpcboot.hostile.attack;

import io.rpcboot.internal.protocol.binary.FrameType;

/** Calls whose replies nobody takes. */
final class ReplyRoles {

	/** As small as the system allows. */
	private static final int SMALL_RECEIVE_BUFFER = 4096;

	private ReplyRoles() {
	}

	/** Sends calls with large results, as many as are granted, and reads nothing. */
	static final class Unread extends BoundRole {

		private final byte[] arguments;

		private final int calls;

		Unread(AttackCounts counts, int size, int calls) {
			super(counts);
			this.arguments = Speech.arguments("make", size);
			this.calls = calls;
		}

		@Override
		public int receiveBuffer() {
			return SMALL_RECEIVE_BUFFER;
		}

		@Override
		void ready() {
			for (int i = 0; i < this.calls && this.sentCalls < this.grantedCalls; i++) {
				call("make", 0, this.arguments);
			}
			this.connection.stopReading();
		}

		@Override
		public void look(long nowNanos) {
			probe(nowNanos);
		}

	}

	/**
	 * Takes no bytes of replies, and sends all calls that it is granted, which become
	 * more and more.
	 */
	static final class Ungranted extends BoundRole {

		private static final int MOST_CALLS = 8192;

		private final byte[] arguments;

		private final boolean says;

		/**
		 * Create a role.
		 * @param says whether it sends a WINDOW of nothing, or none at all
		 */
		Ungranted(AttackCounts counts, int size, boolean says) {
			super(counts);
			this.arguments = Speech.arguments("make", size);
			this.says = says;
		}

		@Override
		long replyGrant() {
			return this.says ? 0 : -1;
		}

		@Override
		void ready() {
			granted();
		}

		@Override
		void granted() {
			while (this.sentCalls < Math.min(this.grantedCalls, MOST_CALLS)
					&& this.sentBytes + this.arguments.length <= this.grantedBytes) {
				boolean last = this.sentCalls + 1 == this.grantedCalls;
				call("make", last ? Speech.FLAG_LAST_GRANTED : 0, this.arguments);
			}
		}

	}

	/** Sends a call of 8 MiB for a contract of which it never tells the table. */
	static final class Held extends BoundRole {

		private static final int UNKNOWN = 1000;

		private final byte[] hash = Speech.hash("unknown " + System.nanoTime() + " " + hashCode());

		Held(AttackCounts counts) {
			super(counts);
		}

		@Override
		void ready() {
			this.connection.send(Speech.bind(UNKNOWN, this.hash));
			whenGranted(Speech.MAX_BODY, () -> {
				beginCall(FrameType.REQUEST, UNKNOWN + Speech.number("echo"), 0, Speech.MAX_BODY);
				this.connection.sendZeros(Speech.MAX_BODY);
			});
		}

	}

}
