package io.rpcboot.internal.serialization.protobuf.generated;

import java.io.IOException;
import java.io.InputStream;
import java.net.URISyntaxException;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.LongStream;
import java.util.stream.Stream;

import javax.tools.ToolProvider;

import com.google.protobuf.DescriptorProtos.DescriptorProto;
import com.google.protobuf.DescriptorProtos.FieldDescriptorProto;
import com.google.protobuf.DescriptorProtos.FileDescriptorProto;
import com.google.protobuf.DescriptorProtos.FileDescriptorSet;
import io.rpcboot.ServiceDescriptor;
import io.rpcboot.internal.serialization.protobuf.ProtobufCodec;
import io.rpcboot.internal.serialization.protobuf.schema.NumberLock;
import io.rpcboot.internal.serialization.protobuf.schema.ProtoFile;
import io.rpcboot.internal.serialization.protobuf.schema.ProtoSource;
import io.rpcboot.serialization.ProtoDescriptor;
import io.rpcboot.serialization.TypeOptions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Compiles generated files with protoc, which has to see what the descriptors for
 * reflection say. The profile {@code contracts} has more graphs, and Python.
 */
class ValidContractsTests {

	private static final int GRAPHS = Integer.getInteger("contracts.graphs", 10);

	private static final String PYTHON = System.getProperty("contracts.python", "");

	private static final String POOL = """
			import sys
			from google.protobuf import descriptor_pb2, descriptor_pool
			files = descriptor_pb2.FileDescriptorSet.FromString(open(sys.argv[1], 'rb').read())
			pool = descriptor_pool.DescriptorPool()
			for each in files.file:
			    pool.AddSerializedFile(each.SerializeToString())
			for each in files.file:
			    pool.FindFileByName(each.name)
			""";

	@TempDir
	private Path folder;

	static LongStream seeds() {
		return LongStream.range(0, GRAPHS);
	}

	@ParameterizedTest
	@MethodSource("seeds")
	void randomGraph_isValid(long seed) throws Exception {
		RandomGraph graph = new RandomGraph(seed);
		check(graph.packageName, graph.sources(), graph.services());
	}

	/** Contracts with colliding names: services, then declarations. */
	@ParameterizedTest
	@CsvSource(delimiter = '|',
			textBlock = """
					S        | enum Order { STATUS_NEW, STATUS_DONE }; enum OrderStatus { NEW, DONE }; interface S { void a(Order a, OrderStatus b); }
					S,T      | enum Payment { METHOD_CARD }; enum PaymentMethod { CARD }; interface S { Payment a(); }; interface T { PaymentMethod a(); }
					S        | enum A { B_C, B_C_1 }; enum AB { C, D }; interface S { void a(A a, AB b); }
					S        | enum A { X, B_UNSPECIFIED }; enum AB { X }; interface S { void a(A a, AB b); }
					Order$T,S | record Order(long id) { public interface T { void put(long id); } }; interface S { Order get(); }
					Order$T,S | enum Order { A; public interface T { void put(long id); } }; interface S { Order get(); }
					OrderRequest$T,S | class OrderRequest { public interface T { void put(long id); } }; interface S { void order(long id); }
					S        | record User(int choice, String choice_2) { }; interface S { void put(User choice); }
					S        | record Choice(int a) implements Any { }; record Other(int a) implements Any { }; sealed interface Any permits Choice, Other { }; interface S { void put(Any any); }
					S        | record Find(int a) { }; interface S { @io.rpcboot.RpcMethod(bare = true) Find find(Find find); @io.rpcboot.RpcMethod(bare = true) Find other(Find find); }
					S        | record OrderEntry(int a) { }; interface S { void put(Map<String, String> order, OrderEntry entry); }
					S        | record A(java.time.LocalDate d, List<java.math.BigDecimal> e, Map<UUID, java.time.LocalTime> f) { }; interface S { A a() throws Thrown; }; class Thrown extends Exception { }
					""")
	void collision_isValid(String services, String declarations) throws Exception {
		Map<String, String> sources = new LinkedHashMap<>();
		for (String each : declarations.split("; (?=(enum|record|interface|sealed|class) \\w+)")) {
			String name = each.replaceAll("^(?:sealed )?\\w+ (\\w+).*", "$1");
			sources.put(name, "package app.google;\nimport java.util.*;\npublic " + each);
		}
		check("app.google", sources, Stream.of(services.split(",")).map((each) -> "app.google." + each).toList());
	}

	@Test
	void names_stayAsInTheEarlierFile_whereTwoCollide() throws Exception {
		String head = "package app;\npublic ";
		Map<String, String> sources = Map.of("Order", head + "enum Order { STATUS_NEW }", "OrderStatus",
				head + "enum OrderStatus { NEW }", "S", head + "interface S { OrderStatus find(); }", "A",
				head + "interface A { Order find(); }");
		compile("app", sources);
		try (URLClassLoader loader = loader()) {
			String before = ProtobufCodec.file(codecs(loader, List.of("app.S"))).text();
			assertThat(before).contains("  ORDER_STATUS_NEW = 1;", "rpc Find(FindRequest)");
			String now = ProtobufCodec
				.file(codecs(loader, List.of("app.A", "app.S")), List.of(), ProtoSource.parse("before", before))
				.text();
			assertThat(now).contains("service S {\n  rpc Find(FindRequest) returns (FindResponse);")
				.contains("service A {\n  rpc Find(AFindRequest) returns (AFindResponse);")
				.contains("enum OrderStatus {\n  ORDER_STATUS_UNSPECIFIED = 0;\n  ORDER_STATUS_NEW = 1;\n}")
				.contains("enum Order {\n  ORDER_UNSPECIFIED = 0;\n  ORDER_STATUS_NEW_1 = 1;\n}");
			String again = ProtobufCodec
				.file(codecs(loader, List.of("app.A", "app.S")), List.of(), ProtoSource.parse("now", now))
				.text();
			assertThat(again).isEqualTo(now);
		}
	}

