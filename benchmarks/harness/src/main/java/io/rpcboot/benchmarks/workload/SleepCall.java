package io.rpcboot.benchmarks.workload;

import java.util.concurrent.CompletableFuture;

/**
 * A call whose handler takes a time that the caller chooses.
 *
 * @param millis how long, 0 or more
 */
public record SleepCall(int millis) implements MeasuredCall {

	@Override
	public String label() {
		return "sleep" + this.millis;
	}

	@Override
	public Object invoke(BenchService service, int n) {
		return service.sleep(this.millis);
	}

	@Override
	public CompletableFuture<?> invokeAsync(BenchService service, int n) {
		return service.sleepAsync(this.millis);
	}

	@Override
	public boolean isRight(int n, Object answer) {
		return answer.equals(this.millis);
	}

}
