package io.rpcboot.serialization.protostuff;

import java.util.Map;

import io.rpcboot.serialization.zoo.AbstractTypeZooContract;
import io.rpcboot.serialization.zoo.ZooForeign;

/**
 * The default serializer carries every type of the zoo.
 */
class ProtostuffTypeZooTests extends AbstractTypeZooContract {

	ProtostuffTypeZooTests() {
		super(new ProtostuffSerializer(ZooForeign.TYPES), Map.of());
	}

}