	private void check(String packageName, Map<String, String> sources, List<String> services) throws Exception {
		compile(packageName, sources);
		Map<String, FileDescriptorProto> own = new LinkedHashMap<>();
		List<String> names = new ArrayList<>();
		try (URLClassLoader loader = loader()) {
			Map<String, List<ProtobufCodec>> packages = new TreeMap<>();
			for (ProtobufCodec each : codecs(loader, services)) {
				packages.computeIfAbsent(each.packageName(), (key) -> new ArrayList<>()).add(each);
			}
			for (List<ProtobufCodec> each : packages.values()) {
				ProtoFile file = ProtobufCodec.file(each, packages.keySet(), ProtoSource.NONE);
				Path path = this.folder.resolve(file.name());
				Files.createDirectories(path.getParent());
				Files.writeString(path, file.text());
				names.add(file.name());
				add(own, file.descriptor());
			}
		}
		own.keySet().stream().filter((each) -> each.startsWith("google/")).forEach(this::copy);
		Path set = this.folder.resolve("protoc.bin");
		List<String> command = new ArrayList<>(
				List.of(protoc(), "-I" + this.folder, "--include_imports", "--descriptor_set_out=" + set));
		command.addAll(names);
		run(command);
		FileDescriptorSet.parseFrom(Files.readAllBytes(set))
			.getFileList()
			.stream()
			.filter((each) -> names.contains(each.getName()))
			.forEach((each) -> assertThat(own.get(each.getName())).isEqualTo(withoutJson(each)));
		if (!PYTHON.isEmpty()) {
			Path ours = this.folder.resolve("ours.bin");
			Files.write(ours, FileDescriptorSet.newBuilder().addAllFile(own.values()).build().toByteArray());
			run(List.of(PYTHON, "-c", POOL, ours.toString()));
		}
	}

	private static void add(Map<String, FileDescriptorProto> all, ProtoDescriptor file) throws IOException {
		for (ProtoDescriptor each : file.imports()) {
			add(all, each);
		}
		all.put(file.name(), FileDescriptorProto.parseFrom(file.descriptor()));
	}

	/** Returns a file without the names for JSON, which only protoc writes. */
	private static FileDescriptorProto withoutJson(FileDescriptorProto file) {
		FileDescriptorProto.Builder copy = file.toBuilder();
		copy.getMessageTypeBuilderList().forEach(ValidContractsTests::removeJson);
		return copy.build();
	}

	private static void removeJson(DescriptorProto.Builder message) {
		message.getFieldBuilderList().forEach(FieldDescriptorProto.Builder::clearJsonName);
		message.getNestedTypeBuilderList().forEach(ValidContractsTests::removeJson);
	}

	private static List<ProtobufCodec> codecs(ClassLoader loader, List<String> services) throws Exception {
		List<ProtobufCodec> codecs = new ArrayList<>();
		for (String each : services) {
			codecs
				.add(ProtobufCodec.of(ServiceDescriptor.of(loader.loadClass(each)), TypeOptions.NONE, NumberLock.NONE));
		}
		return codecs;
	}

	private void compile(String packageName, Map<String, String> sources) throws IOException {
		Path files = this.folder.resolve("src").resolve(packageName.replace('.', '/'));
		Files.createDirectories(files);
		Files.createDirectories(this.folder.resolve("classes"));
		List<String> arguments = new ArrayList<>(List.of("-proc:none", "-nowarn", "-parameters", "-encoding", "UTF-8",
				"-d", this.folder.resolve("classes").toString(), "-cp", System.getProperty("java.class.path")));
		for (Map.Entry<String, String> each : sources.entrySet()) {
			arguments.add(Files.writeString(files.resolve(each.getKey() + ".java"), each.getValue()).toString());
		}
		assertThat(ToolProvider.getSystemJavaCompiler().run(null, null, null, arguments.toArray(String[]::new)))
			.isZero();
	}

	private URLClassLoader loader() throws IOException {
		return new URLClassLoader(new URL[] { this.folder.resolve("classes").toUri().toURL() },
				getClass().getClassLoader());
	}

	private void copy(String name) {
		try (InputStream in = getClass().getClassLoader().getResourceAsStream(name)) {
			Files.createDirectories(this.folder.resolve(name).getParent());
			Files.write(this.folder.resolve(name), in.readAllBytes());
		}
		catch (IOException ex) {
			throw new AssertionError(ex);
		}
	}

	/** Returns the compiler, which the build copies. */
	private static String protoc() throws URISyntaxException {
		Path classes = Path.of(ValidContractsTests.class.getProtectionDomain().getCodeSource().getLocation().toURI());
		Path protoc = classes.resolveSibling("protoc").resolve("protoc.exe");
		assertThat(protoc).exists();
		assertThat(protoc.toFile().setExecutable(true)).isTrue();
		return protoc.toString();
	}

	private void run(List<String> command) throws Exception {
		Process process = new ProcessBuilder(command).redirectErrorStream(true).directory(this.folder.toFile()).start();
		String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
		assertThat(process.waitFor()).as(output).isZero();
	}

}
