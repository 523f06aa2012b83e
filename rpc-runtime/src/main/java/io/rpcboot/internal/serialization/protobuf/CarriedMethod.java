package io.rpcboot.internal.serialization.protobuf;

import io.rpcboot.MethodDescriptor;
import io.rpcboot.internal.serialization.protobuf.schema.Declarations;
import io.rpcboot.serialization.MethodCodec;

/** Codec of a method that declares its messages. */
interface CarriedMethod extends MethodCodec {

	/**
	 * Declares the method of a service.
	 * @param type binary name of the interface
	 * @param declared the method of the interface
	 */
	void declare(Declarations file, String service, String type, String name, MethodDescriptor declared);

}
