package io.rpcboot.internal.server.builtin;

import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.Collectors;

import com.google.protobuf.ByteString;
import com.google.protobuf.DescriptorProtos.FileDescriptorProto;
import com.google.protobuf.Descriptors.DescriptorValidationException;
import com.google.protobuf.Descriptors.FileDescriptor;
import com.google.protobuf.InvalidProtocolBufferException;

/** Builds the descriptors of protobuf-java. */
final class BuiltFiles {

	private final Map<String, FileDescriptorProto> files;

	/** Takes files, each once. */
	private BuiltFiles(Map<String, FileDescriptorProto> files) {
		this.files = files;
	}

	/** Builds the first file; all that it imports must be among the others. */
	static FileDescriptor build(List<ByteString> files) {
		List<FileDescriptorProto> read = files.stream().map(BuiltFiles::read).toList();
		return new BuiltFiles(
				read.stream().collect(Collectors.toMap(FileDescriptorProto::getName, Function.identity())))
			.build(read.get(0));
	}

	private static FileDescriptorProto read(ByteString file) {
		try {
			return FileDescriptorProto.parseFrom(file);
		}
		catch (InvalidProtocolBufferException ex) {
			throw new AssertionError(ex);
		}
	}

	private FileDescriptor build(FileDescriptorProto file) {
		try {
			return FileDescriptor.buildFrom(file,
					file.getDependencyList()
						.stream()
						.map((each) -> build(this.files.get(each)))
						.toArray(FileDescriptor[]::new));
		}
		catch (DescriptorValidationException ex) {
			throw new AssertionError(ex);
		}
	}

}
