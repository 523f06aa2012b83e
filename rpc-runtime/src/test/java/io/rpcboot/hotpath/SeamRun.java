package io.rpcboot.hotpath;

import java.time.Duration;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.rpcboot.Endpoint;
import io.rpcboot.RpcException;
import io.rpcboot.ServiceDescriptor;
import io.rpcboot.client.CallbackThread;
import io.rpcboot.client.ReferenceOptions;
import io.rpcboot.client.RpcClient;
import io.rpcboot.context.RpcContext;
import io.rpcboot.metrics.micrometer.MicrometerRpcMetrics;
import io.rpcboot.server.RpcServer;
import io.rpcboot.transport.EventLoopOptions;
import io.rpcboot.transport.Protocol;

/**
 * Makes all kinds of calls: with results, attachments and exceptions, one-way, on an
 * event loop, and calls that end before they are sent and before they are answered.
 */
public final class SeamRun implements Callable<String>, AutoCloseable {

	private static final int LONG = 100_000;

	private final CountDownLatch told = new CountDownLatch(1);

	private final RpcServer server;

	private final RpcClient client;

	private final SeamService service;

	private final SeamService onLoop;

	/**
	 * Starts both sides.
	 * @param protocol name of a constant of {@link Protocol}
	 */
	public SeamRun(String protocol) {
		EventLoopOptions loops = EventLoopOptions.defaults().withThreads(1);
		this.server = RpcServer.builder()
			.service(ServiceDescriptor.of(SeamService.class), () -> new Implementation())
			.bindAddress("127.0.0.1")
			.port(0)
			.eventLoop(loops)
			.metrics(new MicrometerRpcMetrics(new SimpleMeterRegistry()))
			.start();
		this.client = RpcClient.builder()
			.eventLoop(loops)
			.waitForInstance(Duration.ofMinutes(1))
			.metrics(new MicrometerRpcMetrics(new SimpleMeterRegistry()))
			.build();
		ReferenceOptions options = ReferenceOptions.defaults()
			.withProtocol(Protocol.valueOf(protocol))
			.withTimeout(Duration.ofMinutes(1))
			.withEndpoints(new Endpoint("127.0.0.1", this.server.port()));
		this.service = this.client.reference(SeamService.class, options);
		this.onLoop = this.client.reference(SeamService.class, options.withCallbacks(CallbackThread.EVENT_LOOP));
	}

	private final class Implementation implements SeamService {

		@Override
		public byte[] echo(byte[] body) {
			RpcContext.current().replyAttachments().put("Length", String.valueOf(body.length));
			return body;
		}

		@Override
		public CompletableFuture<byte[]> later(byte[] body) {
			return CompletableFuture.completedFuture(body);
		}

		@Override
		public CompletableFuture<Void> hang() {
			return new CompletableFuture<>();
		}

		@Override
		public void fail(boolean declared) throws SeamException {
			if (declared) {
				throw new SeamException("declared");
			}
			throw new IllegalStateException("not declared");
		}

		@Override
		public void tell(byte[] body) {
			SeamRun.this.told.countDown();
		}

	}

	/** Returns what came of the calls. */
	@Override
	public String call() throws Exception {
		StringBuilder outcomes = new StringBuilder();
		for (int size : new int[] { 1, LONG }) {
			outcomes.append(this.service.echo(new byte[size]).length).append(' ');
			outcomes.append(this.service.later(new byte[size]).get(1, TimeUnit.MINUTES).length).append(' ');
			outcomes.append(this.onLoop.later(new byte[size]).get(1, TimeUnit.MINUTES).length).append(' ');
		}
		for (boolean declared : new boolean[] { true, false }) {
			try {
				this.service.fail(declared);
			}
			catch (SeamService.SeamException ex) {
				outcomes.append(ex.getMessage()).append(' ');
			}
			catch (RpcException ex) {
				outcomes.append(ex.status()).append(' ');
			}
		}
		this.service.tell(new byte[LONG]);
		outcomes.append(this.told.await(1, TimeUnit.MINUTES)).append(' ');
		CompletableFuture<Void> hanging = this.service.hang();
		this.service.echo(new byte[1]); // behind it
		outcomes.append(hanging.cancel(true)).append(' ');
		outcomes.append(cancelUnsent());
		return outcomes.toString();
	}

	/** A call that is enqueued while the only event loop stands still. */
	private boolean cancelUnsent() throws Exception {
		CountDownLatch stands = new CountDownLatch(1);
		CountDownLatch goesOn = new CountDownLatch(1);
		CompletableFuture<Void> standing = this.onLoop.later(new byte[1]).thenAccept((body) -> {
			stands.countDown();
			await(goesOn);
		});
		await(stands);
		boolean cancelled = this.service.hang().cancel(true);
		goesOn.countDown();
		standing.get(1, TimeUnit.MINUTES);
		return cancelled;
	}

	private static void await(CountDownLatch latch) {
		try {
			if (!latch.await(1, TimeUnit.MINUTES)) {
				throw new IllegalStateException("not within a minute");
			}
		}
		catch (InterruptedException ex) {
			throw new IllegalStateException(ex);
		}
	}

	@Override
	public void close() {
		this.client.close();
		this.server.close();
	}

}
