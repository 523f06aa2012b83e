package io.rpcboot.benchmarks.fork;

import java.io.IOException;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.lang.management.ManagementFactory;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

import com.sun.management.OperatingSystemMXBean;
import com.sun.management.ThreadMXBean;
import org.jspecify.annotations.Nullable;

/**
 * What this process has used since its start.
 *
 * @param cpuNanos processor time of all threads
 * @param allocatedBytes bytes allocated on the heap: of all threads since Java 21, of the
 * threads that still live before
 * @param switches voluntary context switches of the threads that still live, 0 where the
 * system does not tell
 * @param collections runs of the garbage collectors
 * @param collectionMillis time of these
 */
public record ProcessCounters(long cpuNanos, long allocatedBytes, long switches, long collections,
		long collectionMillis) {

	private static final OperatingSystemMXBean SYSTEM = ManagementFactory
		.getPlatformMXBean(OperatingSystemMXBean.class);

	private static final ThreadMXBean THREADS = ManagementFactory.getPlatformMXBean(ThreadMXBean.class);

	private static final @Nullable MethodHandle TOTAL_ALLOCATED = totalAllocated();

	private static final Path TASKS = Path.of("/proc/self/task");

	/** One leaves what only references of the first kind held. */
	private static final int COLLECTIONS_UNTIL_STEADY = 3;

	private static final String SWITCHES = "voluntary_ctxt_switches:";

	/**
	 * Read the counters as the measured span begins: the slowest to read first.
	 * @return the counters
	 */
	public static ProcessCounters atStart() {
		long switches = readSwitches();
		long allocated = readAllocatedBytes();
		return new ProcessCounters(SYSTEM.getProcessCpuTime(), allocated, switches, readCollections(),
				readCollectionMillis());
	}

	/**
	 * Read the counters as the measured span ends: the slowest to read last.
	 * @return the counters
	 */
	public static ProcessCounters atEnd() {
		long cpu = SYSTEM.getProcessCpuTime();
		long allocated = readAllocatedBytes();
		return new ProcessCounters(cpu, allocated, readSwitches(), readCollections(), readCollectionMillis());
	}

	/**
	 * What was used in between.
	 * @param start the earlier reading
	 * @return the differences
	 */
	public ProcessCounters since(ProcessCounters start) {
		return new ProcessCounters(this.cpuNanos - start.cpuNanos, this.allocatedBytes - start.allocatedBytes,
				this.switches - start.switches, this.collections - start.collections,
				this.collectionMillis - start.collectionMillis);
	}

	/**
	 * What lives on the heap, after the garbage was collected.
	 * @return bytes
	 */
	static long usedHeap() {
		for (int i = 0; i < COLLECTIONS_UNTIL_STEADY; i++) {
			System.gc();
		}
		return ManagementFactory.getMemoryMXBean().getHeapMemoryUsage().getUsed();
	}

	private static long readCollections() {
		return ManagementFactory.getGarbageCollectorMXBeans()
			.stream()
			.mapToLong((each) -> Math.max(each.getCollectionCount(), 0))
			.sum();
	}

	private static long readCollectionMillis() {
		return ManagementFactory.getGarbageCollectorMXBeans()
			.stream()
			.mapToLong((each) -> Math.max(each.getCollectionTime(), 0))
			.sum();
	}

	private static long readAllocatedBytes() {
		if (TOTAL_ALLOCATED != null) {
			try {
				return (long) TOTAL_ALLOCATED.invokeExact(THREADS);
			}
			catch (Throwable ex) {
				throw new IllegalStateException(ex);
			}
		}
		long sum = 0;
		for (long bytes : THREADS.getThreadAllocatedBytes(THREADS.getAllThreadIds())) {
			sum += Math.max(bytes, 0);
		}
		return sum;
	}

	private static @Nullable MethodHandle totalAllocated() {
		try {
			return MethodHandles.publicLookup()
				.findVirtual(ThreadMXBean.class, "getTotalThreadAllocatedBytes", MethodType.methodType(long.class));
		}
		catch (ReflectiveOperationException ex) {
			return null;
		}
	}

	private static long readSwitches() {
		if (!Files.isDirectory(TASKS)) {
			return 0;
		}
		long sum = 0;
		try (DirectoryStream<Path> tasks = Files.newDirectoryStream(TASKS)) {
			for (Path task : tasks) {
				sum += readSwitches(task.resolve("status"));
			}
		}
		catch (IOException ex) {
			throw new IllegalStateException(ex);
		}
		return sum;
	}

	private static long readSwitches(Path status) {
		List<String> lines;
		try {
			lines = Files.readAllLines(status);
		}
		catch (IOException ex) {
			return 0; // the thread has ended
		}
		for (String line : lines) {
			if (line.startsWith(SWITCHES)) {
				return Long.parseLong(line.substring(SWITCHES.length()).trim());
			}
		}
		return 0;
	}

}
