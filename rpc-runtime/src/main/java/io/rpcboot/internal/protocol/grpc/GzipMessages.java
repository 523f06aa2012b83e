package io.rpcboot.internal.protocol.grpc;

import java.util.function.Function;

import io.rpcboot.RpcException;
import io.rpcboot.RpcStatus;
import io.rpcboot.Side;
import io.rpcboot.internal.memory.Direction;
import io.rpcboot.internal.memory.MemoryBudget;
import io.rpcboot.internal.memory.MemoryShortageException;
import io.rpcboot.serialization.SerializationException;
import org.jspecify.annotations.Nullable;

/**
 * Reads messages that are compressed with gzip. The inflated bytes are reserved in the
 * memory budget while the values are read.
 *
 * @param receiver the side that reads
 * @param limit {@code max-frame-size}, here of the inflated message
 * @param budget memory of the receiver
 * @param malformed status for a request that is no gzip
 */
public record GzipMessages(Side receiver, int limit, MemoryBudget budget, RpcStatus malformed) {

	/** Creates messages of gRPC. */
	public GzipMessages(Side receiver, int limit, MemoryBudget budget) {
		this(receiver, limit, budget, RpcStatus.INTERNAL);
	}

	/** Returns messages that are bodies of HTTP: a malformed one is a bad request. */
	public GzipMessages ofBodies() {
		return new GzipMessages(this.receiver, this.limit, this.budget, RpcStatus.INVALID_ARGUMENT);
	}

	/**
	 * Reads the values of a message. Does not wait for memory.
	 * @param reader reads the inflated bytes
	 * @throws RpcException if a request is too long or malformed
	 * @throws SerializationException if a reply is, or there is no memory, or the values
	 * cannot be read
	 */
	public <T extends @Nullable Object> T read(byte[] source, int offset, int length, Function<byte[], T> reader) {
		int reserved = 0;
		try {
			int inflated = Gzip.inflatedLength(source, offset, length, this.limit, this.receiver);
			if (!this.budget.tryReserve(Direction.INCOMING, inflated)) {
				MemoryShortageException shortage = new MemoryShortageException(this.budget.limit(), false);
				throw new SerializationException("%d bytes after inflation: %s".formatted(inflated, shortage),
						shortage);
			}
			reserved = inflated;
			return reader.apply(Gzip.inflate(source, offset, length, this.limit, this.receiver));
		}
		catch (GrpcException ex) {
			String problem = String.valueOf(ex.getMessage());
			RpcStatus status = (ex.status() == RpcStatus.INTERNAL) ? this.malformed : ex.status();
			throw (this.receiver == Side.SERVER) ? new RpcException(status, problem, false)
					: new SerializationException(problem, ex);
		}
		finally {
			this.budget.release(Direction.INCOMING, reserved);
		}
	}

}
