package io.rpcboot.hostile.attack;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.TimeUnit;

/** Attacks by a client that speaks HTTP/1.1. */
final class HttpRoles {

	private static final String SERVICE = "/io.rpcboot.hostile.victim.VictimService/";

	private static final String CHUNKED = "Transfer-Encoding: chunked\r\n\r\n";

	private static final int SMALL_RECEIVE_BUFFER = 4096;

	private static final long PAUSE_NANOS = TimeUnit.MILLISECONDS.toNanos(500);

	private HttpRoles() {
	}

	private static byte[] bytes(String text) {
		return text.getBytes(StandardCharsets.US_ASCII);
	}

	private static String head(String method, String type) {
		return "POST " + SERVICE + method + " HTTP/1.1\r\nHost: x\r\nContent-Type: application/" + type + "\r\n";
	}

	private static String call(String method, String json) {
		return head(method, "json") + "Content-Length: " + json.length() + "\r\n\r\n" + json;
	}

	/** Sends bytes once, then others, again and again. */
	private static final class Talk implements Role {

		private final byte[] first;

		private final byte[] next;

		/**
		 * True for one of the others in a while, false for as many as the socket takes.
		 */
		private final boolean pauses;

		private final boolean reads;

		private HostileConnection connection;

		private long sentNanos;

		Talk(byte[] first, byte[] next, boolean pauses, boolean reads) {
			this.first = first;
			this.next = next;
			this.pauses = pauses;
			this.reads = reads;
		}

		@Override
		public boolean isNative() {
			return false;
		}

		@Override
		public int receiveBuffer() {
			return this.reads ? 0 : SMALL_RECEIVE_BUFFER;
		}

		@Override
		public void begin(HostileConnection opened) {
			this.connection = opened;
			opened.send(ByteBuffer.wrap(this.first));
			if (!this.reads) {
				opened.stopReading();
			}
		}

		@Override
		public void drained() {
			if (!this.pauses && this.next.length > 0) {
				this.connection.send(ByteBuffer.wrap(this.next));
			}
		}

		@Override
		public void look(long nowNanos) {
			if (this.connection != null && this.pauses && this.next.length > 0
					&& nowNanos - this.sentNanos > PAUSE_NANOS) {
				this.sentNanos = nowNanos;
				this.connection.send(ByteBuffer.wrap(this.next));
			}
		}

	}

	/** Makes a call, and keeps the connection. */
	static Role idle() {
		return new Talk(bytes(call("Add", "{\"left\":1,\"right\":2}")), new byte[0], true, true);
	}

	/** Sends most of a head, and its rest a byte a time. */
	static Role openHeads(int length) {
		return new Talk(bytes(head("Add", "json") + "X-Long: " + "a".repeat(length)), bytes("a"), true, true);
	}

	/** Sends one chunk after the other of a body without end. */
	static Role endlessBodies(int chunk) {
		return new Talk(bytes(head("Echo", "proto") + CHUNKED),
				bytes(Integer.toHexString(chunk) + "\r\n" + "\0".repeat(chunk) + "\r\n"), false, true);
	}

	/** Announces a long body, sends a part of it, and then a byte a time. */
	static Role heldBodies(int length, int sent) {
		return new Talk(bytes(head("Echo", "proto") + "Content-Length: " + length + "\r\n\r\n" + "\0".repeat(sent)),
				bytes("\0"), true, true);
	}

	/** Sends calls without an end and reads no response. */
	static Role pipelined() {
		return new Talk(new byte[0], bytes(call("Add", "{\"left\":1,\"right\":2}").repeat(200)), false, false);
	}

	/** Asks for long results, one after the other, and reads none. */
	static Role unread(int size) {
		return new Talk(new byte[0], bytes(call("Make", "{\"size\":" + size + "}")), true, false);
	}

	/** Sends a chunk whose extension never ends. */
	static Role extensions() {
		return new Talk(bytes(head("Echo", "proto") + CHUNKED + "1;x="), bytes("a".repeat(16_000)), false, true);
	}

	/** Sends JSON in which each byte is a level. */
	static Role deepJson() {
		String deep = "[".repeat(100_000);
		return new Talk(new byte[0], bytes(call("Count", "{\"group\":" + deep + "}")), false, true);
	}

	/** Begins calls and leaves while they run. */
	static Role leaving() {
		return new Role() {

			private HostileConnection connection;

			@Override
			public boolean isNative() {
				return false;
			}

			@Override
			public void begin(HostileConnection opened) {
				this.connection = opened;
				opened.send(ByteBuffer.wrap(bytes(call("Sleep", "{\"millis\":1000}"))));
			}

			@Override
			public void drained() {
				this.connection.end();
			}

		};
	}

}
