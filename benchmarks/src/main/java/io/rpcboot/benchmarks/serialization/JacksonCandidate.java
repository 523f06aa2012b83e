package io.rpcboot.benchmarks.serialization;

import java.io.ByteArrayOutputStream;

import io.rpcboot.benchmarks.workload.Page;
import io.rpcboot.benchmarks.workload.User;
import tools.jackson.databind.JavaType;
import tools.jackson.databind.ObjectReader;
import tools.jackson.databind.ObjectWriter;
import tools.jackson.databind.json.JsonMapper;

/**
 * JSON, with a reader and a writer for the type.
 */
final class JacksonCandidate implements Candidate {

	private final ByteArrayOutputStream out = new ByteArrayOutputStream(8192);

	private final ObjectWriter writer;

	private final ObjectReader reader;

	JacksonCandidate(Sample sample) {
		JsonMapper mapper = new JsonMapper();
		JavaType type = (sample == Sample.USER) ? mapper.constructType(User.class)
				: mapper.getTypeFactory().constructParametricType(Page.class, User.class);
		this.writer = mapper.writerFor(type);
		this.reader = mapper.readerFor(type);
	}

	@Override
	public int serialize(Object value) {
		this.out.reset();
		this.writer.writeValue(this.out, value);
		return this.out.size();
	}

	@Override
	public byte[] bytes() {
		return this.out.toByteArray();
	}

	@Override
	public Object deserialize(byte[] bytes) {
		return this.reader.readValue(bytes);
	}

}
