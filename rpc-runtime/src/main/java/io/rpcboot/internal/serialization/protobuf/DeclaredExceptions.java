package io.rpcboot.internal.serialization.protobuf;

import java.util.List;
import java.util.Objects;

import io.protostuff.WireFormat;
import io.rpcboot.internal.serialization.protobuf.composite.StructType;
import io.rpcboot.internal.serialization.protobuf.schema.Declarations;
import io.rpcboot.internal.serialization.protobuf.schema.TypeName;
import io.rpcboot.internal.serialization.protobuf.wire.ProtobufInput;
import io.rpcboot.internal.serialization.protobuf.wire.ProtobufOutput;
import io.rpcboot.internal.serialization.types.graph.MethodNode;
import io.rpcboot.serialization.PathException;

/**
 * Exceptions of one throws clause. Each is a {@code google.protobuf.Any}: the name of its
 * message (1) and the message (2). The reader looks the name up among those of the clause
 * only.
 *
 * @param method the method
 * @param types types in the order of the clause
 * @param names full names of their messages
 */
record DeclaredExceptions(MethodNode method, List<StructType> types, List<String> names) {

	private static final String PREFIX = "type.googleapis.com/";

	private static final int NAME = WireFormat.makeTag(1, WireFormat.WIRETYPE_LENGTH_DELIMITED);

	private static final int MESSAGE = WireFormat.makeTag(2, WireFormat.WIRETYPE_LENGTH_DELIMITED);

	boolean declares(Throwable thrown) {
		return this.method.nearest(thrown) >= 0;
	}

	void write(ProtobufOutput out, Throwable thrown) {
		int index = this.method.nearest(thrown);
		out.writeString(1, PREFIX + this.names.get(index));
		this.types.get(index).write(out, 2, thrown);
	}

	/** Reads name and message in any order; the last of each counts. */
	Throwable read(ProtobufInput in) {
		String url = null;
		int message = -1;
		while (in.hasMore()) {
			int tag = in.readTag();
			if (tag == NAME) {
				url = in.readString();
				continue;
			}
			message = (tag == MESSAGE) ? in.position : message;
			in.skip(tag);
		}
		StructType type = (url != null) ? find(url) : null;
		if (type == null || message < 0) {
			throw new PathException("none of the declared exceptions %s".formatted(this.names));
		}
		in.position = message;
		Object thrown = Objects.requireNonNull(type.read(in));
		in.position = in.limit;
		return (Throwable) thrown;
	}

	private StructType find(String url) {
		int index = this.names.indexOf(url.substring(url.lastIndexOf('/') + 1));
		if (index < 0) {
			throw new PathException("'%s' (expected: one of the declared exceptions %s)".formatted(url, this.names));
		}
		return this.types.get(index);
	}

	/** Declares the messages of the exceptions. */
	List<TypeName> declare(Declarations file) {
		return this.types.stream().map((each) -> each.name(file)).toList();
	}

}
