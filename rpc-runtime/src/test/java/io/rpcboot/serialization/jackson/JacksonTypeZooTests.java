package io.rpcboot.serialization.jackson;

import java.util.Map;

import io.rpcboot.serialization.zoo.AbstractTypeZooContract;

/**
 * JSON carries the types of the zoo but two.
 */
class JacksonTypeZooTests extends AbstractTypeZooContract {

	private static final String REASON = "only the default serializer knows it";

	JacksonTypeZooTests() {
		super(new JacksonSerializer(),
				Map.of("AtomicMarkableReference<String>", REASON, "AtomicStampedReference<Point>", REASON));
	}

}
