package io.rpcboot.serialization.protostuff;

import java.util.Map;

import io.rpcboot.serialization.zoo.AbstractTypeZooContract;

/**
 * The default serializer carries every type of the zoo.
 */
class ProtostuffTypeZooTests extends AbstractTypeZooContract {

	ProtostuffTypeZooTests() {
		super(new ProtostuffSerializer(), Map.of());
	}

}
