package io.rpcboot.serialization.jackson;

import java.util.Map;

import io.rpcboot.serialization.zoo.AbstractTypeZooContract;
import io.rpcboot.serialization.zoo.ZooForeign;
import org.junit.jupiter.api.Tag;

/**
 * JSON carries all types of the zoo.
 */
@Tag("jdk25")
class JacksonTypeZooTests extends AbstractTypeZooContract {

	JacksonTypeZooTests() {
		super(new JacksonSerializer(ZooForeign.TYPES), Map.of());
	}

}
