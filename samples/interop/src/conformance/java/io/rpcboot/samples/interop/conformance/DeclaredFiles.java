package io.rpcboot.samples.interop.conformance;

import java.util.HashMap;
import java.util.List;
import java.util.Map;

import com.google.protobuf.Descriptors.FileDescriptor;
import io.rpcboot.serialization.ProtoDescriptor;

/** Files that declare a service, by which a server knows the JSON of its messages. */
final class DeclaredFiles {

	/** Files by name, because several others import a file. */
	private final Map<String, ProtoDescriptor> files = new HashMap<>();

	private DeclaredFiles() {
	}

	static ProtoDescriptor of(FileDescriptor file) {
		return new DeclaredFiles().convert(file);
	}

	private ProtoDescriptor convert(FileDescriptor file) {
		ProtoDescriptor known = this.files.get(file.getFullName());
		if (known == null) {
			known = new ProtoDescriptor(file.getFullName(), file.toProto().toByteArray(), List.of(),
					file.getDependencies().stream().map(this::convert).toList());
			this.files.put(known.name(), known);
		}
		return known;
	}

}
