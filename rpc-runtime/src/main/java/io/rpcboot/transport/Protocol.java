package io.rpcboot.transport;

/**
 * Protocol that clients and servers speak.
 *
 * @since 0.1.0
 */
public enum Protocol {

	/** The protocol of this project. */
	NATIVE,

	/** gRPC over HTTP/2, with protobuf. */
	GRPC

}
