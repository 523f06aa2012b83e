package io.rpcboot.benchmarks.ours;

import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;

import io.rpcboot.benchmarks.system.BenchClient;
import io.rpcboot.benchmarks.system.BenchServer;
import io.rpcboot.benchmarks.system.RpcSystem;
import io.rpcboot.benchmarks.workload.BenchCall;
import io.rpcboot.benchmarks.workload.BenchService;

/**
 * Native calls in processes in which other calls have become hot before, and go on at a
 * low rate: what all of them share was compiled for all of them.
 *
 * @param name what the options and the report call it
 * @param measured the system with the native calls, whose server knows the others
 * @param others the same service by other protocols and serializers
 */
record BesideOthers(String name, OurSystem measured, List<OurSystem> others) implements RpcSystem {

	/** More than the compiler wants to see of a method. */
	private static final int CALLS = 20_000;

	private static final int IN_FLIGHT = 64;

	/**
	 * Between two rounds of one call of each kind, a few in a thousand of the measured.
	 */
	private static final int PAUSE_MILLIS = 50;

	@Override
	public boolean supports(BenchCall call) {
		return this.measured.supports(call);
	}

	@Override
	public BenchServer startServer() {
		return this.measured.startServer();
	}

	@Override
	public BenchServer startServer(BenchService service) {
		return this.measured.startServer(service);
	}

	@Override
	public BenchClient connect(int port) {
		List<BenchClient> clients = this.others.stream().map((each) -> each.connect(port)).toList();
		clients.forEach((each) -> BenchCall.COMPARED.forEach((call) -> warm(call, each.service())));
		ScheduledExecutorService background = Executors.newSingleThreadScheduledExecutor();
		background.scheduleWithFixedDelay(() -> clients.forEach((each) -> callOnce(each.service())), 0, PAUSE_MILLIS,
				TimeUnit.MILLISECONDS);
		BenchClient client = this.measured.connect(port);
		return new BenchClient() {

			@Override
			public BenchService service() {
				return client.service();
			}

			@Override
			public void close() {
				background.shutdownNow();
				client.close();
				clients.forEach(BenchClient::close);
			}

		};
	}

	private static void callOnce(BenchService service) {
		BenchCall.COMPARED.forEach((call) -> call.invoke(service, 1));
	}

	private static void warm(BenchCall call, BenchService service) {
		CompletableFuture<?>[] calls = new CompletableFuture<?>[IN_FLIGHT];
		for (int n = 0; n < CALLS; n += IN_FLIGHT) {
			for (int i = 0; i < IN_FLIGHT; i++) {
				calls[i] = call.invokeAsync(service, n + i);
			}
			call.invoke(service, n);
			CompletableFuture.allOf(calls).join();
		}
	}

}
