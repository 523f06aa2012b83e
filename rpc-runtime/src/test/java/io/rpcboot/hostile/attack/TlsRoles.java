package io.rpcboot.hostile.attack;

import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.Random;
import java.util.concurrent.TimeUnit;

import javax.net.ssl.SSLEngine;
import javax.net.ssl.SSLEngineResult;
import javax.net.ssl.SSLEngineResult.HandshakeStatus;
import javax.net.ssl.SSLEngineResult.Status;
import javax.net.ssl.SSLException;

import io.rpcboot.internal.protocol.binary.FrameType;

/** Attacks by a client that speaks TLS, or half of it. */
final class TlsRoles {

	private static final ByteBuffer NOTHING = ByteBuffer.allocate(0);

	private static final int BUFFER = 64 * 1024;

	private static final int RECORDS_AT_ONCE = 200;

	private TlsRoles() {
	}

	/** Sends bytes once and waits for the victim to close. */
	static Role sends(byte[] bytes) {
		return new Bytes(bytes, false);
	}

	/** Begins a handshake in one of many wrong ways. */
	static Role broken(Random random) {
		byte[] hello = TlsSpeech.hello();
		return switch (random.nextInt(7)) {
			case 0 -> new Bytes(TlsSpeech.OLD_HELLO, false);
			case 1 -> new Bytes(Arrays.copyOf(hello, random.nextInt(hello.length)), true);
			case 2 -> new Bytes(hello, true);
			case 3 -> {
				hello[TlsSpeech.HEADER + random.nextInt(hello.length - TlsSpeech.HEADER)] ^= (byte) 0x55;
				yield new Bytes(hello, false);
			}
			case 4 ->
				new Bytes(TlsSpeech.record((byte) 1, (byte) 0, (byte) 0x7f, (byte) 0xff, (byte) 3, (byte) 3), false);
			case 5 -> new Bytes(TlsSpeech.helloInRecordsOfOneByte(), false);
			default -> {
				ByteBuffer both = ByteBuffer.allocate(hello.length + Speech.HEADER);
				yield new Bytes(both.put(hello).put(Speech.preface()).array(), false);
			}
		};
	}

	/** Sends some bytes, and ends its output then or waits for the victim to close. */
	private static final class Bytes implements Role {

		private final byte[] bytes;

		private final boolean ends;

		private HostileConnection connection;

		Bytes(byte[] bytes, boolean ends) {
			this.bytes = bytes;
			this.ends = ends;
		}

		@Override
		public boolean isNative() {
			return false;
		}

		@Override
		public void begin(HostileConnection opened) {
			this.connection = opened;
			opened.send(ByteBuffer.wrap(this.bytes));
		}

		@Override
		public void drained() {
			if (this.ends) {
				this.connection.finish();
			}
		}

	}

	/** Sends a good hello, a byte each second. */
	static final class Slow implements Role {

		private static final long PAUSE_NANOS = TimeUnit.SECONDS.toNanos(1);

		private final byte[] hello = TlsSpeech.hello();

		private HostileConnection connection;

		private int sent;

		private long nextNanos = System.nanoTime();

		@Override
		public boolean isNative() {
			return false;
		}

		@Override
		public void begin(HostileConnection opened) {
			this.connection = opened;
		}

		@Override
		public void look(long nowNanos) {
			if (this.connection != null && nowNanos >= this.nextNanos && this.sent < this.hello.length) {
				this.nextNanos = nowNanos + PAUSE_NANOS;
				this.connection.send(ByteBuffer.wrap(this.hello, this.sent++, 1));
			}
		}

	}

	/** Completes a handshake and attacks then. */
	abstract static class Complete implements Role {

		final SSLEngine engine;

		HostileConnection connection;

		private final ByteBuffer received = ByteBuffer.allocate(BUFFER);

		private final ByteBuffer decrypted = ByteBuffer.allocate(BUFFER);

		private boolean complete;

		Complete(String protocol) {
			this.engine = TlsSpeech.client(protocol);
		}

		/** The handshake is complete. */
		abstract void completed() throws SSLException;

		@Override
		public boolean isNative() {
			return false;
		}

		@Override
		public void begin(HostileConnection opened) {
			this.connection = opened;
			try {
				this.engine.beginHandshake();
				proceed();
			}
			catch (SSLException ex) {
				throw new IllegalStateException(ex);
			}
		}

		@Override
		public void arrived(ByteBuffer bytes) {
			while (bytes.hasRemaining() && !this.connection.isEnded()) {
				int count = Math.min(bytes.remaining(), this.received.remaining());
				this.received.put(bytes.slice(bytes.position(), count));
				bytes.position(bytes.position() + count);
				proceed();
			}
		}

