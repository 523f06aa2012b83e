package io.rpcboot.internal.server.scheduling;

import java.lang.reflect.InvocationHandler;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

import io.rpcboot.internal.concurrent.WorkerPool;
import io.rpcboot.internal.server.call.CallResponder;
import io.rpcboot.internal.server.call.ResponseEnd;
import io.rpcboot.internal.server.call.ResponseSink;
import io.rpcboot.internal.server.call.ServerCall;
import io.rpcboot.internal.server.call.ServerTransport;
import io.rpcboot.internal.server.fixture.HandDrivenServer;
import io.rpcboot.server.Dispatch;
import org.jspecify.annotations.Nullable;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.Expect;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.L_Result;

/**
 * Workers against those who end calls that wait, and against each other: each call ends
 * once, no service has more threads than it may have, and no call is left when all
 * workers are idle. Actors do what a worker does.
 */
public class CallSchedulerStress {

	private static final HandDrivenServer SERVER = new HandDrivenServer(1 << 20, "x");

	/** Connection that counts how often its one call ends. */
	private static final class Ends implements InvocationHandler {

		private final AtomicInteger ends = new AtomicInteger();

		final CallResponder responder = new CallResponder((ServerTransport) Proxy
			.newProxyInstance(Ends.class.getClassLoader(), new Class<?>[] { ServerTransport.class }, this),
				SERVER.runtime, null);

		/** Returns a call whose connection has ended: its end is reported at once. */
		ServerCall newCall(ServerMethod method, long allowedNanos) {
			ServerCall[] calls = new ServerCall[1];
			ResponseSink sink = (ResponseSink) Proxy.newProxyInstance(Ends.class.getClassLoader(),
					new Class<?>[] { ResponseSink.class }, (proxy, called, arguments) -> switch (called.getName()) {
						case "reply", "end", "drop" -> {
							calls[0].responding();
							calls[0].responseEnded(ResponseEnd.REJECTED);
							yield null;
						}
						default -> throw new UnsupportedOperationException(called.getName());
					});
			calls[0] = new ServerCall(this.responder, sink, Invocation.of(method, SERVER.invocation.codec, null), false,
					0, System.nanoTime(), allowedNanos);
			return calls[0];
		}

		@Override
		public @Nullable Object invoke(Object proxy, Method method, Object[] arguments) {
			switch (method.getName()) {
				case "maxResponse" -> {
					return SERVER.runtime.options.maxFrameSize;
				}
				case "remote" -> {
					return "none";
				}
				case "callsEnded" -> {
					this.ends.incrementAndGet();
					return null;
				}
				default -> throw new UnsupportedOperationException(method.getName());
			}
		}

	}

	/** A service that may have some threads, and counts how many run its calls. */
	private static final class Service implements HandDrivenServer.Archive {

		private final int mostThreads;

		private final AtomicInteger running = new AtomicInteger();

		private final AtomicInteger tooMany = new AtomicInteger();

		final ServerMethod method;

		Service(int mostThreads) {
			this.mostThreads = mostThreads;
			ServerMethod any = SERVER.method;
			this.method = new ServerMethod(any.descriptor, false, () -> this, any.calls,
					new ResponseSizeEstimator(true), new MinServiceTime(), Dispatch.POOL,
					new ServiceQueue(new Bulkhead(true, mostThreads, 1, 1), false), null);
		}

		@Override
		public String fetch() {
			if (this.running.incrementAndGet() > this.mostThreads) {
				this.tooMany.incrementAndGet();
			}
			this.running.decrementAndGet();
			return "x";
		}

		@Nullable String fault() {
			int left = this.method.queue.threads();
			return (this.tooMany.get() > 0) ? "too many threads" : (left != 0) ? "places in use: " + left : null;
		}

	}

	/** What all races share. */
	abstract static class Race {

		static final long FOREVER = Long.MAX_VALUE;

		/** Has no threads: actors are its workers. */
		private final WorkerPool pool = new WorkerPool("none-", 0);

		final CallScheduler queue;

		final List<ServerCall> calls = new ArrayList<>();

		private final List<Service> services;

		private final List<Ends> ends = new ArrayList<>();

		Race(boolean isShared, Service... services) {
			this.queue = new CallScheduler(this.pool, isShared, System::nanoTime);
			this.services = List.of(services);
		}

		final void arrives(int service, long allowedNanos) {
			Ends link = new Ends();
			this.ends.add(link);
			ServerCall call = link.newCall(this.services.get(service).method, allowedNanos);
			this.calls.add(call);
			this.pool.publish(call);
		}

		/** Both end with a wake-up: the actor is the worker that is woken. */
		final void cancel(int index) {
			ServerCall call = this.calls.get(index);
			call.cancelled = true;
			this.queue.cancelled(call);
			work();
		}

