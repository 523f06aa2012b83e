package io.rpcboot.benchmarks.serialization;

import io.rpcboot.benchmarks.workload.Page;
import io.rpcboot.benchmarks.workload.User;
import org.apache.fory.Fory;
import org.apache.fory.config.Language;
import org.apache.fory.memory.MemoryBuffer;

/**
 * Fory's own format with registered classes, without tracking of references, into a
 * buffer that is used again.
 */
final class ForyCandidate implements Candidate {

	private final Fory fory;

	private final MemoryBuffer buffer = MemoryBuffer.newHeapBuffer(8192);

	ForyCandidate() {
		this.fory = Fory.builder()
			.withLanguage(Language.JAVA)
			.withRefTracking(false)
			.requireClassRegistration(true)
			.suppressClassRegistrationWarnings(true)
			.withAsyncCompilation(false)
			.build();
		this.fory.register(User.class);
		this.fory.register(Page.class);
	}

	@Override
	public int serialize(Object value) {
		this.buffer.writerIndex(0);
		this.fory.serialize(this.buffer, value);
		return this.buffer.writerIndex();
	}

	@Override
	public byte[] bytes() {
		return this.buffer.getBytes(0, this.buffer.writerIndex());
	}

	@Override
	public Object deserialize(byte[] bytes) {
		return this.fory.deserialize(bytes);
	}

}
