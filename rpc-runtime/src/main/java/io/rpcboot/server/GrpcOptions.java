package io.rpcboot.server;

import io.rpcboot.serialization.TypeOptions;
import io.rpcboot.transport.Options;

/**
 * Options of gRPC at a server. Immutable. <pre>{@code
 * RpcServer.builder().grpc(GrpcOptions.defaults().withLock(GrpcOptions.Lock.REQUIRED))
 * }</pre>
 *
 * @since 0.1.0
 */
public final class GrpcOptions extends Options {

	private static final GrpcOptions DEFAULTS = new GrpcOptions();

	private boolean health = true;

	private boolean reflection = true;

	private Lock lock = Lock.OPTIONAL;

	private Compression compression = Compression.NONE;

	private TypeOptions types = TypeOptions.NONE;

	private GrpcOptions() {
	}

	/**
	 * Use of the file {@code META-INF/rpc/protobuf.lock}, which has the numbers of fields
	 * and constants. Types that it has get their numbers from there alone.
	 */
	public enum Lock {

		/** A type without a line is numbered in the declared order. */
		OPTIONAL,

		/** Start-up fails if a type has neither a line nor numbers by {@code @Tag}. */
		REQUIRED

	}

	/**
	 * Compression of responses. Requests may always be compressed with gzip.
	 */
	public enum Compression {

		/** No response is compressed. */
		NONE,

		/**
		 * A response of 1 KB or more is compressed with gzip if the client reads gzip,
		 * and if it gets shorter.
		 */
		GZIP

	}

	/**
	 * Returns the defaults: health and reflection are offered, the lock is optional, no
	 * compression, no additional types.
	 * @return the defaults
	 */
	public static GrpcOptions defaults() {
		return DEFAULTS;
	}

	/**
	 * Returns a copy that offers the health service {@code grpc.health.v1.Health} or not.
	 * @param health true to offer it
	 * @return a copy
	 */
	public GrpcOptions withHealth(boolean health) {
		return copy((changed) -> changed.health = health);
	}

	/**
	 * Returns a copy that offers reflection or not, which tells clients all services and
	 * the files that declare them.
	 * @param reflection true to offer it
	 * @return a copy
	 */
	public GrpcOptions withReflection(boolean reflection) {
		return copy((changed) -> changed.reflection = reflection);
	}

	/**
	 * Returns a copy with another use of the lock of numbers.
	 * @param lock the use
	 * @return a copy
	 */
	public GrpcOptions withLock(Lock lock) {
		return copy((changed) -> changed.lock = lock);
	}

	/**
	 * Returns a copy with another compression of responses.
	 * @param compression the compression
	 * @return a copy
	 */
	public GrpcOptions withCompression(Compression compression) {
		return copy((changed) -> changed.compression = compression);
	}

	/**
	 * Returns a copy with other additional types, which messages may contain. They are
	 * used for services without a built-in serializer, whose types gRPC has otherwise.
	 * @param types the types, as the serializers get them
	 * @return a copy
	 */
	public GrpcOptions withTypes(TypeOptions types) {
		return copy((changed) -> changed.types = types);
	}

	/**
	 * Returns whether the health service is offered.
	 * @return true if it is
	 */
	public boolean health() {
		return this.health;
	}

	/**
	 * Returns whether reflection is offered.
	 * @return true if it is
	 */
	public boolean reflection() {
		return this.reflection;
	}

	/**
	 * Returns the use of the lock of numbers.
	 * @return the use
	 */
	public Lock lock() {
		return this.lock;
	}

	/**
	 * Returns the compression of responses.
	 * @return the compression
	 */
	public Compression compression() {
		return this.compression;
	}

	/**
	 * Returns the additional types.
	 * @return the types
	 */
	public TypeOptions types() {
		return this.types;
	}

}
