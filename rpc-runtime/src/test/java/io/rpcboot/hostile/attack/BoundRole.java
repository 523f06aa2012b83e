package io.rpcboot.hostile.attack;

import java.util.concurrent.TimeUnit;

import io.rpcboot.internal.protocol.binary.FrameType;

/**
 * A hostile connection that begins as a client does: HELLO, the grant of replies, BIND of
 * the victim's service from number 0 on. It knows what it was granted.
 */
abstract class BoundRole implements Role {

	static final long REPLIES_WITHOUT_END = 1L << 50;

	private static final long PROBE_NANOS = TimeUnit.SECONDS.toNanos(1);

	/** A call id that is never used. */
	private static final long NO_CALL = 1L << 60;

	final boolean needs = Speech.knowsNeed();

	final AttackCounts counts;

	HostileConnection connection;

	long grantedCalls;

	long grantedBytes;

	long sentCalls;

	long sentBytes;

	private boolean bound;

	private boolean windowSeen;

	private boolean ready;

	private boolean asks;

	private long waitsForTotal;

	private Runnable whenGranted;

	private long nextProbe;

	BoundRole(AttackCounts counts) {
		this.counts = counts;
	}

	@Override
	public void begin(HostileConnection connection) {
		this.connection = connection;
		connection.send(Speech.preface(), Speech.hello());
		if (replyGrant() >= 0) {
			connection.send(Speech.window(replyGrant()));
		}
		connection.send(Speech.bind(0));
	}

	/** Bytes of replies that are taken; below 0 to say nothing of them. */
	long replyGrant() {
		return REPLIES_WITHOUT_END;
	}

	/** The service is bound and the first grant is there. */
	abstract void ready();

	/** More was granted. */
	void granted() {
	}

	@Override
	public void received(int type, int code, long callId, int length, long value) {
		if (type == FrameType.WINDOW) {
			this.grantedCalls = Math.max(this.grantedCalls, callId);
			this.grantedBytes = Math.max(this.grantedBytes, value);
			this.windowSeen = true;
			this.asks &= (this.connection.flags() & Speech.ANSWERS_NEED) == 0;
		}
		else if (type == FrameType.BIND_REPLY) {
			this.bound = true;
		}
		if (this.bound && this.windowSeen && !this.ready) {
			this.ready = true;
			ready();
		}
		else if (this.ready && type == FrameType.WINDOW) {
			if (this.whenGranted != null && this.grantedBytes >= this.waitsForTotal) {
				Runnable next = this.whenGranted;
				this.whenGranted = null;
				next.run();
			}
			granted();
		}
	}

	boolean isReady() {
		return this.ready;
	}

	/**
	 * Ask for a grant of as many bytes where the victim wants to be asked, then go on.
	 */
	void whenGranted(int bytes, Runnable next) {
		if (!this.needs || this.sentBytes + bytes <= this.grantedBytes) {
			next.run();
			return;
		}
		need(bytes);
		this.waitsForTotal = this.sentBytes + bytes;
		this.whenGranted = next;
	}

	void need(int bytes) {
		this.asks = true;
		this.connection.send(Speech.header(0, Speech.NEED, 0, 0, bytes));
	}

	/** Whether it may not ask again. */
	boolean asks() {
		return this.asks;
	}

	void giveBack(long bytes) {
		this.connection.send(Speech.header(0, Speech.YIELD, 0, 0, bytes));
		this.sentBytes += bytes;
	}

	/** The header of a call, whose body has to follow. Returns its id. */
	long beginCall(int type, int number, int flags, int length) {
		this.sentCalls++;
		this.sentBytes += length;
		this.counts.called();
		this.connection.send(Speech.header(length, type, flags, number, this.sentCalls));
		return this.sentCalls;
	}

	void call(String method, int flags, byte[] arguments) {
		int type = method.equals("notice") ? FrameType.ONE_WAY : FrameType.REQUEST;
		beginCall(type, Speech.number(method), flags, arguments.length);
		this.connection.send(java.nio.ByteBuffer.wrap(arguments));
	}

	/** Who does not read sees only by writing that the connection is over. */
	void probe(long nowNanos) {
		if (this.ready && nowNanos >= this.nextProbe && !this.connection.hasUnsent()) {
			this.nextProbe = nowNanos + PROBE_NANOS;
			this.connection.send(Speech.header(0, FrameType.CANCEL, 0, 0, NO_CALL));
		}
	}

}
