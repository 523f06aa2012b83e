package grpc.testing;

import java.util.Iterator;
import java.util.List;

import io.protostuff.Tag;
import io.rpcboot.RpcMethod;
import org.jspecify.annotations.Nullable;

/**
 * Methods of {@code grpc.testing.TestService} as a plain interface. Parameters are the
 * fields of the request in the order of their numbers, the result is the first field of
 * the response; later fields of a request are ignored. {@code UnimplementedCall} is
 * missing on purpose.
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
	 * Returns bodies, one after the other.
	 * @param responseType type of the responses
	 * @param responseParameters what they are
	 */
	Iterator<Payload> streamingOutputCall(int responseType, List<ResponseParameters> responseParameters);

	/**
	 * Returns the bytes of all bodies together.
	 * @param payloads the bodies
	 */
	int streamingInputCall(Iterator<Payload> payloads);

	/**
	 * Answers each request as it arrives.
	 * @param requests the requests
	 */
	@RpcMethod(bare = true)
	Iterator<OutputResponse> fullDuplexCall(Iterator<OutputRequest> requests);

	/**
	 * Wanted response, which is not compressed.
	 *
	 * @param size bytes of its body
	 * @param intervalUs microseconds to wait before it
	 */
	record ResponseParameters(int size, int intervalUs) {
	}

	/**
	 * Request of several responses.
	 *
	 * @param responseType type of the responses
	 * @param responseParameters what they are, null for none
	 * @param responseStatus status to fail with, null to go on
	 */
	record OutputRequest(@Tag(1) int responseType, @Tag(2) @Nullable List<ResponseParameters> responseParameters,
			@Tag(7) @Nullable EchoStatus responseStatus) {
	}

	/**
	 * One of several responses.
	 *
	 * @param payload its body
	 */
	record OutputResponse(@Tag(1) Payload payload) {
	}

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
