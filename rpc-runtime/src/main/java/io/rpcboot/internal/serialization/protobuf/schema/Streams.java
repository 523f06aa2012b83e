package io.rpcboot.internal.serialization.protobuf.schema;

import io.rpcboot.MethodDescriptor;

/**
 * Streams of a method.
 *
 * @param ofRequests true for requests
 * @param ofResponses true for responses
 */
public record Streams(boolean ofRequests, boolean ofResponses) {

	/** Returns the streams of a method. */
	public static Streams of(MethodDescriptor method) {
		boolean isCallback = !method.callbackParameters().isEmpty();
		return new Streams(isCallback || method.streamParameter() >= 0,
				isCallback || method.style() == MethodDescriptor.Style.STREAM);
	}

	/** Returns the streams in words, for messages. */
	String text() {
		return (this.ofRequests ? "takes a stream" : "takes one message") + " and "
				+ (this.ofResponses ? "returns a stream" : "returns one message");
	}

}