		final void sweep() {
			this.queue.sweep();
			work();
		}

		/** Work until there is nothing to do, as a worker that looks before it sleeps. */
		final void work() {
			Runnable last = null;
			while (last != null || !this.pool.arrivals().isEmpty() || !this.queue.isEmpty()) {
				last = this.queue.take(last);
				if (last != null) {
					last.run();
				}
			}
		}

		final void judge(L_Result result) {
			result.r1 = verdict();
		}

		private String verdict() {
			for (int i = 0; i < this.calls.size(); i++) {
				int ends = this.ends.get(i).ends.get();
				if (ends != 1) {
					return "call %d ended %d times".formatted(i, ends);
				}
			}
			for (Service service : this.services) {
				String fault = service.fault();
				if (fault != null) {
					return fault;
				}
			}
			boolean empty = this.queue.size() == 0 && this.queue.isEmpty() && this.pool.arrivals().isEmpty();
			return empty ? "right" : "size " + this.queue.size();
		}

	}

	@JCStressTest
	@Outcome(id = "right", expect = Expect.ACCEPTABLE, desc = "each call ended once")
	@Outcome(expect = Expect.FORBIDDEN, desc = "a call was lost or ended twice")
	@State
	public static class TakeAgainstCancel extends Race {

		public TakeAgainstCancel() {
			super(false, new Service(2));
			for (int i = 0; i < 4; i++) {
				arrives(0, FOREVER);
			}
		}

		@Actor
		public void worker() {
			work();
		}

		@Actor
		public void canceller() {
			cancel(1);
			cancel(3);
			cancel(0);
		}

		@Arbiter
		public void judged(L_Result result) {
			judge(result);
		}

	}

	/** The calls stand in their line when both begin. */
	@JCStressTest
	@Outcome(id = "right", expect = Expect.ACCEPTABLE, desc = "each call ended once")
	@Outcome(expect = Expect.FORBIDDEN, desc = "a call was lost or ended twice")
	@State
	public static class TakeAgainstCancelInLine extends Race {

		public TakeAgainstCancelInLine() {
			super(true, new Service(1));
			for (int i = 0; i < 4; i++) {
				arrives(0, FOREVER);
			}
			this.queue.sweep();
		}

		@Actor
		public void worker() {
			work();
		}

		@Actor
		public void canceller() {
			cancel(1);
			cancel(3);
			cancel(0);
		}

		@Arbiter
		public void judged(L_Result result) {
			judge(result);
		}

	}

	/** Some are over before, some while they are taken. */
	@JCStressTest
	@Outcome(id = "right", expect = Expect.ACCEPTABLE, desc = "each call ended once")
	@Outcome(expect = Expect.FORBIDDEN, desc = "a call was lost or ended twice")
	@State
	public static class TakeAgainstSweep extends Race {

		public TakeAgainstSweep() {
			super(true, new Service(1));
			arrives(0, TimeUnit.MICROSECONDS.toNanos(50));
			arrives(0, 0);
			arrives(0, FOREVER);
			arrives(0, TimeUnit.MICROSECONDS.toNanos(200));
		}

		@Actor
		public void worker() {
			work();
		}

		@Actor
		public void sweeper() {
			sweep();
			sweep();
		}

		@Arbiter
		public void judged(L_Result result) {
			judge(result);
		}

	}

	/** Two workers, and two services that may have one of them each. */
	@JCStressTest
	@Outcome(id = "right", expect = Expect.ACCEPTABLE, desc = "each call ended once, in its turn")
	@Outcome(expect = Expect.FORBIDDEN, desc = "a place or a call was lost")
	@State
	public static class WorkerAgainstWorker extends Race {

		public WorkerAgainstWorker() {
			super(true, new Service(1), new Service(1));
			arrives(0, FOREVER);
			arrives(0, FOREVER);
			arrives(1, FOREVER);
			arrives(0, FOREVER);
		}

		@Actor
		public void first() {
			work();
		}

		@Actor
		public void second() {
			work();
		}

		@Arbiter
		public void judged(L_Result result) {
			judge(result);
		}

	}

	/** The service is full when a worker finds the last call, and free a moment later. */
	@JCStressTest
	@Outcome(id = "right", expect = Expect.ACCEPTABLE, desc = "each call ended once, in its turn")
	@Outcome(expect = Expect.FORBIDDEN, desc = "a place or a call was lost")
	@State
	public static class EnterAgainstLeave extends Race {

		public EnterAgainstLeave() {
			super(true, new Service(1));
			arrives(0, FOREVER);
			arrives(0, FOREVER);
		}

		@Actor
		public void first() {
			work();
		}

		@Actor
		public void second() {
			work();
		}

		@Arbiter
		public void judged(L_Result result) {
			judge(result);
		}

	}

}
