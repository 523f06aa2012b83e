package io.rpcboot.benchmarks.serialization;

import java.util.Locale;
import java.util.function.Function;

/**
 * The serializers that are compared.
 */
public enum Serializers {

	/** This project's default. */
	OURS(OurCandidate::new),

	/** {@code ProtostuffIOUtil} with protostuff-runtime's schema. */
	PROTOSTUFF(ProtostuffCandidate::new),

	/**
	 * Generated messages of protobuf-java, mapped from and to the application's types.
	 */
	PROTOBUF(ProtobufCandidate::new),

	/** Apache Fory with registered classes. */
	FORY((sample) -> new ForyCandidate()),

	/** JSON by Jackson. */
	JACKSON(JacksonCandidate::new);

	private final Function<Sample, Candidate> factory;

	Serializers(Function<Sample, Candidate> factory) {
		this.factory = factory;
	}

	Candidate create(Sample sample) {
		return this.factory.apply(sample);
	}

	String label() {
		return name().toLowerCase(Locale.ROOT);
	}

}
