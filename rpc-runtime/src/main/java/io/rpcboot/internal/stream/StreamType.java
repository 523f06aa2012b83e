package io.rpcboot.internal.stream;

import java.io.InputStream;
import java.time.Duration;
import java.util.Iterator;
import java.util.Spliterator;
import java.util.Spliterators;
import java.util.concurrent.Flow;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;

import io.rpcboot.RpcStream;
import org.jspecify.annotations.Nullable;

/** Types of streams that methods return and take. */
public final class StreamType {

	/** Reason why a protocol does not carry a method with a stream. */
	public static final String ONLY_HTTP2 = "the method has a stream, which only HTTP/2 carries (expected: protocol = \"grpc\" at @RpcReference, or rpc.client.references.<name>.protocol=grpc)";

	private static final String FLUX = "reactor.core.publisher.Flux";

	private StreamType() {
	}

	/** Returns true for a type whose user waits in a thread. */
	public static boolean isBlocking(Class<?> type) {
		return type == Iterator.class || type == Stream.class || type == InputStream.class;
	}

	/**
	 * Returns a publisher as a stream of a type. One that blocks is subscribed at once.
	 * @param type type that a method returns or takes
	 * @param most longest wait of a thread for an element; zero for any
	 * @param abandoned takes note that a stream that blocks was cancelled, because its
	 * user has forgotten it; any thread
	 */
	public static Object of(Class<?> type, Flow.Publisher<?> publisher, Duration most, Runnable abandoned) {
		if (type.getName().equals(FLUX)) {
			return ReactorStreams.flux(publisher);
		}
		if (type == RpcStream.class) {
			return RpcStream.from(publisher);
		}
		if (!isBlocking(type)) {
			return publisher;
		}
		BlockingIterator values = new BlockingIterator(most);
		publisher.subscribe(values);
		TakenIterator iterator = new TakenIterator(values, abandoned);
		if (type == InputStream.class) {
			return new ByteStream(iterator);
		}
		return (type == Stream.class) ? stream(iterator) : iterator;
	}

	/** Returns the elements as a stream, which cancels the rest when it is closed. */
	private static Stream<Object> stream(TakenIterator values) {
		return StreamSupport
			.stream(Spliterators.spliteratorUnknownSize(values, Spliterator.ORDERED | Spliterator.NONNULL), false)
			.onClose(values::cancel);
	}

	/** Closes a stream that will not be subscribed to, if it has to be closed. */
	public static void discard(Flow.Publisher<?> publisher) {
		if (publisher instanceof RpcStream<?> stream) {
			stream.cancel();
		}
		if (publisher instanceof IteratorPublisher values) {
			values.discard();
		}
	}

	/**
	 * Returns a stream as a publisher.
	 * @param stream a publisher such as an {@link RpcStream}, {@code Flux},
	 * {@code Iterator}, {@code Stream} or {@code InputStream}
	 * @param most longest message of an element, in bytes; parts of an
	 * {@code InputStream} fit into it
	 * @return null for null
	 */
	@SuppressWarnings("unchecked")
	public static Flow.@Nullable Publisher<@Nullable Object> publisher(@Nullable Object stream, int most) {
		if (stream == null || stream instanceof Flow.Publisher<?>) {
			return (Flow.Publisher<@Nullable Object>) stream;
		}
		if (stream instanceof Iterator<?> iterator) {
			return new IteratorPublisher(iterator, null);
		}
		if (stream instanceof InputStream bytes) {
			return new IteratorPublisher(ByteStream.parts(bytes, most), () -> ByteStream.close(bytes));
		}
		if (stream instanceof Stream<?> values) {
			return new IteratorPublisher(values.iterator(), values::close);
		}
		return ReactorStreams.publisher(stream);
	}

}
