package io.rpcboot.internal.server.grpc;

import java.util.function.Function;
import java.util.function.Supplier;

import io.rpcboot.internal.protocol.connect.ContentType;
import io.rpcboot.internal.protocol.grpc.GzipMessages;
import io.rpcboot.internal.server.scheduling.Invocation;
import io.rpcboot.metrics.CallRecorder;
import io.rpcboot.serialization.MethodCodec;
import io.rpcboot.transport.Protocol;
import org.jspecify.annotations.Nullable;

/**
 * A method for requests in other formats than that of plain gRPC. Each is made by its
 * first request, so that one which is never used costs nothing. Thread-safe.
 */
final class MessageFormats {

	private final Invocation plain;

	private final Supplier<MethodCodec> protobuf;

	private final JsonMessages.Method json;

	private final GzipMessages gzip;

	private final boolean compresses;

	private final Function<Protocol, @Nullable CallRecorder> recorders;

	/** Compressed gRPC; null before the first request. */
	private volatile @Nullable Invocation compressed;

	/** Other requests, by {@link #index}; null before the first one. */
	private final @Nullable Invocation[] others = new Invocation[6];

	/**
	 * Creates the formats of a method.
	 * @param plain the method over gRPC
	 * @param protobuf returns the codec of its messages in protobuf
	 * @param json its messages in JSON
	 * @param compresses true if results may be compressed
	 * @param recorders returns its metrics over a protocol, null without metrics
	 */
	MessageFormats(Invocation plain, Supplier<MethodCodec> protobuf, JsonMessages.Method json, GzipMessages gzip,
			boolean compresses, Function<Protocol, @Nullable CallRecorder> recorders) {
		this.plain = plain;
		this.protobuf = protobuf;
		this.json = json;
		this.gzip = gzip;
		this.compresses = compresses;
		this.recorders = recorders;
	}

	/** Returns the method for compressed requests of gRPC. */
	Invocation compressed() {
		Invocation known = this.compressed;
		if (known == null) {
			known = this.plain.with(new GrpcMethodCodec(this.protobuf, this.gzip, this.compresses));
			this.compressed = known;
		}
		return known;
	}

	/** Returns the method for requests of Connect or gRPC-Web. */
	synchronized Invocation of(ContentType type, boolean isCompressed) {
		int index = index(type, isCompressed);
		Invocation known = this.others[index];
		if (known == null) {
			Supplier<MethodCodec> codec = type.isJson() ? () -> this.json.codec(this.protobuf.get()) : this.protobuf;
			GzipMessages inflating = type.isWeb() ? this.gzip : this.gzip.ofBodies();
			known = this.plain
				.with(new GrpcMethodCodec(codec, isCompressed ? inflating : null, this.compresses || type.isWeb()))
				.recordedBy(this.recorders.apply(type.isWeb() ? Protocol.GRPC_WEB : Protocol.CONNECT));
			this.others[index] = known;
		}
		return known;
	}

	/** Returns true if the method is declared to have no side effects. */
	boolean isSafe() {
		return HostedCall.runs(this.plain) ? this.json.isSafe() : this.plain.descriptor().isSafe();
	}

	private static int index(ContentType type, boolean isCompressed) {
		return (type.isWeb() ? 4 : type.isJson() ? 2 : 0) + (isCompressed ? 1 : 0);
	}

}
