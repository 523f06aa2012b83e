package io.rpcboot.serialization.fory;

import io.rpcboot.internal.concurrent.ThreadStripes;
import io.rpcboot.serialization.OutputBuffer;

import org.apache.fory.Fory;
import org.apache.fory.context.ReadContext;
import org.apache.fory.context.WriteContext;
import org.apache.fory.memory.MemoryBuffer;
import org.apache.fory.serializer.Serializer;

/**
 * Fory's serializers for values and what they need. Its object graphs, whose bytes choose
 * classes by name or number, are never used. For one thread at a time.
 */
final class ForyEngine {

	private static final int FIRST_SIZE = 1024;

	private static final int LARGEST_KEPT = 64 * 1024;

	private final Fory fory = Fory.builder()
		.withXlang(false)
		.requireClassRegistration(true)
		.withRefTracking(false)
		.withCompatible(false)
		.withCodegen(false)
		.registerGuavaTypes(false)
		.build();

	private final Serializer<?>[] serializers;

	private MemoryBuffer output = MemoryBuffer.newHeapBuffer(FIRST_SIZE);

	ForyEngine() {
		this.serializers = ForyValues.BY_FORY.stream().map(this.fory::getSerializer).toArray(Serializer<?>[]::new);
	}

	WriteContext writeContext() {
		return this.fory.getWriteContext();
	}

	ReadContext readContext() {
		return this.fory.getReadContext();
	}

	@SuppressWarnings("unchecked")
	Serializer<Object> serializer(int index) {
		return (Serializer<Object>) this.serializers[index];
	}

	ForyOutput output(OutputBuffer target) {
		this.output.writerIndex(0);
		writeContext().prepare(this.output, null);
		return new ForyOutput(this, this.output, target);
	}

	ForyInput input(byte[] source, int offset, int length) {
		MemoryBuffer input = MemoryBuffer.fromByteArray(source, offset, length);
		readContext().prepare(input, null, false);
		return new ForyInput(this, input, length);
	}

	private void reset() {
		writeContext().reset();
		readContext().reset();
		if (this.output.size() > LARGEST_KEPT) {
			this.output = MemoryBuffer.newHeapBuffer(FIRST_SIZE);
		}
	}

	/**
	 * Engines to use again, bounded in number and striped over the threads, so that
	 * nothing grows with their number. Thread-safe.
	 */
	static final class Pool {

		private final ThreadStripes<ForyEngine> free = new ThreadStripes<>();

		/** Take an engine, the caller's until it is released. */
		ForyEngine acquire() {
			ForyEngine engine = this.free.take();
			return (engine != null) ? engine : new ForyEngine();
		}

		/** Give an engine back. */
		void release(ForyEngine engine) {
			engine.reset();
			this.free.give(engine);
		}

	}

}
