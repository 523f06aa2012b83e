package grpc.testing;

import org.jspecify.annotations.Nullable;

/**
 * Methods of {@code grpc.testing.TestService} with one request and one response, as a
 * plain interface. Parameters are the fields of the request in the order of their
 * numbers, the result is the first field of the response; later fields of a request are
 * ignored. {@code UnimplementedCall} is missing on purpose.
 */
public interface TestService {

	/** Does nothing. */
	void emptyCall();

	/**
	 * Returns a body of the requested size, or fails with the requested status.
	 * @param responseType type of the response; a number, because 0 is a constant
	 * @param responseSize bytes of its body
	 * @param payload ignored
	 * @param fillUsername ignored
	 * @param fillOauthScope ignored
	 * @param responseCompressed ignored, because the server does not compress
	 * @param responseStatus status to fail with, null to succeed
	 * @return the body
	 */
	Payload unaryCall(int responseType, int responseSize, @Nullable Payload payload, boolean fillUsername,
			boolean fillOauthScope, @Nullable Flag responseCompressed, @Nullable EchoStatus responseStatus);

	/**
	 * Body of a message.
	 *
	 * @param type number of the type
	 * @param body the bytes
	 */
	record Payload(int type, byte[] body) {
	}

	/**
	 * {@code BoolValue} of {@code messages.proto}.
	 *
	 * @param value the value
	 */
	record Flag(boolean value) {
	}

	/**
	 * Status to answer with.
	 *
	 * @param code code of gRPC
	 * @param message text, null for none
	 */
	record EchoStatus(int code, @Nullable String message) {
	}

}