		final void proceed() {
			try {
				boolean goesOn = true;
				while (goesOn && !this.connection.isEnded()) {
					goesOn = step();
				}
			}
			catch (SSLException ex) {
				this.connection.end();
			}
		}

		private boolean step() throws SSLException {
			HandshakeStatus status = this.engine.getHandshakeStatus();
			if (status == HandshakeStatus.NEED_TASK) {
				this.engine.getDelegatedTask().run();
				return true;
			}
			if (status == HandshakeStatus.NEED_WRAP) {
				return wrap(NOTHING);
			}
			if (status == HandshakeStatus.NOT_HANDSHAKING && !this.complete) {
				this.complete = true;
				completed();
			}
			SSLEngineResult result = this.engine.unwrap(this.received.flip(), this.decrypted.clear());
			this.received.compact();
			return result.getStatus() == Status.OK && result.bytesConsumed() > 0;
		}

		/** Sends a record; returns false if the engine is closed. */
		final boolean wrap(ByteBuffer clear) throws SSLException {
			ByteBuffer out = ByteBuffer.allocate(this.engine.getSession().getPacketBufferSize());
			boolean isOpen = this.engine.wrap(clear, out).getStatus() == Status.OK;
			this.connection.send(out.flip());
			return isOpen;
		}

	}

	/** Completes one handshake after the other, each on its own connection. */
	static Role handshake(Random random) {
		return new Complete(random.nextBoolean() ? TlsSpeech.TLS_1_3 : TlsSpeech.TLS_1_2) {

			@Override
			void completed() {
				this.connection.end();
			}

		};
	}

	/** Asks for another handshake (TLS 1.2) or other keys (TLS 1.3) again and again. */
	static Role handshakesAgain(Random random) {
		return new Complete(random.nextBoolean() ? TlsSpeech.TLS_1_3 : TlsSpeech.TLS_1_2) {

			private boolean attacks;

			@Override
			void completed() {
				this.attacks = true;
				drained();
			}

			@Override
			public void drained() {
				try {
					for (int i = 0; this.attacks && i < RECORDS_AT_ONCE
							&& this.engine.getHandshakeStatus() == HandshakeStatus.NOT_HANDSHAKING; i++) {
						this.engine.beginHandshake();
						wrap(NOTHING);
					}
				}
				catch (SSLException ex) {
					this.connection.end();
				}
			}

		};
	}

	/**
	 * Speaks the native protocol in records of one byte, or sends records without one.
	 */
	static final class SmallRecords extends Complete {

		private final ByteBuffer ping = Speech.frame(FrameType.PING, 0, 0, 1, new byte[0]);

		private final int length;

		private ByteBuffer clear = ByteBuffer.allocate(0);

		private boolean attacks;

		SmallRecords(Random random) {
			super(random.nextBoolean() ? TlsSpeech.TLS_1_3 : TlsSpeech.TLS_1_2);
			this.length = random.nextInt(4) > 0 ? 1 : 0;
		}

		@Override
		void completed() throws SSLException {
			ByteBuffer hello = Speech.hello();
			this.clear = ByteBuffer.allocate(Speech.HEADER + hello.remaining()).put(Speech.preface()).put(hello).flip();
			this.attacks = true;
			drained();
		}

		@Override
		public void drained() {
			try {
				for (int i = 0; this.attacks && i < RECORDS_AT_ONCE; i++) {
					if (!this.clear.hasRemaining()) {
						this.clear = this.ping.duplicate();
					}
					ByteBuffer next = this.clear.slice(this.clear.position(), this.length);
					this.clear.position(this.clear.position() + this.length);
					this.attacks = wrap(next);
				}
			}
			catch (SSLException ex) {
				this.connection.end();
			}
		}

	}

	/** Ends TLS in the middle, and keeps the connection. */
	static Role half(Random random) {
		int way = random.nextInt(4);
		return new Complete(random.nextBoolean() ? TlsSpeech.TLS_1_3 : TlsSpeech.TLS_1_2) {

			private boolean ends;

			@Override
			public void drained() {
				if (this.ends) {
					this.connection.finish();
				}
			}

			@Override
			void completed() throws SSLException {
				switch (way) {
					case 0 -> this.connection.send(Speech.preface(), Speech.hello());
					case 1 -> {
						wrap(Speech.preface());
						this.ends = true;
					}
					case 2 -> {
						this.engine.closeOutbound();
						wrap(NOTHING);
					}
					default -> {
						wrap(Speech.preface());
						wrap(Speech.hello());
						this.connection.send(ByteBuffer.wrap(TlsSpeech.hello()));
					}
				}
			}

		};
	}

}
