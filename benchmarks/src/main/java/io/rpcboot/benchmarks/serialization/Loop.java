package io.rpcboot.benchmarks.serialization;

import java.lang.management.ManagementFactory;
import java.util.Locale;

import com.sun.management.ThreadMXBean;
import org.jspecify.annotations.Nullable;

/**
 * Measures one operation of one serializer where JMH cannot: JMH 1.37 uses Unsafe itself
 * and does not start where that is denied. The same warm-up, iterations and result.
 */
public final class Loop {

	private static final int BATCH_NANOS = 1_000_000;

	private static volatile @Nullable Object last;

	private final Candidate candidate;

	private final Object value;

	private final byte[] bytes;

	private final boolean serialize;

	private final ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();

	private long operations;

	private Loop(Candidate candidate, Object value, boolean serialize) throws Exception {
		this.candidate = candidate;
		this.value = value;
		this.serialize = serialize;
		candidate.serialize(value);
		this.bytes = candidate.bytes();
	}

	/**
	 * Measure, and print nanoseconds and allocated bytes of one operation.
	 * @param args serializer, sample, operation, number of warm-up iterations and their
	 * milliseconds, number of measured iterations and their milliseconds
	 * @throws Exception if the serializer cannot do it on this JVM
	 */
	public static void main(String[] args) throws Exception {
		Sample sample = Sample.valueOf(args[1]);
		Loop loop = new Loop(Serializers.valueOf(args[0]).create(sample), sample.value(),
				args[2].equals(Figures.SERIALIZE));
		loop.run(Integer.parseInt(args[3]), Integer.parseInt(args[4]));
		System.out.println(loop.run(Integer.parseInt(args[5]), Integer.parseInt(args[6])));
	}

	/** The time of the fastest iteration, and what all of them allocate. */
	private String run(int iterations, int millis) throws Exception {
		double least = Double.MAX_VALUE;
		long allocated = this.threads.getCurrentThreadAllocatedBytes();
		this.operations = 0;
		for (int i = 0; i < iterations; i++) {
			least = Math.min(least, iteration(millis * 1_000_000L));
		}
		allocated = this.threads.getCurrentThreadAllocatedBytes() - allocated;
		return String.format(Locale.ROOT, "%f %f", least, (double) allocated / this.operations);
	}

	private double iteration(long nanos) throws Exception {
		long start = System.nanoTime();
		long end = start;
		long before = this.operations;
		int batch = 1;
		while (end - start < nanos) {
			long batchStart = end;
			batch(batch);
			this.operations += batch;
			end = System.nanoTime();
			if (end - batchStart < BATCH_NANOS) {
				batch *= 2;
			}
		}
		return (double) (end - start) / (this.operations - before);
	}

	private void batch(int size) throws Exception {
		if (this.serialize) {
			int sum = 0;
			for (int i = 0; i < size; i++) {
				sum += this.candidate.serialize(this.value);
			}
			last = (sum == 0) ? this.bytes : null;
			return;
		}
		for (int i = 0; i < size; i++) {
			last = this.candidate.deserialize(this.bytes);
		}
	}

}
