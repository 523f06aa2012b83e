package io.rpcboot.internal.server.connection.http2;

import io.rpcboot.RpcStatus;
import io.rpcboot.internal.server.call.ServerCall;
import io.rpcboot.internal.stream.ElementMeter;
import io.rpcboot.internal.stream.InboundElements;
import io.rpcboot.internal.stream.OpenStreams;
import io.rpcboot.internal.transport.http2.message.OutboundElements;
import org.jspecify.annotations.Nullable;

/**
 * Place of a call among the open streams of the server, and its elements for metrics.
 * Event loop only.
 */
final class StreamAccount {

	private final OpenStreams streams;

	/** Number among the open streams, 0 while the call is none of them. */
	private volatile long number;

	/** Null before the first report. */
	private @Nullable ElementMeter meter;

	StreamAccount(OpenStreams streams) {
		this.streams = streams;
	}

	/** Counts a stream as open. Returns false if there are too many. */
	boolean open(OpenStreams.Stream stream) {
		this.number = this.streams.open(stream);
		return isOpen();
	}

	boolean isOpen() {
		return this.number > 0;
	}

	/** Reports the elements that have passed to the recorder of the method. */
	ElementMeter report(ServerCall call, OutboundElements sent, @Nullable InboundElements arriving) {
		ElementMeter known = (this.meter != null) ? this.meter : new ElementMeter(call.recorder(), call.startNanos);
		this.meter = known;
		known.results(call.method.streams ? sent.taken() : 0, sent.takenBytes());
		if (arriving != null) {
			known.arguments(arriving.arrived(), arriving.arrivedBytes());
		}
		return known;
	}

	/** Counts the stream out, which has ended. */
	void close(ServerCall call, RpcStatus end, String remote, ElementMeter reported) {
		this.streams.closed(this.number);
		this.number = 0;
		call.method.queue.streamClosed();
		reported.ended(end, remote);
	}

}
