package io.rpcboot.samples.interop;

import java.io.IOException;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;

import com.google.protobuf.ByteString;
import io.grpc.ServerInterceptors;
import io.grpc.stub.ServerCallStreamObserver;
import io.grpc.stub.StreamObserver;
import io.grpc.testing.integration.Messages.Payload;
import io.grpc.testing.integration.Messages.ResponseParameters;
import io.grpc.testing.integration.Messages.StreamingOutputCallRequest;
import io.grpc.testing.integration.Messages.StreamingOutputCallResponse;
import io.grpc.testing.integration.TestServiceImpl;
import io.rpcboot.grpc.BindableServices;
import io.rpcboot.server.RpcServer;
import io.rpcboot.server.ServiceOptions;

/**
 * Serves grpc-java's implementation of the interoperability tests, a generated service,
 * on a free port until its input ends.
 */
public final class HostedServer {

	private HostedServer() {
	}

	/** Compresses responses of a stream, which grpc-java's implementation does not. */
	private static final class Service extends TestServiceImpl {

		Service(ScheduledExecutorService executor) {
			super(executor);
		}

		@Override
		public void streamingOutputCall(StreamingOutputCallRequest request,
				StreamObserver<StreamingOutputCallResponse> observer) {
			if (request.getResponseParametersList().stream().noneMatch(ResponseParameters::hasCompressed)) {
				super.streamingOutputCall(request, observer);
				return;
			}
			ServerCallStreamObserver<StreamingOutputCallResponse> responses = (ServerCallStreamObserver<StreamingOutputCallResponse>) observer;
			responses.setCompression("gzip");
			for (ResponseParameters each : request.getResponseParametersList()) {
				responses.setMessageCompression(each.getCompressed().getValue());
				Payload payload = Payload.newBuilder().setBody(ByteString.copyFrom(new byte[each.getSize()])).build();
				responses.onNext(StreamingOutputCallResponse.newBuilder().setPayload(payload).build());
			}
			responses.onCompleted();
		}

	}

	/** Entry point; see the class. */
	public static void main(String[] args) throws IOException {
		ScheduledExecutorService executor = Executors.newScheduledThreadPool(2);
		try (RpcServer server = RpcServer.builder()
			.grpcService(BindableServices.of(
					ServerInterceptors.intercept(new Service(executor), TestServiceImpl.interceptors())),
					ServiceOptions.defaults())
			.bindAddress("127.0.0.1")
			.port(0)
			.start()) {
			System.out.println("listens on 127.0.0.1:" + server.port());
			System.in.transferTo(System.err);
		}
		finally {
			executor.shutdownNow();
		}
	}

}
