package io.rpcboot.serialization.fory;

import io.rpcboot.serialization.AbstractAdapterContract;

/** Fory under the contract of serializers. */
class ForySerializerTests extends AbstractAdapterContract {

	ForySerializerTests() {
		super(new ForySerializer());
	}

}
