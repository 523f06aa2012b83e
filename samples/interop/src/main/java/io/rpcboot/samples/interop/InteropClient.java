package io.rpcboot.samples.interop;

import java.time.Duration;
import java.util.Arrays;
import java.util.concurrent.Callable;

import com.google.protobuf.ByteString;
import io.grpc.testing.integration.EmptyProtos.Empty;
import io.grpc.testing.integration.Messages.BoolValue;
import io.grpc.testing.integration.Messages.EchoStatus;
import io.grpc.testing.integration.Messages.Payload;
import io.grpc.testing.integration.Messages.SimpleRequest;
import io.rpcboot.Endpoint;
import io.rpcboot.RpcException;
import io.rpcboot.RpcStatus;
import io.rpcboot.client.ReferenceOptions;
import io.rpcboot.client.RpcClient;
import io.rpcboot.context.Attachments;
import io.rpcboot.context.CallOptions;
import io.rpcboot.transport.Protocol;
import org.jspecify.annotations.Nullable;

/**
 * Client for the interoperability tests of gRPC. Arguments: {@code host:port} of the
 * server, then names of cases. Prints a line for each, which ends with "ok" or the reason
 * of a failure.
 */
public final class InteropClient {

	private static final int LARGE_REQUEST = 271_828;

	private static final int LARGE_RESPONSE = 314_159;

	private static final int CALLS = 200;

	private static final int CHANNELS = 50;

	/** Clients clean it, because messages end in logs. */
	private static final String SPECIAL = "\t\ntest with whitespace\r\nand Unicode BMP \u263A and non-BMP \uD83D\uDE08\t\n";

	private final ReferenceOptions server;

	private InteropClient(Endpoint server) {
		this.server = ReferenceOptions.defaults()
			.withEndpoints(server)
			.withProtocol(Protocol.GRPC)
			.withTimeout(Duration.ofSeconds(20));
	}

	/** Entry point; see the class. */
	public static void main(String[] args) {
		String[] server = args[0].split(":");
		InteropClient cases = new InteropClient(new Endpoint(server[0], Integer.parseInt(server[1])));
		for (String each : Arrays.asList(args).subList(1, args.length)) {
			System.out.println(each + " " + cases.outcome(each));
		}
	}

	private String outcome(String name) {
		try (RpcClient client = RpcClient.builder().build()) {
			run(name, client);
			return "ok";
		}
		catch (Exception ex) {
			return ex.toString().replaceAll("\\s+", " ");
		}
	}

	private void run(String name, RpcClient client) throws Exception {
		GeneratedTestService service = client.reference(GeneratedTestService.class, this.server);
		InteropStreams streams = new InteropStreams(service);
		switch (name) {
			case "empty_unary" -> require(service.emptyCall(Empty.getDefaultInstance()), Empty.getDefaultInstance());
			case "large_unary" -> large(service, SimpleRequest.newBuilder());
			case "server_compressed_unary" -> {
				large(service, SimpleRequest.newBuilder().setResponseCompressed(BoolValue.newBuilder().setValue(true)));
				large(service,
						SimpleRequest.newBuilder().setResponseCompressed(BoolValue.newBuilder().setValue(false)));
			}
			case "special_status_message" -> status(service, SPECIAL, SPECIAL.replaceAll("\\s", " "));
			case "status_code_and_message" -> {
				status(service, "test status message", "test status message");
				streams.status("test status message");
			}
			case "client_streaming" -> streams.clientStreaming();
			case "server_streaming" -> streams.serverStreaming();
			case "ping_pong" -> streams.pingPong();
			case "empty_stream" -> streams.emptyStream();
			case "timeout_on_sleeping_server" -> streams.timeoutOnSleepingServer();
			case "cancel_after_begin" -> streams.cancelAfterBegin();
			case "cancel_after_first_response" -> streams.cancelAfterFirstResponse();
			case "custom_metadata" -> metadata(service);
			case "unimplemented_method" -> require(RpcStatus.UNIMPLEMENTED,
					failure(() -> service.unimplementedCall(Empty.getDefaultInstance())).status());
			case "unimplemented_service" -> {
				UnimplementedService unimplemented = client.reference(UnimplementedService.class, this.server);
				require(RpcStatus.UNIMPLEMENTED,
						failure(() -> unimplemented.unimplementedCall(Empty.getDefaultInstance())).status());
			}
			case "rpc_soak" -> {
				for (int i = 0; i < CALLS; i++) {
					large(service, SimpleRequest.newBuilder());
				}
			}
			case "channel_soak" -> {
				for (int i = 0; i < CHANNELS; i++) {
					try (RpcClient own = RpcClient.builder().build()) {
						large(own.reference(GeneratedTestService.class, this.server), SimpleRequest.newBuilder());
					}
				}
			}
			default -> throw new IllegalArgumentException("no such case: " + name);
		}
	}

	private static void large(GeneratedTestService service, SimpleRequest.Builder request) {
		Payload payload = Payload.newBuilder().setBody(ByteString.copyFrom(new byte[LARGE_REQUEST])).build();
		require(LARGE_RESPONSE,
				service.unaryCall(request.setResponseSize(LARGE_RESPONSE).setPayload(payload).build())
					.getPayload()
					.getBody()
					.size());
	}

	private static void status(GeneratedTestService service, String message, String received) {
		SimpleRequest request = SimpleRequest.newBuilder()
			.setResponseStatus(EchoStatus.newBuilder().setCode(RpcStatus.UNKNOWN.code()).setMessage(message))
			.build();
		RpcException failure = failure(() -> service.unaryCall(request));
		require(RpcStatus.UNKNOWN, failure.status());
		require(true, String.valueOf(failure.getMessage()).contains(received));
	}

	private static void metadata(GeneratedTestService service) throws Exception {
		Attachments received = new Attachments();
		byte[] bytes = { (byte) 0xab, (byte) 0xab, (byte) 0xab };
		Attachments sent = new Attachments().put("x-grpc-test-echo-initial", "test_initial_metadata_value")
			.putBytes("x-grpc-test-echo-trailing-bin", bytes);
		CallOptions.none().and(sent).onReply(received::putAll).call(() -> {
			large(service, SimpleRequest.newBuilder());
			return service;
		});
		require("test_initial_metadata_value", received.get("x-grpc-test-echo-initial"));
		require(true, Arrays.equals(bytes, received.getBytes("x-grpc-test-echo-trailing-bin")));
	}

	private static RpcException failure(Callable<?> call) {
		try {
			throw new IllegalStateException("the call has succeeded: " + call.call());
		}
		catch (RpcException ex) {
			return ex;
		}
		catch (RuntimeException ex) {
			throw ex;
		}
		catch (Exception ex) {
			throw new IllegalStateException(ex);
		}
	}

	static void require(Object expected, @Nullable Object found) {
		if (!expected.equals(found)) {
			throw new IllegalStateException("%s (expected: %s)".formatted(found, expected));
		}
	}

}
