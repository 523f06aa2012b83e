package io.rpcboot.internal.serialization.protostuff;

import java.util.List;
import java.util.Objects;

import io.protostuff.WireFormat;
import io.rpcboot.internal.serialization.protostuff.composite.StructType;
import io.rpcboot.internal.serialization.protostuff.wire.ProtostuffInput;
import io.rpcboot.internal.serialization.protostuff.wire.ProtostuffOutput;
import io.rpcboot.internal.serialization.types.graph.MethodNode;
import io.rpcboot.serialization.OutputBuffer;
import io.rpcboot.serialization.PathException;
import io.rpcboot.serialization.UndeclaredException;
import org.jspecify.annotations.Nullable;

/**
 * Exceptions of one throws clause. Each is a group whose number is its place in the
 * clause.
 *
 * @param method the method
 * @param types types in the order of the clause; null for an exception that only the peer
 * declares
 */
record DeclaredExceptions(MethodNode method, List<@Nullable StructType> types) {

	/**
	 * Writes an exception. Returns false if the method declares neither its class nor a
	 * superclass.
	 */
	boolean write(Throwable thrown, OutputBuffer buffer) {
		int index = this.method.nearest(thrown);
		if (index < 0) {
			return false;
		}
		try {
			ProtostuffOutput out = ProtostuffMethodCodec.output(buffer);
			out.startGroup(index + 1);
			Objects.requireNonNull(this.types.get(index)).writeFields(out, thrown);
			out.endGroup(index + 1);
			out.finish();
			return true;
		}
		catch (RuntimeException ex) {
			throw PathException.failure(this.method.name(), "exception", ex);
		}
	}

	Throwable read(ProtostuffInput in) {
		try {
			return require(in);
		}
		catch (RuntimeException ex) {
			throw PathException.failure(this.method.name(), "exception", ex);
		}
		finally {
			in.leave();
		}
	}

	private Throwable require(ProtostuffInput in) {
		for (int i = 0; i < this.types.size(); i++) {
			StructType type = this.types.get(i);
			Object thrown = (type != null) ? type.takeField(in, i + 1) : takeUnknown(in, i);
			if (thrown != null) {
				in.requireEnd();
				return (Throwable) thrown;
			}
		}
		throw new PathException("none of the declared exceptions: %s"
			.formatted(this.method.exceptions().stream().map((each) -> each.written().type()).toList()));
	}

	/** Reads an exception that only the peer declares: its name and its message. */
	private @Nullable Throwable takeUnknown(ProtostuffInput in, int index) {
		if (!in.tryTag(WireFormat.makeTag(index + 1, WireFormat.WIRETYPE_START_GROUP))) {
			return null;
		}
		int end = in.enterGroup();
		String message = in.takeText(WireFormat.makeTag(1, WireFormat.WIRETYPE_LENGTH_DELIMITED));
		in.skipRest(end);
		in.leaveGroup(end);
		return new UndeclaredException(this.method.exceptions().get(index).written().type().name(), message);
	}

}
