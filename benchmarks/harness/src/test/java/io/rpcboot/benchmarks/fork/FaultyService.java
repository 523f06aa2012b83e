package io.rpcboot.benchmarks.fork;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;

import io.rpcboot.benchmarks.workload.DefaultBenchService;

/**
 * Answers in this process; one of its echoes is wrong, and one fails.
 */
final class FaultyService extends DefaultBenchService {

	private final AtomicInteger calls = new AtomicInteger();

	private final int wrong;

	private final int failing;

	/**
	 * Create the service.
	 * @param wrong number of the echo whose answer is wrong, from 1; 0 for none
	 * @param failing number of the echo that fails, from 1; 0 for none
	 */
	FaultyService(int wrong, int failing) {
		this.wrong = wrong;
		this.failing = failing;
	}

	int calls() {
		return this.calls.get();
	}

	@Override
	public byte[] echo(byte[] body) {
		int number = this.calls.incrementAndGet();
		if (number == this.failing) {
			throw new IllegalStateException("out of order");
		}
		return (number == this.wrong) ? new byte[body.length] : body;
	}

	@Override
	public CompletableFuture<byte[]> echoAsync(byte[] body) {
		try {
			return CompletableFuture.completedFuture(echo(body));
		}
		catch (IllegalStateException ex) {
			return CompletableFuture.failedFuture(ex);
		}
	}

}
