package io.rpcboot.serialization.jackson;

import java.util.Map;

import io.rpcboot.serialization.zoo.AbstractTypeZooContract;

/**
 * JSON carries all types of the zoo.
 */
class JacksonTypeZooTests extends AbstractTypeZooContract {

	JacksonTypeZooTests() {
		super(new JacksonSerializer(), Map.of());
	}

}
