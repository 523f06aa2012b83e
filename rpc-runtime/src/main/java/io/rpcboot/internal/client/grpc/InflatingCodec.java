package io.rpcboot.internal.client.grpc;

import io.rpcboot.internal.protocol.grpc.Gzip;
import io.rpcboot.internal.protocol.grpc.GzipMessages;
import io.rpcboot.serialization.MethodCodec;
import io.rpcboot.serialization.OutputBuffer;
import io.rpcboot.serialization.ServiceCodec;
import io.rpcboot.serialization.contract.Contract;
import org.jspecify.annotations.Nullable;

/**
 * Codec of a service whose servers may compress their replies.
 *
 * @param codec codec of plain messages
 * @param gzip reads compressed replies, on the thread that reads the result
 */
record InflatingCodec(ServiceCodec codec, GzipMessages gzip) implements ServiceCodec {

	@Override
	public Contract contract() {
		return this.codec.contract();
	}

	@Override
	public MethodCodec method(int number) {
		return new InflatingMethodCodec(this.codec.method(number), this.gzip);
	}

	@Override
	public Translation translate(Contract peer) {
		return (number, peerNumber) -> method(number);
	}

	/** Codec of a method. */
	private record InflatingMethodCodec(MethodCodec codec, GzipMessages gzip) implements MethodCodec {

		@Override
		public void serializeArguments(@Nullable Object @Nullable [] arguments, OutputBuffer out) {
			this.codec.serializeArguments(arguments, out);
		}

		@Override
		public @Nullable Object[] deserializeArguments(byte[] source, int offset, int length) {
			return this.codec.deserializeArguments(source, offset, length);
		}

		@Override
		public void serializeElement(Object element, OutputBuffer out) {
			this.codec.serializeElement(element, out);
		}

		@Override
		public @Nullable Object deserializeElement(byte[] source, int offset, int length) {
			return this.codec.deserializeElement(source, offset, length);
		}

		@Override
		public void serializeResult(@Nullable Object result, OutputBuffer out) {
			this.codec.serializeResult(result, out);
		}

		@Override
		public @Nullable Object deserializeResult(byte[] source, int offset, int length) {
			if (!Gzip.isCompressed(source, offset, length)) {
				return this.codec.deserializeResult(source, offset, length);
			}
			return this.gzip.<@Nullable Object>read(source, offset, length,
					(plain) -> this.codec.deserializeResult(plain, 0, plain.length));
		}

		@Override
		public boolean serializeException(Throwable thrown, OutputBuffer out) {
			return this.codec.serializeException(thrown, out);
		}

		@Override
		public Throwable deserializeException(byte[] source, int offset, int length) {
			return this.codec.deserializeException(source, offset, length);
		}

	}

}
