package io.rpcboot.samples.interop.conformance;

import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Base64;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.atomic.AtomicReference;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

import com.connectrpc.conformance.v1.ClientCompatRequest;
import com.connectrpc.conformance.v1.ClientCompatResponse;
import com.connectrpc.conformance.v1.ClientErrorResult;
import com.connectrpc.conformance.v1.ClientResponseResult;
import com.connectrpc.conformance.v1.Code;
import com.connectrpc.conformance.v1.ConformancePayload;
import com.connectrpc.conformance.v1.Error;
import com.connectrpc.conformance.v1.Header;
import com.connectrpc.conformance.v1.IdempotentUnaryRequest;
import com.connectrpc.conformance.v1.IdempotentUnaryResponse;
import com.connectrpc.conformance.v1.UnaryRequest;
import com.connectrpc.conformance.v1.UnaryResponse;
import com.connectrpc.conformance.v1.UnimplementedRequest;
import com.google.protobuf.Any;
import com.google.protobuf.CodedInputStream;
import com.google.protobuf.WireFormat;
import io.rpcboot.Endpoint;
import io.rpcboot.RpcException;
import io.rpcboot.RpcStatus;
import io.rpcboot.client.ReferenceOptions;
import io.rpcboot.client.RpcClient;
import io.rpcboot.client.RpcClientBuilder;
import io.rpcboot.context.Attachments;
import io.rpcboot.context.CallOptions;
import io.rpcboot.transport.Protocol;

/**
 * Client under test. Makes the calls that it reads, and writes their results. Attachments
 * of a reply are its headers and its trailers together.
 */
public final class ConformanceClient {

	/** Text of the server in a message of {@link RpcException}. */
	private static final Pattern TEXT = Pattern.compile(": [A-Z_]+ after [^:]+: (.*); it [^;]*", Pattern.DOTALL);

	/** So long that no {@code grpc-timeout} is sent. */
	private static final Duration NO_TIMEOUT = Duration.ofDays(30);

	private final Map<Integer, RpcClient> clients = new HashMap<>();

	private ConformanceClient() {
	}

	/** Entry point; see the class. */
	public static void main(String[] args) throws Exception {
		PrintStream out = System.out;
		System.setOut(System.err); // for logs
		ConformanceClient client = new ConformanceClient();
		ClientCompatRequest request = SizedMessages.read(System.in, ClientCompatRequest.parser());
		while (request != null) {
			ClientCompatResponse.Builder response = ClientCompatResponse.newBuilder()
				.setTestName(request.getTestName());
			try {
				response.setResponse(client.call(request));
			}
			catch (Exception ex) {
				response.setError(ClientErrorResult.newBuilder().setMessage(ex.toString()));
			}
			SizedMessages.write(out, response.build());
			request = SizedMessages.read(System.in, ClientCompatRequest.parser());
		}
		client.clients.values().forEach(RpcClient::close);
	}

	private RpcClient client(int limit) {
		return this.clients.computeIfAbsent(limit, (bytes) -> {
			RpcClientBuilder builder = RpcClient.builder();
			return ((bytes > 0) ? builder.maxFrameSize(bytes) : builder).build();
		});
	}

	private ClientResponseResult call(ClientCompatRequest request) throws Exception {
		ConformanceService service = client(request.getMessageReceiveLimit()).reference(ConformanceService.class,
				ReferenceOptions.defaults()
					.withEndpoints(new Endpoint(request.getHost(), request.getPort()))
					.withTimeout(NO_TIMEOUT)
					.withWaitForInstance(Duration.ofSeconds(20))
					.withProtocol(Protocol.GRPC));
		Attachments sent = new Attachments();
		for (Header each : request.getRequestHeadersList()) {
			sent.put(each.getName().toLowerCase(), String.join(",", each.getValueList()));
		}
		AtomicReference<Attachments> received = new AtomicReference<>(Attachments.none());
		CallOptions options = CallOptions.none().and(sent).onReply(received::set);
		if (request.hasTimeoutMs()) {
			options = options.timeout(Duration.ofMillis(request.getTimeoutMs()));
		}
		ClientResponseResult.Builder result = ClientResponseResult.newBuilder();
		try {
			CompletableFuture<ConformancePayload> payload = options.call(() -> start(service, request));
			if (request.hasCancel()) {
				Thread.sleep(request.getCancel().getAfterCloseSendMs());
				payload.cancel(true);
			}
			result.addPayloads(payload.get());
		}
		catch (ExecutionException ex) {
			result.setError(error((RpcException) ex.getCause(), received.get()));
		}
		catch (RpcException ex) {
			result.setError(error(ex, received.get()));
		}
		catch (CancellationException ex) {
			result.setError(Error.newBuilder().setCode(Code.CODE_CANCELED));
		}
		received.get().asMap().forEach((name, value) -> {
			add(result, name, value);
			add(result, name + "-bin",
					Base64.getEncoder().withoutPadding().encodeToString(value.getBytes(StandardCharsets.UTF_8)));
		});
		return result.build();
	}

	private static void add(ClientResponseResult.Builder result, String name, String value) {
		Header header = Header.newBuilder().setName(name).addValue(value).build();
		result.addResponseHeaders(header).addResponseTrailers(header);
	}

	/** Begins a call. The future that is cancelled must be that of the call itself. */
	private static CompletableFuture<ConformancePayload> start(ConformanceService service, ClientCompatRequest request)
			throws Exception {
		Any message = request.getRequestMessages(0);
		CompletableFuture<?> call = switch (request.getMethod()) {
			case "IdempotentUnary" -> service.idempotentUnary(message.unpack(IdempotentUnaryRequest.class));
			case "Unimplemented" -> service.unimplemented(message.unpack(UnimplementedRequest.class));
			default -> service.unary(message.unpack(UnaryRequest.class));
		};
		CompletableFuture<ConformancePayload> payload = new CompletableFuture<>();
		call.whenComplete((response, failure) -> {
			if (failure != null) {
				payload.completeExceptionally(failure);
			}
			else {
				payload.complete((response instanceof UnaryResponse unary) ? unary.getPayload()
						: (response instanceof IdempotentUnaryResponse idempotent) ? idempotent.getPayload()
								: ConformancePayload.getDefaultInstance());
			}
		});
		payload.whenComplete((response, failure) -> {
			if (payload.isCancelled()) {
				call.cancel(true);
			}
		});
		return payload;
	}

	private static Error error(RpcException failure, Attachments received) throws IOException {
		int code = (failure.status().code() <= RpcStatus.UNAUTHENTICATED.code()) ? failure.status().code()
				: RpcStatus.UNKNOWN.code();
		Matcher text = TEXT.matcher(String.valueOf(failure.getMessage()));
		Error.Builder error = Error.newBuilder()
			.setCodeValue(code)
			.setMessage(text.find() ? text.group(1) : String.valueOf(failure.getMessage()));
		byte[] details = received.getBytes("grpc-status-details-bin");
		if (details != null) { // a google.rpc.Status has them in its field 3
			CodedInputStream in = CodedInputStream.newInstance(details);
			for (int tag = in.readTag(); tag != 0; tag = in.readTag()) {
				if (WireFormat.getTagFieldNumber(tag) == 3) {
					error.addDetails(Any.parseFrom(in.readByteArray()));
				}
				else {
					in.skipField(tag);
				}
			}
		}
		return error.build();
	}

}
