package io.rpcboot.grpc;

import java.util.Objects;
import java.util.concurrent.Flow;
import java.util.concurrent.atomic.AtomicLong;

import io.grpc.Compressor;
import io.grpc.ServerMethodDefinition;
import io.rpcboot.server.GrpcCall;
import org.jspecify.annotations.Nullable;

/**
 * Call of a method with several requests, several responses, or both: publishes the
 * responses. It is ready while more of them are asked for; a service that sends others
 * uses up the memory of the server, and its call fails when there is none.
 *
 * @param <Q> type of the requests
 * @param <A> type of the responses
 */
final class StreamedServerCall<Q, A> extends HostedServerCall<Q, A> implements Flow.Publisher<byte[]> {

	private static final String GZIP = "gzip";

	private final Flow.Publisher<byte[]> requests;

	/** Responses that are asked for and were not sent. */
	private final AtomicLong demand = new AtomicLong();

	private Flow.@Nullable Subscriber<? super byte[]> responses;

	/** Requests of the client, null before they begin. Guarded by this. */
	private Flow.@Nullable Subscription source;

	/** Requests that are asked for before they begin. Guarded by this. */
	private int early;

	StreamedServerCall(GrpcCall call, ServerMethodDefinition<Q, A> method, Flow.Publisher<byte[]> requests) {
		super(call, method);
		this.requests = requests;
	}

	/** Starts the call for the one who sends its responses. */
	@Override
	public void subscribe(Flow.Subscriber<? super byte[]> subscriber) {
		this.responses = subscriber;
		subscriber.onSubscribe(new Demand());
		begin();
	}

	private Flow.Subscriber<? super byte[]> responses() {
		return Objects.requireNonNull(this.responses, "not subscribed");
	}

	@Override
	void onStarted(Listener<Q> started) {
		this.requests.subscribe(new Requests()); // may end at once
		if (isReady()) {
			started.onReady();
		}
	}

	@Override
	void failed(Throwable why) {
		responses().onError(why);
	}

	@Override
	void succeeded() {
		responses().onComplete();
	}

	@Override
	public boolean isReady() {
		return this.demand.get() > 0 && !hasEnded();
	}

	@Override
	public void sendMessage(A answer) {
		requireOpen();
		if (hasEnded()) {
			return; // as grpc-java, whose clients have left
		}
		Compressor used = compressor();
		byte[] message = bytes(answer, used);
		if (hasCompressor()) {
			this.call.encoding((used != null) ? GZIP : "identity");
		}
		this.demand.decrementAndGet();
		responses().onNext(message);
	}

	/** Asks for requests of the client. */
	@Override
	public void request(int count) {
		Flow.Subscription from;
		synchronized (this) {
			from = this.source;
			this.early += (from == null) ? count : 0;
		}
		if (from != null) {
			from.request(count);
		}
	}

	/** Messages are compressed with gzip alone, which HEADERS tell. */
	@Override
	public void setCompression(String name) {
		super.setCompression(name.equals(GZIP) ? name : "identity");
		if (hasCompressor()) {
			this.call.encoding(GZIP);
		}
	}

	/** Responses that the client takes. */
	private final class Demand implements Flow.Subscription {

		@Override
		public void request(long count) {
			if (StreamedServerCall.this.demand.getAndUpdate((before) -> Math.max(0, before) + count) <= 0) {
				post(() -> {
					if (StreamedServerCall.this.listener != null && isReady()) {
						StreamedServerCall.this.listener.onReady();
					}
				});
			}
		}

		@Override
		public void cancel() {
			StreamedServerCall.this.cancel();
		}

	}

	/** Requests of the client as events. */
	private final class Requests implements Flow.Subscriber<byte[]> {

		@Override
		public void onSubscribe(Flow.Subscription subscription) {
			int asked;
			synchronized (StreamedServerCall.this) {
				StreamedServerCall.this.source = subscription;
				asked = StreamedServerCall.this.early;
			}
			if (asked > 0) {
				subscription.request(asked);
			}
		}

		@Override
		public void onNext(byte[] message) {
			post(() -> {
				if (StreamedServerCall.this.listener != null && !hasEnded()) {
					StreamedServerCall.this.listener.onMessage(parse(message));
				}
			});
		}

		@Override
		public void onComplete() {
			post(() -> {
				if (StreamedServerCall.this.listener != null && !hasEnded()) {
					StreamedServerCall.this.listener.onHalfClose();
				}
			});
		}

		/** A request cannot be read, or the client has left. */
		@Override
		public void onError(Throwable why) {
			fail(why);
			post(() -> {
				if (StreamedServerCall.this.listener != null) {
					StreamedServerCall.this.listener.onCancel();
				}
			});
		}

	}

}
