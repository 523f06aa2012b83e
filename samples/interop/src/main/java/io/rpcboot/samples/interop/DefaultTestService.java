package io.rpcboot.samples.interop;

import java.util.Collections;
import java.util.Iterator;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.TimeUnit;

import grpc.testing.TestService;
import io.rpcboot.RpcException;
import io.rpcboot.RpcStatus;
import io.rpcboot.context.RpcContext;
import org.jspecify.annotations.Nullable;

/** Implementation as gRPC's description of the interoperability tests has it. */
final class DefaultTestService implements TestService {

	@Override
	public void emptyCall() {
		// has no result
	}

	@Override
	public Payload unaryCall(int responseType, int responseSize, @Nullable Payload payload, boolean fillUsername,
			boolean fillOauthScope, @Nullable Flag responseCompressed, @Nullable EchoStatus responseStatus) {
		echo("x-grpc-test-echo-initial");
		echo("x-grpc-test-echo-trailing-bin");
		requireOk(responseStatus);
		return new Payload(responseType, new byte[responseSize]);
	}

	@Override
	public Iterator<Payload> streamingOutputCall(int responseType, List<ResponseParameters> responseParameters) {
		return responseParameters.stream().map((each) -> payload(responseType, each)).iterator();
	}

	@Override
	public int streamingInputCall(Iterator<Payload> payloads) {
		int sum = 0;
		while (payloads.hasNext()) {
			sum += payloads.next().body().length;
		}
		return sum;
	}

	@Override
	public Iterator<OutputResponse> fullDuplexCall(Iterator<OutputRequest> requests) {
		return new Iterator<>() {

			private Iterator<OutputResponse> current = Collections.emptyIterator();

			@Override
			public boolean hasNext() {
				while (!this.current.hasNext() && requests.hasNext()) {
					this.current = responses(requests.next());
				}
				return this.current.hasNext();
			}

			@Override
			public OutputResponse next() {
				return this.current.next();
			}

		};
	}

	private static Iterator<OutputResponse> responses(OutputRequest request) {
		requireOk(request.responseStatus());
		List<ResponseParameters> parameters = Objects.requireNonNullElse(request.responseParameters(), List.of());
		return parameters.stream().map((each) -> new OutputResponse(payload(request.responseType(), each))).iterator();
	}

	private static Payload payload(int type, ResponseParameters parameters) {
		try {
			TimeUnit.MICROSECONDS.sleep(parameters.intervalUs());
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
			throw new IllegalStateException("interrupted", ex);
		}
		return new Payload(type, new byte[parameters.size()]);
	}

	/** Fails with a status, unless it is that of a success. */
	private static void requireOk(@Nullable EchoStatus asked) {
		if (asked != null && asked.code() != 0) {
			RpcStatus status = Objects.requireNonNullElse(RpcStatus.ofCode(asked.code()), RpcStatus.UNKNOWN);
			throw new RpcException(status, Objects.requireNonNullElse(asked.message(), ""), true);
		}
	}

	/** Adds an attachment of the call to the reply. */
	private static void echo(String name) {
		RpcContext context = Objects.requireNonNull(RpcContext.current());
		String value = context.attachments().get(name);
		if (value != null) {
			context.replyAttachments().put(name, value);
		}
	}

}
