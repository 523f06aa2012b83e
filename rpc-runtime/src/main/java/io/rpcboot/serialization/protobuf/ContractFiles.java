package io.rpcboot.serialization.protobuf;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.URISyntaxException;
import java.net.URL;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.CodeSource;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

import io.rpcboot.RpcConfigurationException;
import io.rpcboot.ServiceDescriptor;
import io.rpcboot.internal.serialization.protobuf.ProtobufCodec;
import io.rpcboot.internal.serialization.protobuf.schema.NumberLock;
import io.rpcboot.internal.serialization.protobuf.schema.ProtoFile;
import io.rpcboot.serialization.TypeOptions;
import org.jspecify.annotations.Nullable;

/**
 * Files that fix the contract of services with clients of gRPC: the lock
 * {@code META-INF/rpc/protobuf.lock} with the numbers of fields and constants, and a
 * {@code services.proto} in the folder of each package. They are resources of the module
 * of the interfaces, kept in version control. Immutable.
 *
 * <pre class="code">
 * ContractFiles.of(UserService.class).write();
 * assertThat(ContractFiles.of(UserService.class).differences()).isEmpty();
 * </pre>
 *
 * Numbers in the lock stay: a new field gets the next one, the number of a field that is
 * gone is reserved. A type that the lock of another module has stays there.
 *
 * @since 0.1.0
 */
public final class ContractFiles {

	private static final String SOURCES = "src/main";

	/** Names of the folders of classes for tests, by Maven and by Gradle. */
	private static final Set<String> TEST_CLASSES = Set.of("test-classes", "test");

	private static final String CHECK = "--check";

	private static final String TO = "--to=";

	private static final String USAGE = "[--check] [--to=<folder of resources>] <interface>...";

	private final List<ServiceDescriptor> services;

	private final TypeOptions types;

	private final @Nullable Path folder;

	private ContractFiles(List<ServiceDescriptor> services, TypeOptions types, @Nullable Path folder) {
		this.services = services;
		this.types = types;
		this.folder = folder;
	}

	/**
	 * Returns the files of services. They are in {@code src/main/resources} of the module
	 * whose build compiled the first interface, or in {@code src/test/resources} if that
	 * is one for tests.
	 * @param first an interface of a service
	 * @param more other interfaces of the same module
	 * @return the files
	 * @throws io.rpcboot.RpcConfigurationException if an interface is no service
	 */
	public static ContractFiles of(Class<?> first, Class<?>... more) {
		List<ServiceDescriptor> services = new ArrayList<>(List.of(ServiceDescriptor.of(first)));
		Arrays.stream(more).map(ServiceDescriptor::of).forEach(services::add);
		Path module = module(first);
		Path classes = classes(first);
		String sources = (classes != null && TEST_CLASSES.contains(classes.getFileName().toString())) ? "src/test"
				: SOURCES;
		return new ContractFiles(services, TypeOptions.NONE,
				(module != null) ? module.resolve(sources).resolve("resources") : null);
	}

	/**
	 * Returns the files with additional types, as the serializers of the application get
	 * them.
	 * @param types the types
	 * @return a copy
	 */
	public ContractFiles withTypes(TypeOptions types) {
		return new ContractFiles(this.services, types, this.folder);
	}

	/**
	 * Returns the files in another folder.
	 * @param resources root of the resources
	 * @return a copy
	 */
	public ContractFiles in(Path resources) {
		return new ContractFiles(this.services, this.types, resources);
	}

	/**
	 * Compares the files with the interfaces and their types.
	 * @return a text for each line of the lock that is missing or has to be replaced, and
	 * for each {@code .proto} that differs; empty if the files are up to date
	 * @throws io.rpcboot.RpcConfigurationException if a number moves by {@code @Tag}, two
	 * members have one number, or no protocol can send a type; the action tells what to
	 * do
	 */
	public List<String> differences() {
		return new Comparison().differences;
	}

