package io.rpcboot.samples.interop;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Flow;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.SubmissionPublisher;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

import com.google.protobuf.ByteString;
import io.grpc.testing.integration.Messages.EchoStatus;
import io.grpc.testing.integration.Messages.Payload;
import io.grpc.testing.integration.Messages.ResponseParameters;
import io.grpc.testing.integration.Messages.StreamingInputCallRequest;
import io.grpc.testing.integration.Messages.StreamingInputCallResponse;
import io.grpc.testing.integration.Messages.StreamingOutputCallRequest;
import io.grpc.testing.integration.Messages.StreamingOutputCallResponse;
import io.rpcboot.RpcException;
import io.rpcboot.RpcStatus;
import io.rpcboot.context.CallOptions;

/** Cases with streams of the interoperability tests of gRPC. */
final class InteropStreams {

	private static final int[] REQUESTS = { 27182, 8, 1828, 45904 };

	private static final Integer[] RESPONSES = { 31415, 9, 2653, 58979 };

	private static final int SUM = 74922;

	private static final int SECONDS = 20;

	private final GeneratedTestService service;

	InteropStreams(GeneratedTestService service) {
		this.service = service;
	}

	/** Responses as they arrive. */
	private static final class Responses implements Flow.Subscriber<StreamingOutputCallResponse> {

		private final BlockingQueue<Integer> sizes = new LinkedBlockingQueue<>();

		private final CompletableFuture<Flow.Subscription> subscription = new CompletableFuture<>();

		private final CompletableFuture<Void> end = new CompletableFuture<>();

		/** Returns the size of the next body. */
		int take() throws InterruptedException {
			Integer size = this.sizes.poll(SECONDS, TimeUnit.SECONDS);
			if (size == null) {
				throw new IllegalStateException("no response in time; end: " + this.end);
			}
			return size;
		}

		/** Waits for the end, of which there must be no other response. */
		void awaitEnd() throws Exception {
			this.end.get(SECONDS, TimeUnit.SECONDS);
			InteropClient.require(List.of(), List.copyOf(this.sizes));
		}

		/** Waits for the failure. */
		RpcException failure() throws InterruptedException, TimeoutException {
			try {
				this.end.get(SECONDS, TimeUnit.SECONDS);
				throw new IllegalStateException("the call has succeeded");
			}
			catch (ExecutionException ex) {
				return (RpcException) Objects.requireNonNull(ex.getCause());
			}
		}

		@Override
		public void onSubscribe(Flow.Subscription given) {
			this.subscription.complete(given);
			given.request(Long.MAX_VALUE);
		}

		@Override
		public void onNext(StreamingOutputCallResponse response) {
			this.sizes.add(response.getPayload().getBody().size());
		}

		@Override
		public void onError(Throwable failure) {
			this.end.completeExceptionally(failure);
		}

		@Override
		public void onComplete() {
			this.end.complete(null);
		}

	}

	private static Payload payload(int size) {
		return Payload.newBuilder().setBody(ByteString.copyFrom(new byte[size])).build();
	}

	private static StreamingOutputCallRequest request(Integer... sizes) {
		StreamingOutputCallRequest.Builder request = StreamingOutputCallRequest.newBuilder();
		for (int each : sizes) {
			request.addResponseParameters(ResponseParameters.newBuilder().setSize(each));
		}
		return request.build();
	}

	void clientStreaming() throws Exception {
		CompletableFuture<StreamingInputCallResponse> response;
		try (SubmissionPublisher<StreamingInputCallRequest> requests = new SubmissionPublisher<>()) {
			response = this.service.streamingInputCall(requests);
			awaitSubscribed(requests, true);
			for (int each : REQUESTS) {
				requests.submit(StreamingInputCallRequest.newBuilder().setPayload(payload(each)).build());
			}
		}
		InteropClient.require(SUM, response.get(SECONDS, TimeUnit.SECONDS).getAggregatedPayloadSize());
	}

