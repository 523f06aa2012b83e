package io.rpcboot.spring.actuate.descriptor;

import java.util.List;

import io.rpcboot.Side;
import io.rpcboot.transport.StreamInfo;
import io.rpcboot.transport.StreamInfo.WaitsFor;
import org.jspecify.annotations.Nullable;

/**
 * An open stream, without its elements.
 *
 * @param side {@code client} or {@code server}
 * @param number number of the stream at its client or server, in the order in which
 * streams were opened
 * @param service the service
 * @param method the signature of the method
 * @param peer address of the peer
 * @param ageMillis time since the call began
 * @param sent elements that this side sends, null if it sends one message
 * @param received elements that this side receives, null if it receives one message
 * @since 0.1.0
 */
public record StreamDescriptor(String side, long number, String service, String method, String peer, long ageMillis,
		@Nullable Elements sent, @Nullable Elements received) {

	/**
	 * Returns a description.
	 * @param sentPerSecond rate of the elements that this side sends
	 * @param receivedPerSecond rate of the elements that it receives
	 */
	public static StreamDescriptor of(Side side, StreamInfo stream, double sentPerSecond, double receivedPerSecond) {
		return new StreamDescriptor(MethodStatsDescriptor.name(side), stream.number(), stream.service().toString(),
				stream.method(), stream.remote(), stream.age().toMillis(), elements(stream.sent(), sentPerSecond),
				elements(stream.received(), receivedPerSecond));
	}

	private static @Nullable Elements elements(StreamInfo.@Nullable Elements of, double perSecond) {
		return (of != null) ? new Elements(of.count(), of.bytes(), MethodStatsDescriptor.rate(perSecond), of.waitsFor())
				: null;
	}

	/**
	 * Elements of one direction.
	 *
	 * @param count elements so far
	 * @param bytes their length in serialized form
	 * @param perSecond elements per second since the last look that is a second old or
	 * older, at first since the stream was opened
	 * @param waitsFor part that has to act before the next element passes
	 */
	public record Elements(long count, long bytes, double perSecond, WaitsFor waitsFor) {
	}

	/**
	 * The list of open streams.
	 *
	 * @param server streams of the server, the oldest first, at most 500
	 * @param client streams of the client, the oldest first, at most 500
	 * @param leftOut number of omitted streams
	 */
	public record All(List<StreamDescriptor> server, List<StreamDescriptor> client, int leftOut) {
	}

}
