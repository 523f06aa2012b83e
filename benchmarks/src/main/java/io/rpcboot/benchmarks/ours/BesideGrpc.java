package io.rpcboot.benchmarks.ours;

import java.util.concurrent.CompletableFuture;

import io.rpcboot.benchmarks.system.BenchClient;
import io.rpcboot.benchmarks.system.BenchServer;
import io.rpcboot.benchmarks.system.RpcSystem;
import io.rpcboot.benchmarks.workload.BenchCall;
import io.rpcboot.benchmarks.workload.BenchService;

/**
 * Native calls in processes in which gRPC over HTTP/2 has become hot before: what both
 * protocols share was compiled for both.
 *
 * @param name what the options and the report call it
 * @param measured the system with the native calls
 * @param before the same over gRPC
 */
record BesideGrpc(String name, OurSystem measured, OurSystem before) implements RpcSystem {

	/** More than the compiler wants to see of a method. */
	private static final int CALLS = 20_000;

	private static final int IN_FLIGHT = 64;

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
		BenchClient grpc = this.before.connect(port);
		for (BenchCall call : BenchCall.COMPARED) {
			warm(call, grpc.service());
		}
		BenchClient client = this.measured.connect(port);
		return new BenchClient() {

			@Override
			public BenchService service() {
				return client.service();
			}

			@Override
			public void close() {
				client.close();
				grpc.close();
			}

		};
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
