package io.rpcboot.internal.server.grpc;

import io.rpcboot.RpcException;
import io.rpcboot.Side;
import io.rpcboot.internal.memory.Direction;
import io.rpcboot.internal.memory.MemoryBudget;
import io.rpcboot.internal.memory.MemoryShortageException;
import io.rpcboot.internal.protocol.grpc.GrpcException;
import io.rpcboot.internal.protocol.grpc.Gzip;
import io.rpcboot.serialization.MethodCodec;
import io.rpcboot.serialization.SerializationException;
import org.jspecify.annotations.Nullable;

/**
 * Reads requests that are compressed with gzip. The inflated bytes are reserved in the
 * memory budget while the arguments are read.
 *
 * @param limit {@code max-frame-size}, here of the inflated request
 * @param budget memory of the server
 */
public record GzipRequests(int limit, MemoryBudget budget) {

	/**
	 * Reads the arguments of a call. Does not wait for memory.
	 * @throws RpcException if the request is too long or malformed
	 * @throws SerializationException if there is no memory, or the arguments cannot be
	 * read
	 */
	@Nullable Object[] read(MethodCodec codec, byte[] source, int offset, int length) {
		int reserved = 0;
		try {
			int inflated = Gzip.inflatedLength(source, offset, length, this.limit, Side.SERVER);
			if (!this.budget.tryReserve(Direction.INCOMING, inflated)) {
				MemoryShortageException shortage = new MemoryShortageException(this.budget.limit(), false);
				throw new SerializationException("%d bytes after inflation: %s".formatted(inflated, shortage),
						shortage);
			}
			reserved = inflated;
			byte[] plain = Gzip.inflate(source, offset, length, this.limit, Side.SERVER);
			return codec.deserializeArguments(plain, 0, plain.length);
		}
		catch (GrpcException ex) {
			throw new RpcException(ex.status(), String.valueOf(ex.getMessage()), false);
		}
		finally {
			this.budget.release(Direction.INCOMING, reserved);
		}
	}

}
