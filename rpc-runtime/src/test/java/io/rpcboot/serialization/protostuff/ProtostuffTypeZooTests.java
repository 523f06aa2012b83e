package io.rpcboot.serialization.protostuff;

import java.util.Map;

import io.rpcboot.serialization.zoo.AbstractTypeZooContract;
import io.rpcboot.serialization.zoo.ZooForeign;
import org.junit.jupiter.api.Tag;

/**
 * The default serializer carries every type of the zoo.
 */
@Tag("jdk25")
class ProtostuffTypeZooTests extends AbstractTypeZooContract {

	ProtostuffTypeZooTests() {
		super(new ProtostuffSerializer(ZooForeign.TYPES), Map.of());
	}

}
