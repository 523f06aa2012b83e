package io.rpcboot.internal.server.builtin;

import java.util.ArrayList;
import java.util.List;

import io.rpcboot.internal.serialization.protobuf.wire.ProtobufInput;
import org.jspecify.annotations.Nullable;

/**
 * Full names of all that a {@code FileDescriptorProto} declares: services, methods,
 * messages, fields, oneofs, enums and their constants, whose scope is that of their enum.
 */
final class DescriptorSymbols {

	private static final int NAME = 1;

	private final ProtobufInput in;

	private final List<String> names = new ArrayList<>();

	private DescriptorSymbols(ProtobufInput in) {
		this.in = in;
	}

	/** Kind of declaration with names within it. */
	private enum Kind {

		FILE, MESSAGE, ENUM, SERVICE, LEAF;

		/** Returns the kind of a field of this kind, null if it declares no name. */
		private @Nullable Kind of(int field) {
			return switch (this) {
				case FILE -> switch (field) {
					case 4 -> MESSAGE;
					case 5 -> ENUM;
					case 6 -> SERVICE;
					default -> null;
				};
				case MESSAGE -> switch (field) {
					case 2, 8 -> LEAF;
					case 3 -> MESSAGE;
					case 4 -> ENUM;
					default -> null;
				};
				case ENUM, SERVICE -> (field == 2) ? LEAF : null;
				case LEAF -> null;
			};
		}

	}

	/** Returns the names in a file. */
	static List<String> of(byte[] file) {
		ProtobufInput in = new ProtobufInput(file, 0, file.length);
		try {
			DescriptorSymbols symbols = new DescriptorSymbols(in);
			symbols.read(Kind.FILE, "");
			return symbols.names;
		}
		finally {
			in.leave();
		}
	}

	/** Reads a declaration, whose name precedes the names within it. */
	private void read(Kind kind, String scope) {
		String name = scope;
		while (this.in.hasMore()) {
			int tag = this.in.readTag();
			int field = tag >>> 3;
			Kind declared = kind.of(field);
			if (declared != null) {
				int outside = this.in.enterMessage();
				read(declared, (kind == Kind.ENUM) ? scope : name);
				this.in.leaveMessage(outside);
			}
			else if (field == ((kind == Kind.FILE) ? 2 : NAME) && tag % 8 == FieldReader.TEXT) {
				String own = this.in.readString();
				name = scope.isEmpty() ? own : scope + "." + own;
				if (kind != Kind.FILE) {
					this.names.add(name);
				}
			}
			else {
				this.in.skip(tag);
			}
		}
	}

}
