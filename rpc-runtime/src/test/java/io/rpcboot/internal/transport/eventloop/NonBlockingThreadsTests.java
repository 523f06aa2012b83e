package io.rpcboot.internal.transport.eventloop;

import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.TimeUnit;

import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.channel.local.LocalIoHandler;
import io.netty.util.concurrent.DefaultEventExecutorGroup;
import io.netty.util.concurrent.DefaultThreadFactory;
import io.netty.util.concurrent.FastThreadLocalThread;
import org.junit.jupiter.api.Test;
import reactor.core.scheduler.NonBlocking;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests which threads must not block, and which may although their class is suspect.
 */
class NonBlockingThreadsTests {

	private static final String MAY_WAIT = "may wait";

	/** As Reactor's own: no thread of Netty. */
	private static final class ReactorThread extends Thread implements NonBlocking {

		ReactorThread(Runnable task) {
			super(task);
		}

	}

	/** As a thread of Netty whose user knows that it may wait. */
	private static final class PermittedThread extends FastThreadLocalThread {

		PermittedThread(Runnable task) {
			super(task);
		}

		@Override
		public boolean permitBlockingCalls() {
			return true;
		}

	}

	/** What a blocking call finds on a thread of these; they are closed. */
	private static String callerOn(ExecutorService threads) throws Exception {
		try {
			Callable<String> call = () -> {
				Thread caller = Thread.currentThread();
				boolean suspect = NonBlockingThreads.OF_NETTY.isInstance(caller)
						|| NonBlockingThreads.OF_REACTOR.isInstance(caller);
				String kind = suspect ? NonBlockingThreads.kindOfCaller() : null;
				return (kind != null) ? kind : MAY_WAIT;
			};
			return threads.submit(call).get(20, TimeUnit.SECONDS);
		}
		finally {
			threads.shutdown();
		}
	}

	private static String callerOnLoopOf(ThreadFactory threads) throws Exception {
		return callerOn(new MultiThreadIoEventLoopGroup(1, threads, LocalIoHandler.newFactory()));
	}

	@Test
	void eventLoops_areNonBlocking() throws Exception {
		assertThat(callerOnLoopOf(new DefaultThreadFactory("other"))).isEqualTo("an event loop");
		assertThat(callerOnLoopOf((task) -> new EventLoopThread(task, "ours"))).isEqualTo("an event loop");
	}

	@Test
	void reactorThreads_areNonBlocking() throws Exception {
		assertThat(callerOn(Executors.newSingleThreadExecutor(ReactorThread::new)))
			.isEqualTo("a non-blocking thread of Reactor");
	}

	@Test
	void otherNettyThreads_mayBlock() throws Exception {
		ThreadFactory threads = new DefaultThreadFactory("worker");
		assertThat(callerOn(new DefaultEventExecutorGroup(1, threads))).isEqualTo(MAY_WAIT);
		assertThat(callerOn(Executors.newSingleThreadExecutor(threads))).isEqualTo(MAY_WAIT);
		assertThat(callerOnLoopOf(PermittedThread::new)).isEqualTo(MAY_WAIT);
	}

	@Test
	void ordinaryThreads_mayBlock() throws Exception {
		assertThat(callerOn(Executors.newSingleThreadExecutor())).isEqualTo(MAY_WAIT);
	}

}
