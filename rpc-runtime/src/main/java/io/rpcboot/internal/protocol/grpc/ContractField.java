package io.rpcboot.internal.protocol.grpc;

import java.nio.charset.StandardCharsets;

/**
 * Name by which client and server tell each other the hashes of their contracts. A
 * request has that of the client, and those of other contracts that the client has
 * compared with its own and whose servers may run the call. The refusal of a server with
 * yet another contract has that of the server.
 */
public final class ContractField {

	/** Name of the field, and of the method that tells the contract of a service. */
	public static final String NAME = "rpc-contract";

	private ContractField() {
	}

	/** Returns the path of the method that tells the contract of a service. */
	public static String path(String service) {
		return "/" + service + "/" + NAME;
	}

	/**
	 * Returns the contract in the reply of that method.
	 * @throws GrpcException if the reply is no message of protobuf
	 */
	public static String text(byte[] reply) {
		return new String(ProtobufMessage.last(reply, 1), StandardCharsets.UTF_8);
	}

}
