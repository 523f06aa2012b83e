package io.rpcboot.internal.server.grpc;

import java.util.function.Supplier;

import io.rpcboot.internal.protocol.connect.ContentType;
import io.rpcboot.internal.protocol.grpc.GzipMessages;
import io.rpcboot.internal.server.scheduling.Invocation;
import io.rpcboot.metrics.CallRecorder;
import io.rpcboot.serialization.MethodCodec;
import org.jspecify.annotations.Nullable;

/**
 * A method for requests in other formats than that of plain gRPC. Each is made by its
 * first request, so that one which is never used costs nothing. Thread-safe.
 */
final class MessageFormats {

	private final Invocation plain;

	private final Supplier<MethodCodec> protobuf;

	private final Supplier<MethodCodec> json;

	private final GzipMessages gzip;

	private final boolean compresses;

	private final Supplier<@Nullable CallRecorder> connect;

	/** Compressed gRPC; null before the first request. */
	private volatile @Nullable Invocation compressed;

	/** Requests of Connect, by {@link #index}; null before the first one. */
	private final @Nullable Invocation[] ofConnect = new Invocation[4];

	/**
	 * Creates the formats of a method.
	 * @param plain the method over gRPC
	 * @param protobuf returns the codec of its messages in protobuf
	 * @param json returns the codec of its messages in JSON
	 * @param compresses true if results may be compressed
	 * @param connect returns its metrics over Connect, null without metrics
	 */
	MessageFormats(Invocation plain, Supplier<MethodCodec> protobuf, Supplier<MethodCodec> json, GzipMessages gzip,
			boolean compresses, Supplier<@Nullable CallRecorder> connect) {
		this.plain = plain;
		this.protobuf = protobuf;
		this.json = json;
		this.gzip = gzip;
		this.compresses = compresses;
		this.connect = connect;
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

	/** Returns the method for requests of Connect. */
	synchronized Invocation connect(ContentType type, boolean isCompressed) {
		int index = index(type, isCompressed);
		Invocation known = this.ofConnect[index];
		if (known == null) {
			Supplier<MethodCodec> codec = type.isJson() ? this.json : this.protobuf;
			known = this.plain
				.with(new GrpcMethodCodec(codec, isCompressed ? this.gzip.ofBodies() : null, this.compresses))
				.recordedBy(this.connect.get());
			this.ofConnect[index] = known;
		}
		return known;
	}

	private static int index(ContentType type, boolean isCompressed) {
		return (type.isJson() ? 2 : 0) + (isCompressed ? 1 : 0);
	}

}
