package io.rpcboot.engine.stream;

import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;

import io.rpcboot.RpcStream;
import io.rpcboot.engine.stream.Feeds.OutOfTicksException;
import io.rpcboot.engine.stream.Feeds.Tick;

/** Counts what it learns. */
public class PushesImpl implements Pushes {

	/** Elements that were sent. */
	final AtomicLong sent = new AtomicLong();

	/** Streams that were cancelled. */
	final AtomicInteger cancelled = new AtomicInteger();

	/** Streams of callers that have learned of a drain. */
	final AtomicInteger drained = new AtomicInteger();

	/** True to go on when the server drains. */
	volatile boolean isStubborn;

	@Override
	public RpcStream<Tick> ticks(int from) {
		RpcStream<Tick> ticks = RpcStream.create();
		AtomicInteger next = new AtomicInteger(from);
		ticks.onReady(() -> {
			while (ticks.isReady()) {
				this.sent.incrementAndGet();
				ticks.send(Tick.of(next.getAndIncrement()));
			}
		});
		ticks.onCancel(this.cancelled::incrementAndGet);
		ticks.onDrain(() -> {
			this.drained.incrementAndGet();
			if (!this.isStubborn) {
				ticks.complete();
			}
		});
		return ticks;
	}

	@Override
	public RpcStream<Tick> failing(int count) {
		RpcStream<Tick> ticks = RpcStream.create();
		AtomicInteger next = new AtomicInteger();
		ticks.onReady(() -> {
			while (ticks.isReady()) {
				if (next.get() == count) {
					ticks.fail(new OutOfTicksException("no more", count));
					return;
				}
				ticks.send(Tick.of(next.getAndIncrement()));
			}
		});
		return ticks;
	}

	@Override
	public long sum(RpcStream<Tick> ticks) {
		AtomicLong sum = new AtomicLong();
		ticks.onDrain(this.drained::incrementAndGet);
		ticks.forEach((each) -> sum.addAndGet(each.number())).join();
		return sum.get();
	}

	@Override
	public RpcStream<Tick> echo(RpcStream<Tick> ticks) {
		return RpcStream.from(ticks);
	}

}
