package io.rpcboot.grpc;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

import com.google.protobuf.Descriptors.Descriptor;
import com.google.protobuf.Descriptors.EnumDescriptor;
import com.google.protobuf.Descriptors.FileDescriptor;
import com.google.protobuf.Descriptors.MethodDescriptor;
import com.google.protobuf.Descriptors.ServiceDescriptor;
import io.grpc.protobuf.ProtoFileDescriptorSupplier;
import io.rpcboot.serialization.ProtoDescriptor;
import org.jspecify.annotations.Nullable;

/** Converts the descriptors of generated code to files of reflection. */
final class GeneratedFiles {

	/** Files by name, because several others import a file. */
	private final Map<String, ProtoDescriptor> files = new HashMap<>();

	private GeneratedFiles() {
	}

	/**
	 * Returns the file that declares a service, none for code that has no descriptors.
	 * @param schema the schema descriptor of the service
	 */
	static List<ProtoDescriptor> of(@Nullable Object schema) {
		return (schema instanceof ProtoFileDescriptorSupplier supplier) ? List.of(of(supplier.getFileDescriptor()))
				: List.of();
	}

	static ProtoDescriptor of(FileDescriptor file) {
		return new GeneratedFiles().convert(file);
	}

	private ProtoDescriptor convert(FileDescriptor file) {
		ProtoDescriptor known = this.files.get(file.getFullName());
		if (known != null) {
			return known;
		}
		ProtoDescriptor made = new ProtoDescriptor(file.getFullName(), file.toProto().toByteArray(), symbols(file),
				file.getDependencies().stream().map(this::convert).toList());
		this.files.put(made.name(), made);
		return made;
	}

	private static List<String> symbols(FileDescriptor file) {
		List<String> symbols = new ArrayList<>();
		for (ServiceDescriptor service : file.getServices()) {
			symbols.add(service.getFullName());
			service.getMethods().stream().map(MethodDescriptor::getFullName).forEach(symbols::add);
		}
		addTypes(file.getMessageTypes(), file.getEnumTypes(), symbols);
		return symbols;
	}

	private static void addTypes(List<Descriptor> messages, List<EnumDescriptor> enums, List<String> symbols) {
		enums.forEach((each) -> symbols.add(each.getFullName()));
		for (Descriptor each : messages) {
			symbols.add(each.getFullName());
			addTypes(each.getNestedTypes(), each.getEnumTypes(), symbols);
		}
	}

}
