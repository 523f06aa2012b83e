package io.rpcboot.metrics.history;

import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;

/**
 * Values of the JVM: heap, CPU, and the wait of event loops for a processor. Guarded by
 * the lock of the history.
 */
final class ProcessValues {

	private Optional<Duration> cpuBefore = cpu();

	private final ProcessorWait wait = new ProcessorWait(Path.of("/proc/self/task"));

	void tick(double seconds, Values values) {
		Runtime runtime = Runtime.getRuntime();
		values.put(HistoryValue.HEAP_USED, runtime.totalMemory() - runtime.freeMemory());
		Optional<Duration> cpuNow = cpu();
		if (cpuNow.isPresent() && this.cpuBefore.isPresent()) {
			double used = cpuNow.get().minus(this.cpuBefore.get()).toNanos() / 1e9;
			values.put(HistoryValue.PROCESS_CPU,
					Math.max(0, Math.min(1, used / seconds / runtime.availableProcessors())));
		}
		this.cpuBefore = cpuNow;
		long waited = this.wait.take();
		if (waited >= 0) {
			values.put(HistoryValue.LOOPS_WAITING, waited / 1e9 / seconds);
		}
	}

	private static Optional<Duration> cpu() {
		return ProcessHandle.current().info().totalCpuDuration();
	}

}
