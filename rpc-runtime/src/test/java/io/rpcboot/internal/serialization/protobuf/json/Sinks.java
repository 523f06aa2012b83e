package io.rpcboot.internal.serialization.protobuf.json;

import java.io.IOException;
import java.io.InputStream;
import java.net.URISyntaxException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

import com.google.protobuf.DescriptorProtos.FileDescriptorProto;
import com.google.protobuf.DescriptorProtos.FileDescriptorSet;
import com.google.protobuf.Descriptors.Descriptor;
import com.google.protobuf.Descriptors.DescriptorValidationException;
import com.google.protobuf.Descriptors.FileDescriptor;
import com.google.protobuf.DynamicMessage;
import com.google.protobuf.InvalidProtocolBufferException;
import com.google.protobuf.TypeRegistry;
import com.google.protobuf.util.JsonFormat;
import io.rpcboot.serialization.OutputBuffer;
import io.rpcboot.serialization.ProtoDescriptor;

/** Messages with fields of all types, for us and for protobuf-java. */
public final class Sinks {

	static final int LIMIT = 1 << 26;

	private static final List<String> OTHERS = List.of("any", "duration", "empty", "field_mask", "struct", "timestamp",
			"wrappers");

	private static final Map<String, FileDescriptor> THEIRS = new LinkedHashMap<>();

	public static final List<ProtoDescriptor> FILES = files();

	static final ProtoJson JSON = ProtoJson.of(FILES, false, LIMIT);

	static final ProtoJson LENIENT = ProtoJson.of(FILES, true, LIMIT);

	static final TypeRegistry TYPES = TypeRegistry.newBuilder().add(type("sink.Sink")).build();

	private Sinks() {
	}

	/** Compiles the files with protoc, which the build copies. */
	private static List<ProtoDescriptor> files() {
		try {
			Path folder = Files.createTempDirectory("sink");
			List<String> command = new ArrayList<>();
			Path classes = Path.of(Sinks.class.getProtectionDomain().getCodeSource().getLocation().toURI());
			Path protoc = classes.resolveSibling("protoc").resolve("protoc.exe");
			protoc.toFile().setExecutable(true);
			Path set = folder.resolve("set");
			command
				.addAll(List.of(protoc.toString(), "--include_imports", "--descriptor_set_out=" + set, "-I" + folder));
			Files.createDirectories(folder.resolve("google/protobuf"));
			for (String each : OTHERS) {
				copy("google/protobuf/%s.proto".formatted(each),
						folder.resolve("google/protobuf/%s.proto".formatted(each)));
			}
			for (String each : List.of("sink", "old", "edition")) {
				Path file = folder.resolve(each + ".proto");
				copy("json/%s.proto".formatted(each), file);
				command.add(file.toString());
			}
			Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
			String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
			if (process.waitFor() != 0) {
				throw new IllegalStateException(output);
			}
			Map<String, ProtoDescriptor> files = new LinkedHashMap<>();
			byte[] compiled = Files.readAllBytes(set);
			try (Stream<Path> all = Files.walk(folder)) {
				all.sorted(Comparator.reverseOrder()).forEach((each) -> each.toFile().delete());
			}
			for (FileDescriptorProto each : FileDescriptorSet.parseFrom(compiled).getFileList()) {
				List<ProtoDescriptor> imports = each.getDependencyList().stream().map(files::get).toList();
				files.put(each.getName(), new ProtoDescriptor(each.getName(), each.toByteArray(), List.of(), imports));
				THEIRS.put(each.getName(), FileDescriptor.buildFrom(each,
						each.getDependencyList().stream().map(THEIRS::get).toArray(FileDescriptor[]::new)));
			}
			return List.of(files.get("sink.proto"), files.get("old.proto"), files.get("edition.proto"));
		}
		catch (IOException | URISyntaxException | InterruptedException | DescriptorValidationException ex) {
			throw new IllegalStateException(ex);
		}
	}

	private static void copy(String resource, Path file) throws IOException {
		try (InputStream in = Sinks.class.getClassLoader().getResourceAsStream(resource)) {
			Files.write(file, in.readAllBytes());
		}
	}

	static Descriptor type(String name) {
		for (FileDescriptor each : THEIRS.values()) {
			for (Descriptor type : each.getMessageTypes()) {
				if (type.getFullName().equals(name)) {
					return type;
				}
			}
		}
		throw new IllegalArgumentException(name);
	}

	/** Translates JSON into bytes. */
	static byte[] bytes(ProtoJson json, String type, byte[] text) {
		byte[] larger = new byte[text.length + 20];
		System.arraycopy(text, 0, larger, 10, text.length);
		OutputBuffer out = new OutputBuffer(new byte[1], LIMIT);
		json.message(type).toProtobuf(larger, 10, text.length, out);
		return out.toByteArray();
	}

	static byte[] bytes(String type, String text) {
		return bytes(JSON, type, text.getBytes(StandardCharsets.UTF_8));
	}

	/** Translates bytes into JSON. */
	static String json(String type, byte[] bytes) {
		byte[] larger = new byte[bytes.length + 20];
		System.arraycopy(bytes, 0, larger, 10, bytes.length);
		OutputBuffer out = new OutputBuffer(new byte[1], LIMIT);
		JSON.message(type).toJson(larger, 10, bytes.length, out);
		return new String(out.toByteArray(), StandardCharsets.UTF_8);
	}

	/** Reads bytes with protobuf-java. */
	static DynamicMessage read(String type, byte[] bytes) {
		try {
			return DynamicMessage.parseFrom(type(type), bytes);
		}
		catch (InvalidProtocolBufferException ex) {
			throw new IllegalStateException(ex);
		}
	}

	/** Reads JSON with protobuf-java-util. */
	static DynamicMessage parse(String type, String text) throws InvalidProtocolBufferException {
		DynamicMessage.Builder builder = DynamicMessage.newBuilder(type(type));
		JsonFormat.parser().usingTypeRegistry(TYPES).merge(text, builder);
		return builder.build();
	}

	/** Writes JSON with protobuf-java-util. */
	static String print(DynamicMessage message) throws InvalidProtocolBufferException {
		return JsonFormat.printer().usingTypeRegistry(TYPES).print(message);
	}

}
