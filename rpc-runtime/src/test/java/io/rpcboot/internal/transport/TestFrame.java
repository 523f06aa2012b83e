package io.rpcboot.internal.transport;

import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Function;

import io.netty.buffer.UnpooledByteBufAllocator;

import io.rpcboot.internal.memory.MemoryAccount;
import io.rpcboot.internal.protocol.FrameType;

/** A frame that counts what happens to it. */
final class TestFrame extends Frame implements TimedFrame {

	final AtomicInteger written = new AtomicInteger();

	final AtomicInteger skipped = new AtomicInteger();

	final AtomicInteger rejected = new AtomicInteger();

	final AtomicInteger succeeded = new AtomicInteger();

	final AtomicInteger failed = new AtomicInteger();

	Function<Boolean, Admission> admission = (writable) -> writable ? Admission.WRITE : Admission.HOLD;

	Runnable onEnd = () -> {
	};

	volatile boolean abandoned;

	long startedNanos;

	/** Over {@link #LARGE_BODY} bytes it is a large body. */
	TestFrame(long callId, int size) {
		super(FrameType.RESPONSE, new byte[size]);
		this.callId = callId;
		if (size > LARGE_BODY) {
			expect(0, size, false);
			write(this.body, 0, size);
			body(NOTHING, size);
		}
	}

	@Override
	protected LargeBody newLargeBody() {
		BodyMemory memory = new BodyMemory(new MemoryAccount(1 << 30, 0), new UnpooledByteBufAllocator(true, true), 0);
		return new LargeBody(memory, 0, Integer.MAX_VALUE, 0, (length) -> {
		});
	}

	TestFrame admitted(Function<Boolean, Admission> rule) {
		this.admission = rule;
		return this;
	}

	TestFrame withDeadline(int millis) {
		this.flags = 1;
		this.remainingMillis = millis;
		return this;
	}

	TestFrame startedAt(long nanos) {
		this.startedNanos = nanos;
		return this;
	}

	@Override
	public long startedNanos() {
		return this.startedNanos;
	}

	/** How often its fate was decided. */
	int ends() {
		return this.written.get() + this.skipped.get() + this.rejected.get();
	}

	@Override
	protected Admission begin(boolean writable) {
		Admission result = this.admission.apply(writable);
		if (result == Admission.WRITE) {
			this.written.incrementAndGet();
		}
		else if (result == Admission.SKIP) {
			this.skipped.incrementAndGet();
		}
		return result;
	}

	@Override
	protected void rejected() {
		this.rejected.incrementAndGet();
		this.onEnd.run();
	}

	@Override
	protected boolean isAbandoned() {
		return this.abandoned;
	}

	@Override
	protected boolean wantsOutcome() {
		return true;
	}

	@Override
	protected void outcome(boolean success) {
		(success ? this.succeeded : this.failed).incrementAndGet();
		this.onEnd.run();
	}

}
