package io.rpcboot.internal.server.builtin;

import java.util.List;
import java.util.function.Supplier;

import io.rpcboot.MethodDescriptor;
import io.rpcboot.RpcStatus;
import org.jspecify.annotations.Nullable;

/**
 * Method that tells the contract of a service, for clients with another version of the
 * interface. The request is empty, field 1 of the response is the text. Thread-safe.
 *
 * @param response returns the response; null before a request has told a contract
 * @param callable methods of the service
 */
public record ContractHandler(Supplier<byte @Nullable []> response,
		List<MethodDescriptor> callable) implements StreamHandler {

	/** Returns the response with a text. */
	public static byte[] response(String text) {
		return FieldWriter.toByteArray(FieldWriter.text(1, text));
	}

	@Override
	public Requests begin(Responses responses) {
		return new ContractCall(this.response, responses);
	}

	/** Call of the method. */
	private record ContractCall(Supplier<byte @Nullable []> response, Responses responses) implements Requests {

		@Override
		public void onMessage(byte[] bytes, int offset, int length) {
			// it says nothing
		}

		@Override
		public void onHalfClose() {
			byte[] known = this.response.get();
			if (known == null) {
				this.responses.close(RpcStatus.UNAVAILABLE,
						"the contract is not made yet (expected: after a call that tells another one)");
				return;
			}
			this.responses.send(known);
			this.responses.close(RpcStatus.OK, "");
		}

		@Override
		public void onEnd() {
			// nothing to release
		}

	}

}
