package io.rpcboot.benchmarks.hanging;

import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.LongAdder;

import io.rpcboot.Endpoint;
import io.rpcboot.RpcException;
import io.rpcboot.RpcStatus;
import io.rpcboot.ServiceDescriptor;
import io.rpcboot.benchmarks.LoopingThreads;
import io.rpcboot.client.ReferenceOptions;
import io.rpcboot.client.RpcClient;
import io.rpcboot.server.Dispatch;
import io.rpcboot.server.RpcServer;
import io.rpcboot.server.ServiceOptions;

/**
 * The measured process: a server with two services and a client that calls both over the
 * same connections, with default settings. Prints for each round how many calls a second
 * the prompt service answers while nobody calls the other and while that hangs.
 */
final class HangingProbe implements AutoCloseable {

	static final String FIGURES = "figures ";

	static final String ASYNCHRONOUS = "asynchronous";

	static final String BLOCKING = "blocking";

	private static final int HANGING_CALLERS = 256;

	private static final int PROMPT_CALLERS = 16;

	private static final int PROMPT_IN_FLIGHT = 256;

	/** Then the first calls have timed out, and what there is to be had is taken. */
	private static final long HANGS_MILLIS = 4000;

	private static final long TURN_MILLIS = 2000;

	private static final Duration PATIENCE = Duration.ofSeconds(20);

	private final boolean asynchronous;

	private final RpcServer server;

	private final RpcClient client;

	private final Hanging hanging;

	private final Prompt prompt;

	private volatile CountDownLatch gate = new CountDownLatch(0);

	private HangingProbe(Dispatch dispatch, boolean asynchronous) {
		this.asynchronous = asynchronous;
		Hanging offered = new HangingUntilOpen();
		Prompt alsoOffered = new AnswersAtOnce();
		ServiceOptions options = ServiceOptions.defaults().withDispatch(dispatch);
		this.server = RpcServer.builder()
			.port(0)
			.bindAddress("127.0.0.1")
			.service(ServiceDescriptor.of(Hanging.class), () -> offered, options)
			.service(ServiceDescriptor.of(Prompt.class), () -> alsoOffered, options)
			.start();
		this.client = RpcClient.builder().build();
		ReferenceOptions reference = ReferenceOptions.defaults()
			.withEndpoints(new Endpoint("127.0.0.1", this.server.port()));
		this.hanging = this.client.reference(Hanging.class, reference);
		this.prompt = this.client.reference(Prompt.class, reference);
	}

	/**
	 * Measure.
	 * @param args dispatch, kind of callers, number of rounds
	 * @throws InterruptedException never
	 */
	public static void main(String[] args) throws InterruptedException {
		try (HangingProbe probe = new HangingProbe(Dispatch.valueOf(args[0]), ASYNCHRONOUS.equals(args[1]))) {
			probe.turn();
			probe.turnWhileTheOtherHangs(); // both are warm now
			for (int round = Integer.parseInt(args[2]); round > 0; round--) {
				double alone = probe.turn();
				System.out.println(FIGURES + alone + " " + probe.turnWhileTheOtherHangs());
			}
		}
	}

	/** Nobody calls the prompt service until the other one hangs. */
	private double turnWhileTheOtherHangs() throws InterruptedException {
		this.gate = new CountDownLatch(1);
		try (LoopingThreads callers = new LoopingThreads(this.asynchronous ? 2 : HANGING_CALLERS, this::callHanging)) {
			callers.goOn(HANGS_MILLIS);
			return turn();
		}
		finally {
			this.gate.countDown();
			awaitIdle();
		}
	}

	private void awaitIdle() throws InterruptedException {
		long end = System.nanoTime() + PATIENCE.toNanos();
		while (this.server.inFlightCalls() > 0) {
			if (System.nanoTime() - end > 0) {
				throw new IllegalStateException(this.server.inFlightCalls() + " calls have not ended");
			}
			TimeUnit.MILLISECONDS.sleep(10);
		}
	}

	private void callHanging() {
		try {
			if (this.asynchronous) {
				this.hanging.hangLater(1);
			}
			else {
				this.hanging.hang(1);
			}
		}
		catch (RpcException ex) {
			if (ex.status() != RpcStatus.DEADLINE_EXCEEDED) {
				throw ex;
			}
		}
	}

	/** Calls a second that the prompt service answers. */
	private double turn() throws InterruptedException {
		LongAdder answers = new LongAdder();
		Semaphore room = new Semaphore(PROMPT_IN_FLIGHT);
		Runnable call = this.asynchronous ? () -> callLater(room, answers) : () -> call(answers);
		try (LoopingThreads callers = new LoopingThreads(this.asynchronous ? 1 : PROMPT_CALLERS, call)) {
			long begin = System.nanoTime();
			callers.goOn(TURN_MILLIS);
			return answers.sum() / ((System.nanoTime() - begin) / 1e9);
		}
	}

	private void call(LongAdder answers) {
		this.prompt.answer(1);
		answers.increment();
	}

	private void callLater(Semaphore room, LongAdder answers) {
		room.acquireUninterruptibly();
		this.prompt.answerLater(1).whenComplete((answer, failure) -> {
			room.release();
			if (failure == null) {
				answers.increment();
			}
		});
	}

	@Override
	public void close() {
		this.client.close();
		this.server.close();
	}

	/** A service whose calls wait for the gate. */
	public interface Hanging {

		/** Blocks the caller, too. */
		int hang(int number);

		/** The same for callers who do not wait. */
		CompletableFuture<Integer> hangLater(int number);

	}

	/** Another one. */
	public interface Prompt {

		/** Returns the number. */
		int answer(int number);

		/** The same for callers who do not wait. */
		CompletableFuture<Integer> answerLater(int number);

	}

	private final class HangingUntilOpen implements Hanging {

		@Override
		public int hang(int number) {
			try {
				HangingProbe.this.gate.await();
			}
			catch (InterruptedException ex) {
				Thread.currentThread().interrupt();
			}
			return number;
		}

		@Override
		public CompletableFuture<Integer> hangLater(int number) {
			return CompletableFuture.completedFuture(hang(number));
		}

	}

	private static final class AnswersAtOnce implements Prompt {

		@Override
		public int answer(int number) {
			return number;
		}

		@Override
		public CompletableFuture<Integer> answerLater(int number) {
			return CompletableFuture.completedFuture(number);
		}

	}

}
