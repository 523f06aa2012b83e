package io.rpcboot.serialization.fory;

import java.util.Map;

import org.junit.jupiter.api.condition.DisabledIf;

import io.rpcboot.serialization.zoo.AbstractTypeZooContract;

/**
 * Fory carries the types of the zoo but two.
 */
@DisabledIf("io.rpcboot.serialization.fory.ForyAccess#isDenied")
class ForyTypeZooTests extends AbstractTypeZooContract {

	private static final String REASON = "only the default serializer knows it";

	ForyTypeZooTests() {
		super(new ForySerializer(),
				Map.of("AtomicMarkableReference<String>", REASON, "AtomicStampedReference<Point>", REASON));
	}

}
