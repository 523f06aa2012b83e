package io.rpcboot.benchmarks.serialization;

import java.util.concurrent.TimeUnit;

import org.jspecify.annotations.NullUnmarked;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;

/**
 * One serializer in one process, because the second one in a process is slower than the
 * first: their calls are no longer of one kind.
 */
@NullUnmarked
@State(Scope.Benchmark)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
public class SerializationBenchmark {

	/** What is serialized. */
	@Param
	public Sample sample;

	/** Who does it. The last parameter: those that are compared follow each other. */
	@Param
	public Serializers serializer;

	private Candidate candidate;

	private Object value;

	private byte[] bytes;

	/**
	 * Prepare the value and its bytes.
	 * @throws Exception if the serializer cannot carry it
	 */
	@Setup
	public void prepare() throws Exception {
		this.candidate = this.serializer.create(this.sample);
		this.value = this.sample.value();
		this.candidate.serialize(this.value);
		this.bytes = this.candidate.bytes();
	}

	/**
	 * Write the value.
	 * @return how many bytes it took
	 * @throws Exception if it fails
	 */
	@Benchmark
	public int serialize() throws Exception {
		return this.candidate.serialize(this.value);
	}

	/**
	 * Read the value.
	 * @return an equal value
	 * @throws Exception if it fails
	 */
	@Benchmark
	public Object deserialize() throws Exception {
		return this.candidate.deserialize(this.bytes);
	}

}