	/**
	 * Writes the files that are not up to date.
	 * @return what has been changed, as {@link #differences()} returned before
	 * @throws io.rpcboot.RpcConfigurationException as {@link #differences()}, or if the
	 * number of a field that the {@code .proto} has gets another type
	 */
	public List<String> write() {
		Comparison comparison = new Comparison();
		comparison.write();
		return comparison.differences;
	}

	/**
	 * Writes the files, or fails if they are not up to date.
	 * @param arguments {@code --check} to write nothing; {@code --to=} and the folder of
	 * resources, by default {@code src/main/resources} of the module of the first
	 * interface; full names of interfaces
	 * @throws io.rpcboot.RpcConfigurationException if the files are not up to date, or
	 * cannot be written
	 */
	public static void main(String... arguments) {
		try {
			run(Arrays.asList(arguments));
		}
		catch (RpcConfigurationException ex) {
			System.err.println(ex.action());
			throw ex;
		}
	}

	private static void run(List<String> arguments) {
		List<Class<?>> types = new ArrayList<>();
		Path folder = null;
		for (String each : arguments) {
			if (each.startsWith(TO)) {
				folder = Path.of(each.substring(TO.length()));
			}
			else if (!each.equals(CHECK)) {
				types.add(find(each));
			}
		}
		if (types.isEmpty()) {
			throw new RpcConfigurationException("%s (expected: %s)".formatted(arguments, USAGE),
					"Name the interfaces of the services.");
		}
		ContractFiles files = of(types.get(0), types.subList(1, types.size()).toArray(Class<?>[]::new));
		Comparison comparison = ((folder != null) ? files.in(folder) : files).new Comparison();
		comparison.remarks.forEach(System.out::println);
		if (!arguments.contains(CHECK)) {
			comparison.write();
			comparison.differences.forEach(System.out::println);
		}
		else if (!comparison.differences.isEmpty()) {
			throw new RpcConfigurationException(String.join("\n", comparison.differences),
					"If the change is meant, write the files: the same command without " + CHECK);
		}
	}

	/** Finds a class. Nested classes may have a point instead of a dollar sign. */
	private static Class<?> find(String name) {
		ClassLoader loader = Thread.currentThread().getContextClassLoader();
		for (String each = name; each != null; each = each.contains(".") ? each.replaceFirst("\\.([^.]*)$", "\\$$1")
				: null) {
			try {
				return Class.forName(each, false, loader);
			}
			catch (ClassNotFoundException ex) {
				// the class may be nested
			}
		}
		throw new RpcConfigurationException("%s: no such class (expected: one on the class path)".formatted(name),
				"Compile the module first, and give the full name of the interface.");
	}

	/** Returns the folder of classes of a class; null if it comes from an archive. */
	private static @Nullable Path classes(Class<?> type) {
		CodeSource source = type.getProtectionDomain().getCodeSource();
		Path classes = (source != null && source.getLocation() != null) ? path(source.getLocation()) : null;
		return (classes != null && Files.isDirectory(classes)) ? classes : null;
	}

	/** Returns the folder of the module whose build compiled a class; null if unknown. */
	private static @Nullable Path module(Class<?> type) {
		Path module = classes(type);
		while (module != null && !Files.isDirectory(module.resolve(SOURCES))) {
			module = module.getParent();
		}
		return module;
	}

	/** Returns the path of a file; null for an entry of an archive. */
	private static @Nullable Path path(URL url) {
		try {
			URI uri = url.toURI();
			return "file".equals(uri.getScheme()) ? Path.of(uri) : null;
		}
		catch (URISyntaxException ex) {
			return null;
		}
	}

	/** Comparison of the files with what they should be. */
	private final class Comparison {

		private final List<String> differences = new ArrayList<>();

		/** Fields whose numbers get another type. */
		private final List<String> changedTypes = new ArrayList<>();

		/** New texts of the files that differ. */
		private final Map<Path, String> outdated = new TreeMap<>();

		/** Sentences for the log of a build. */
		private final List<String> remarks = new ArrayList<>();

		private final Path resources;

