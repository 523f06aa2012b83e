package io.rpcboot.server;

import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Supplier;

import io.rpcboot.RpcStatus;
import io.rpcboot.internal.concurrent.WorkerPool;
import io.rpcboot.internal.memory.Direction;
import io.rpcboot.internal.server.call.ServerCall;
import io.rpcboot.internal.server.scheduling.CallLine;
import io.rpcboot.internal.server.scheduling.CallQueue;
import io.rpcboot.internal.server.scheduling.MethodTimes;
import io.rpcboot.internal.server.scheduling.ResultSizes;
import io.rpcboot.internal.server.scheduling.ServerMethod;
import io.rpcboot.internal.server.scheduling.ServiceShare;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Timeout;

import static org.assertj.core.api.Assertions.assertThat;

/** A call queue whose clock stands until a test moves it, and calls that arrive in it. */
@Timeout(60)
public abstract class CallQueueFixture {

	public static final long FOREVER = Long.MAX_VALUE;

	public final HandDrivenServer server = new HandDrivenServer(1 << 20, "x");

	/** Nobody takes anything but the test. */
	public final WorkerPool pool = new WorkerPool("none-", 0);

	public final AtomicLong clock = new AtomicLong(System.nanoTime());

	public CallQueue queue = new CallQueue(this.pool, false, this.clock::get);

	final ServerMethod method = method(1);

	public long lastId;

	@BeforeEach
	void clientTakesResults() {
		this.server.connection.replies.raise(1 << 30, false);
	}

	@AfterEach
	void everyCallEndedOnce() {
		for (Runnable task = this.queue.take(null); task != null; task = this.queue.take(null)) {
			task.run();
		}
		this.server.channel.runPendingTasks();
		assertThat(this.queue.size()).isZero();
		assertThat(this.queue.isEmpty()).isTrue();
		assertThat(this.server.runtime.inFlight.get()).as("calls in flight").isZero();
		this.server.channel.finishAndReleaseAll();
		assertThat(this.server.account.used(Direction.OUTGOING)).isZero();
		assertThat(this.server.account.used(Direction.INCOMING)).isZero();
	}

	public ServerMethod method(int mostThreads) {
		return method(line(mostThreads));
	}

	public ServerMethod method(CallLine line) {
		return method(line, this.server.method.implementation);
	}

	public ServerMethod method(CallLine line, Supplier<?> implementation) {
		ServerMethod any = this.server.method;
		return new ServerMethod(any.descriptor, false, any.codec, implementation, null, any.calls, new ResultSizes(),
				new MethodTimes(), Dispatch.POOL, line, null);
	}

	/** The line of a service. */
	public static CallLine line(int mostThreads) {
		return new CallLine(new ServiceShare(true, mostThreads, 1, 1), false);
	}

	public ServerCall arrives(long allowedMillis) {
		return arrives(this.method, allowedMillis);
	}

	public ServerCall arrives(ServerMethod called, long allowedMillis) {
		this.server.runtime.inFlight.incrementAndGet();
		ServerCall call = new ServerCall(this.server.connection, called, false, ++this.lastId, 0, this.clock.get(),
				(allowedMillis == FOREVER) ? FOREVER : TimeUnit.MILLISECONDS.toNanos(allowedMillis));
		this.pool.publish(call);
		return call;
	}

	public void pass(long millis) {
		this.clock.addAndGet(TimeUnit.MILLISECONDS.toNanos(millis));
	}

	/** What a worker does that was idle. */
	public @Nullable ServerCall take() {
		return run(this.queue.take(null));
	}

	public @Nullable ServerCall run(@Nullable Runnable task) {
		if (task == null) {
			return null;
		}
		ServerCall call = (ServerCall) task;
		if (this.clock.get() - call.sinceNanos >= CallLine.SLOW_NANOS) {
			this.queue.slow(); // as the call does when it looks at its time
		}
		call.end(RpcStatus.OK);
		return call;
	}

	public int inFlight() {
		this.server.channel.runPendingTasks();
		return this.server.runtime.inFlight.get();
	}

}
