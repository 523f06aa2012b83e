package io.rpcboot.serialization;

import java.util.List;

/**
 * File of declarations of protobuf, which reflection of gRPC tells clients. Immutable.
 *
 * @param name path of the file, such as {@code acme/users.proto}
 * @param descriptor the file as {@code google.protobuf.FileDescriptorProto}, not changed
 * afterwards
 * @param symbols full names of its services, their methods, messages and enums
 * @param imports files that it imports
 * @since 0.1.0
 */
public record ProtoDescriptor(String name, byte[] descriptor, List<String> symbols, List<ProtoDescriptor> imports) {

	/**
	 * Creates a file.
	 */
	public ProtoDescriptor {
		symbols = List.copyOf(symbols);
		imports = List.copyOf(imports);
	}

}