		Comparison() {
			Class<?> first = ContractFiles.this.services.get(0).type();
			if (ContractFiles.this.folder == null) {
				throw new RpcConfigurationException(
						"%s: its module is unknown (expected: a build that compiles it beside the folder %s)"
							.formatted(first.getName(), SOURCES),
						"Name the folder of its resources.");
			}
			this.resources = ContractFiles.this.folder;
			NumberLock lock = lock(first);
			Map<String, List<ProtobufCodec>> packages = new TreeMap<>();
			for (ServiceDescriptor each : ContractFiles.this.services) {
				ProtobufCodec codec = ProtobufCodec.of(each, ContractFiles.this.types, lock);
				packages.computeIfAbsent(codec.packageName(), (name) -> new ArrayList<>()).add(codec);
				codec.findings().values().forEach((finding) -> this.remarks.add("Left out: " + finding.getMessage()));
				if (Arrays.stream(each.type().getMethods())
					.flatMap((method) -> Arrays.stream(method.getParameters()))
					.anyMatch((parameter) -> !parameter.isNamePresent())) {
					this.remarks
						.add("%s is compiled without -parameters: fields of its requests are named arg0, arg1 ..."
							.formatted(each.type().getName()));
				}
			}
			packages.values().forEach((codecs) -> compare(ProtobufCodec.file(codecs)));
		}

		/** Compares the lock, and returns it together with those of other modules. */
		private NumberLock lock(Class<?> type) {
			Path module = module(type);
			NumberLock others = NumberLock.load(type.getClassLoader(), (url) -> {
				Path file = path(url);
				return file == null || module == null || !file.startsWith(module);
			});
			Path file = this.resources.resolve(NumberLock.RESOURCE);
			String text = read(file);
			NumberLock earlier = NumberLock.parse(file.toString(), (text != null) ? text : "");
			NumberLock lock = others.with(earlier);
			for (ServiceDescriptor each : ContractFiles.this.services) {
				ProtobufCodec.of(each, ContractFiles.this.types, others);
				lock = ProtobufCodec.lock(each, ContractFiles.this.types, lock);
			}
			NumberLock own = lock.without(others);
			List<String> changes = own.changes(earlier);
			if (!changes.isEmpty()) {
				changes.forEach((each) -> this.differences.add(NumberLock.RESOURCE + ": " + each));
				this.outdated.put(file, own.text());
			}
			return lock;
		}

		private void compare(ProtoFile proto) {
			Path file = this.resources.resolve(proto.name());
			String text = read(file);
			List<String> earlier = (text != null) ? text.lines().toList() : List.of();
			List<String> now = proto.text().lines().toList();
			if (now.equals(earlier)) {
				return;
			}
			this.outdated.put(file, proto.text());
			int line = 0;
			while (line < now.size() && line < earlier.size() && now.get(line).equals(earlier.get(line))) {
				line++;
			}
			this.differences.add((text != null)
					? "%s: line %d is '%s' (expected: '%s')".formatted(proto.name(), line + 1,
							(line < earlier.size()) ? earlier.get(line) : "", (line < now.size()) ? now.get(line) : "")
					: proto.name() + ": missing");
			for (String each : proto.changedTypes(String.join("\n", earlier))) {
				this.changedTypes.add(proto.name() + ": " + each);
				this.differences.add(proto.name() + ": " + each);
			}
		}

		private static @Nullable String read(Path file) {
			try {
				return Files.exists(file) ? Files.readString(file) : null;
			}
			catch (IOException ex) {
				throw new UncheckedIOException(ex);
			}
		}

		void write() {
			if (!this.changedTypes.isEmpty()) {
				throw new RpcConfigurationException(
						"%s (expected: the type of a number stays)".formatted(String.join("; ", this.changedTypes)),
						"Rename the field, so that it gets another number, put new parameters last, or delete the file if no client has it.");
			}
			this.outdated.forEach((file, text) -> {
				try {
					Files.createDirectories(file.getParent());
					Files.writeString(file, text);
				}
				catch (IOException ex) {
					throw new UncheckedIOException(ex);
				}
			});
		}

	}

}
