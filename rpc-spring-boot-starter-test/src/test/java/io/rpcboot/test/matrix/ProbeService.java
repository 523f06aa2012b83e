package io.rpcboot.test.matrix;

import java.time.Duration;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.locks.LockSupport;

import io.rpcboot.context.RpcContext;
import io.rpcboot.server.Dispatch;
import org.jspecify.annotations.Nullable;

/** Does what it is told, and knows what it was told. */
abstract class ProbeService implements Probe {

	static final String TENANT = "tenant";

	static final String LEFT = "left";

	static final String HANG = "hang";

	static final String FAIL = "fail";

	static final String THREAD = "thread";

	/** What one-way calls have made. */
	static final BlockingQueue<String> told = new LinkedBlockingQueue<>();

	/** What hangs. */
	static final BlockingQueue<String> hanging = new LinkedBlockingQueue<>();

	/** What was cancelled. */
	static final BlockingQueue<String> cancelled = new LinkedBlockingQueue<>();

	private static final Duration LONGEST = Duration.ofSeconds(5);

	/** Time in which a one-way call is not cancelled. */
	private static final Duration BRIEFLY = Duration.ofMillis(300);

	private static final ExecutorService elsewhere = Executors.newSingleThreadExecutor((task) -> {
		Thread thread = new Thread(task, "elsewhere");
		thread.setDaemon(true);
		return thread;
	});

	private final Dispatch dispatch;

	ProbeService(Dispatch dispatch) {
		this.dispatch = dispatch;
	}

	/** The second hop; null for this service being it. */
	abstract @Nullable Probe next();

	@Override
	public String ask(String what, @Nullable RpcContext call) {
		Probe next = next();
		boolean goesOn = what.equals(LEFT) && next != null && this.dispatch != Dispatch.EVENT_LOOP;
		return goesOn ? next.ask(what, null) : answer(what, current(call));
	}

	@Override
	public CompletableFuture<String> askLater(String what, @Nullable RpcContext call) {
		RpcContext current = current(call);
		if (what.equals(HANG)) {
			CompletableFuture<String> result = new CompletableFuture<>();
			current.onCancel(() -> {
				cancelled.add(what);
				result.complete("nobody waits");
			});
			hanging.add(what);
			return result;
		}
		Probe next = next();
		return (what.equals(LEFT) && next != null) ? next.askLater(what, null)
				: CompletableFuture.completedFuture(answer(what, current));
	}

	@Override
	public void tell(String what, @Nullable RpcContext call) {
		Probe next = next();
		if (what.equals(LEFT) && next != null) {
			next.askLater(what, null).thenAccept(told::add);
		}
		else {
			told.add(what.equals(HANG) ? hang(current(call), BRIEFLY) : answer(what, current(call)));
		}
	}

	private static RpcContext current(@Nullable RpcContext call) {
		if (call == null || call != RpcContext.current()) {
			throw new AssertionError("the parameter is not the context");
		}
		return call;
	}

	private static String answer(String what, RpcContext call) {
		String tenant = String.valueOf(call.attachments().get(TENANT));
		return switch (what) {
			case TENANT -> {
				call.replyAttachments().put("echo", tenant);
				yield tenant;
			}
			case LEFT -> String.valueOf(call.remaining().toMillis());
			case HANG -> hang(call, LONGEST);
			case FAIL -> throw new IllegalArgumentException(tenant);
			case THREAD -> elsewhere(call);
			default -> what;
		};
	}

	private static String hang(RpcContext call, Duration longest) {
		long begin = System.nanoTime();
		while (!call.isCancelled() && System.nanoTime() - begin < longest.toNanos()) {
			LockSupport.parkNanos(Duration.ofMillis(1).toNanos());
		}
		if (call.isCancelled()) {
			cancelled.add(HANG);
			return "nobody waits";
		}
		return "not cancelled";
	}

	private static String elsewhere(RpcContext call) {
		try {
			String without = elsewhere.submit(() -> String.valueOf(RpcContext.current())).get();
			String with = elsewhere
				.submit(call.wrap(() -> String.valueOf(RpcContext.current().attachments().get(TENANT))))
				.get();
			return without + " " + with;
		}
		catch (InterruptedException | ExecutionException ex) {
			throw new IllegalStateException(ex);
		}
	}

}
