package io.rpcboot.serialization.fory;

import java.util.Map;

import io.rpcboot.serialization.zoo.AbstractTypeZooContract;

/**
 * Fory carries the types of the zoo.
 */
class ForyTypeZooTests extends AbstractTypeZooContract {

	ForyTypeZooTests() {
		super(new ForySerializer(), Map.of());
	}

}
