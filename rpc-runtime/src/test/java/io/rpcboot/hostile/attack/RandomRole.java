package io.rpcboot.hostile.attack;

import java.nio.ByteBuffer;
import java.util.Random;

import io.rpcboot.hostile.victim.VictimServiceImpl;
import io.rpcboot.internal.protocol.binary.FrameType;

/**
 * Takes steps by chance: calls, bodies that are finished or not, grants of replies,
 * unknown contracts, quiet times, an end. It keeps to the grant, except once in a while.
 * What a method gets and returns takes next to no memory of its own, so that all memory
 * is the engine's.
 */
public final class RandomRole extends BoundRole {

	private static final int UNKNOWN = 1000;

	private static final int NUMBERS = 16;

	/** Bodies of REQUEST that a method is called with are not readable, but for these. */
	private static final int[] SIZES = { 1, 100, Speech.SHARE, Speech.SHARE + 1, 65_536, 1 << 20, Speech.MAX_BODY };

	private final Random random;

	private int quietLooks;

	/** Of a body that has begun. */
	private int bodyLeft;

	/** A grant was asked for: nothing else is sent, or it would not be enough. */
	private boolean asked;

	private int unknowns;

	private long repliesGranted;

	public RandomRole(AttackCounts counts, long seed) {
		super(counts);
		this.random = new Random(seed);
		this.repliesGranted = pick(new int[] { 0, 1, 65_536, 1 << 30 });
	}

	private int pick(int[] values) {
		return values[this.random.nextInt(values.length)];
	}

	private boolean once(int times) {
		return this.random.nextInt(times) == 0;
	}

	@Override
	public void begin(HostileConnection connection) {
		if (!once(10)) {
			super.begin(connection);
			return;
		}
		this.connection = connection;
		connection.send(Speech.preface());
		if (once(2)) {
			connection.send(Speech.hello());
		}
		beginBody(pick(SIZES));
	}

	@Override
	long replyGrant() {
		return (this.needs && once(10)) ? -1 : this.repliesGranted;
	}

	@Override
	void ready() {
		step();
	}

	@Override
	public void look(long nowNanos) {
		if (this.connection == null || this.connection.hasUnsent() || --this.quietLooks > 0) {
			return;
		}
		if (once(200)) {
			this.connection.end();
		}
		else if (once(200)) {
			this.connection.finish();
		}
		else if (this.bodyLeft > 0) {
			body();
		}
		else if (isReady() && !this.asked) {
			step();
		}
	}

	private void step() {
		switch (this.random.nextInt(12)) {
			case 0, 1, 2 -> calls("make");
			case 3 -> calls("sleep");
			case 4 -> calls("notice");
			case 5, 6, 7 -> {
				int length = pick(SIZES);
				if (this.sentCalls < this.grantedCalls) {
					whenAllowed(length, () -> beginBody(length));
				}
			}
			case 8 -> replies();
			case 9 -> ask();
			case 10 -> contracts();
			default -> quiet();
		}
	}

	private void calls(String method) {
		int calls = 1 + this.random.nextInt(50);
		for (int i = 0; i < calls && (this.sentCalls < this.grantedCalls || once(500)); i++) {
			int size = VictimServiceImpl.SHARED_SIZES.get(this.random.nextInt(VictimServiceImpl.SHARED_SIZES.size()));
			byte[] arguments = Speech.arguments(method, method.equals("sleep") ? 1 + size % 200 : size);
			if (this.sentBytes + arguments.length > this.grantedBytes) {
				return;
			}
			call(method, once(5) ? Speech.FLAG_LAST_GRANTED : 0, arguments);
			if (once(20)) {
				this.connection.send(Speech.header(0, FrameType.CANCEL, 0, 0, this.sentCalls));
			}
		}
	}

	private void whenAllowed(int length, Runnable next) {
		if (once(20)) {
			next.run();
			return;
		}
		this.asked = true;
		whenGranted(length, () -> {
			this.asked = false;
			next.run();
		});
	}

	private void beginBody(int length) {
		int number = once(3) ? UNKNOWN : Speech.number("add");
		beginCall(FrameType.REQUEST, number, 0, length);
		this.bodyLeft = length;
	}

	/** Some more of it, all of it, or nothing for a while. */
	private void body() {
		int count = switch (this.random.nextInt(4)) {
			case 0 -> 1;
			case 1 -> this.bodyLeft;
			case 2 -> Math.min(this.bodyLeft, 1 + this.random.nextInt(1 << 20));
			default -> 0;
		};
		this.bodyLeft -= count;
		if (count > 0) {
			this.connection.sendZeros(count);
		}
		else {
			quiet();
		}
	}

	private void replies() {
		if (once(2)) {
			this.repliesGranted += pick(SIZES);
			this.connection.send(Speech.window(this.repliesGranted));
		}
		else if (once(2)) {
			this.connection.stopReading();
		}
		else {
			this.connection.startReading();
		}
	}

	private void ask() {
		if (!this.needs) {
			this.connection.send(Speech.header(0, FrameType.PING, 0, 0, 1));
		}
		else if (once(2) && (!asks() || once(16))) {
			need(pick(SIZES));
		}
		else if (this.sentBytes < this.grantedBytes) {
			giveBack(1 + this.random.nextInt((int) (this.grantedBytes - this.sentBytes)));
		}
	}

	private void contracts() {
		if (once(2)) {
			this.connection.send(Speech.bind(NUMBERS * (1 + this.random.nextInt(8))));
		}
		else if (this.unknowns < 3) {
			byte[] hash = new byte[16];
			this.random.nextBytes(hash);
			this.connection.send(Speech.bind(UNKNOWN + NUMBERS * this.unknowns++, hash));
		}
		else {
			whenAllowed(Speech.TABLE, () -> {
				this.sentBytes += Speech.TABLE;
				this.connection.send(Speech.header(Speech.TABLE, FrameType.CONTRACT, 0, UNKNOWN, 0));
				this.connection.send(ByteBuffer.wrap(new byte[] { 'p' }));
				this.bodyLeft = Speech.TABLE - 1;
			});
		}
	}

	private void quiet() {
		this.quietLooks = this.random.nextInt(50);
	}

}
