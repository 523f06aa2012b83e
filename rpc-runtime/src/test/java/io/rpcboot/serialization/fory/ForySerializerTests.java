package io.rpcboot.serialization.fory;

import org.junit.jupiter.api.condition.DisabledIf;

import io.rpcboot.serialization.AbstractAdapterContract;

/** Fory under the contract of serializers. */
@DisabledIf("io.rpcboot.serialization.fory.ForyAccess#isDenied")
class ForySerializerTests extends AbstractAdapterContract {

	ForySerializerTests() {
		super(new ForySerializer());
	}

}