	void serverStreaming() {
		List<Integer> sizes = new ArrayList<>();
		this.service.streamingOutputCall(request(RESPONSES))
			.forEachRemaining((each) -> sizes.add(each.getPayload().getBody().size()));
		InteropClient.require(Arrays.asList(RESPONSES), sizes);
	}

	void pingPong() throws Exception {
		Responses responses = new Responses();
		try (SubmissionPublisher<StreamingOutputCallRequest> requests = new SubmissionPublisher<>()) {
			this.service.fullDuplexCall(requests).subscribe(responses);
			awaitSubscribed(requests, true);
			for (int i = 0; i < REQUESTS.length; i++) {
				requests.submit(request(RESPONSES[i]).toBuilder().setPayload(payload(REQUESTS[i])).build());
				InteropClient.require(RESPONSES[i], responses.take());
			}
		}
		responses.awaitEnd();
	}

	void emptyStream() throws Exception {
		Responses responses = new Responses();
		try (SubmissionPublisher<StreamingOutputCallRequest> requests = new SubmissionPublisher<>()) {
			this.service.fullDuplexCall(requests).subscribe(responses);
			awaitSubscribed(requests, true);
		}
		responses.awaitEnd();
	}

	void timeoutOnSleepingServer() throws Exception {
		Responses responses = new Responses();
		try (SubmissionPublisher<StreamingOutputCallRequest> requests = new SubmissionPublisher<>()) {
			Flow.Publisher<StreamingOutputCallResponse> call = CallOptions.none()
				.timeout(Duration.ofMillis(200))
				.call(() -> this.service.fullDuplexCall(requests));
			call.subscribe(responses);
			awaitSubscribed(requests, true);
			requests.submit(StreamingOutputCallRequest.newBuilder().setPayload(payload(REQUESTS[0])).build());
			InteropClient.require(RpcStatus.DEADLINE_EXCEEDED, responses.failure().status());
		}
	}

	void cancelAfterBegin() throws Exception {
		try (SubmissionPublisher<StreamingInputCallRequest> requests = new SubmissionPublisher<>()) {
			CompletableFuture<StreamingInputCallResponse> response = this.service.streamingInputCall(requests);
			response.cancel(true);
			try {
				response.get(SECONDS, TimeUnit.SECONDS);
				throw new IllegalStateException("the call has succeeded");
			}
			catch (CancellationException ex) {
				awaitSubscribed(requests, false);
			}
		}
	}

	void cancelAfterFirstResponse() throws Exception {
		Responses responses = new Responses();
		try (SubmissionPublisher<StreamingOutputCallRequest> requests = new SubmissionPublisher<>()) {
			this.service.fullDuplexCall(requests).subscribe(responses);
			awaitSubscribed(requests, true);
			requests.submit(request(RESPONSES[0]).toBuilder().setPayload(payload(REQUESTS[0])).build());
			InteropClient.require(RESPONSES[0], responses.take());
			responses.subscription.get().cancel();
			awaitSubscribed(requests, false);
		}
	}

	/** Waits until the call takes requests, or until it does no more. */
	private static void awaitSubscribed(SubmissionPublisher<?> requests, boolean isSubscribed) {
		long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(SECONDS);
		while (requests.hasSubscribers() != isSubscribed) {
			InteropClient.require(true, System.nanoTime() < end);
			Thread.onSpinWait();
		}
	}

	void status(String message) throws Exception {
		Responses responses = new Responses();
		try (SubmissionPublisher<StreamingOutputCallRequest> requests = new SubmissionPublisher<>()) {
			this.service.fullDuplexCall(requests).subscribe(responses);
			awaitSubscribed(requests, true);
			requests.submit(StreamingOutputCallRequest.newBuilder()
				.setResponseStatus(EchoStatus.newBuilder().setCode(RpcStatus.UNKNOWN.code()).setMessage(message))
				.build());
			RpcException failure = responses.failure();
			InteropClient.require(RpcStatus.UNKNOWN, failure.status());
			InteropClient.require(true, String.valueOf(failure.getMessage()).contains(message));
		}
	}

}
