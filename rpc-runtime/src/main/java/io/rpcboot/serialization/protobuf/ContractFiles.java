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
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;

import io.rpcboot.RpcConfigurationException;
import io.rpcboot.ServiceDescriptor;
import io.rpcboot.internal.serialization.protobuf.ProtobufCodec;
import io.rpcboot.internal.serialization.protobuf.schema.NumberLock;
import io.rpcboot.internal.serialization.protobuf.schema.ProtoMatch;
import io.rpcboot.internal.serialization.protobuf.schema.ProtoSource;
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

	static final String REMOVE = "--remove=";

	private static final String GO_PACKAGE = "--go-package=";

	private static final String USAGE = "[--check] [--to=<folder of resources>] [--remove=<service>] [--go-package=<path>] <interface>...";

	private final List<ServiceDescriptor> services;

	private final TypeOptions types;

	private final @Nullable Path folder;

	/** Full names of services of the files that are left out. */
	private final Set<String> removed;

	private final @Nullable String goPackage;

	private ContractFiles(List<ServiceDescriptor> services, TypeOptions types, @Nullable Path folder,
			Set<String> removed, @Nullable String goPackage) {
		this.services = services;
		this.types = types;
		this.folder = folder;
		this.removed = removed;
		this.goPackage = goPackage;
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
				(module != null) ? module.resolve(sources).resolve("resources") : null, Set.of(), null);
	}

	/**
	 * Returns the files with additional types, as the serializers of the application get
	 * them.
	 * @param types the types
	 * @return a copy
	 */
	public ContractFiles withTypes(TypeOptions types) {
		return new ContractFiles(this.services, types, this.folder, this.removed, this.goPackage);
	}

	/**
	 * Returns the files in another folder.
	 * @param resources root of the resources
	 * @return a copy
	 */
	public ContractFiles in(Path resources) {
		return new ContractFiles(this.services, this.types, resources, this.removed, this.goPackage);
	}

	private ContractComparison comparison() {
		if (this.folder == null) {
			throw new RpcConfigurationException(
					"%s: its module is unknown (expected: a build that compiles it beside the folder %s)".formatted(
							this.services.get(0).type().getName(), SOURCES),
					"Name the folder of its resources.");
		}
		return new ContractComparison(this.services, this.types, this.folder, this.removed, this.goPackage);
	}

	/**
	 * Compares the files with the interfaces and their types. Services that a file has
	 * beside these are compared, too: their interfaces have to be on the class path.
	 * @return a text for each line of the lock that is missing or has to be replaced, and
	 * for each {@code .proto} that differs; empty if the files are up to date
	 * @throws io.rpcboot.RpcConfigurationException if a number moves by {@code @Tag}, two
	 * members have one number, no protocol can send a type, or a service of a file has no
	 * interface; the action tells what to do
	 */
	public List<String> differences() {
		return comparison().differences();
	}

	/**
	 * Compares the interfaces with the {@code .proto} that others have for their
	 * services: methods, numbers, types on the wire, and the numbers of names. Fields,
	 * constants and methods that only the others have are no difference.
	 * @param first the file of others
	 * @param more files that it imports, except those of protobuf itself
	 * @return a text for each difference, empty if there is none
	 * @throws io.rpcboot.RpcConfigurationException if a file cannot be parsed
	 * @throws UncheckedIOException if a file cannot be read
	 */
	public List<String> mismatches(Path first, Path... more) {
		List<ProtoSource> sources = Stream.concat(Stream.of(first), Arrays.stream(more)).map((each) -> {
			try {
				return ProtoSource.parse(each.toString(), Files.readString(each));
			}
			catch (IOException ex) {
				throw new UncheckedIOException(ex);
			}
		}).toList();
		List<String> texts = new ArrayList<>();
		for (ServiceDescriptor each : this.services) {
			ProtobufCodec codec = ProtobufCodec.of(each, this.types, lock(each));
			texts.addAll(ProtoMatch.differences(ProtobufCodec.file(List.of(codec)), List.of(codec.name()), sources));
		}
		return texts;
	}

	/** Returns the locks that the application has, and that of the folder. */
	private NumberLock lock(ServiceDescriptor service) {
		ClassLoader loader = service.type().getClassLoader();
		NumberLock lock = NumberLock.load((loader != null) ? loader : ClassLoader.getSystemClassLoader());
		Path file = (this.folder != null) ? this.folder.resolve(NumberLock.RESOURCE) : null;
		try {
			return (file != null && Files.exists(file))
					? lock.with(NumberLock.parse(file.toString(), Files.readString(file))) : lock;
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

	/**
	 * Writes the files that are not up to date.
	 * @return what has been changed, as {@link #differences()} returned before
	 * @throws io.rpcboot.RpcConfigurationException as {@link #differences()}, or if the
	 * number of a field that the {@code .proto} has gets another type
	 */
	public List<String> write() {
		ContractComparison comparison = comparison();
		comparison.write();
		return comparison.differences();
	}

	/**
	 * Writes the files, or fails if they are not up to date.
	 * @param arguments {@code --check} to write nothing; {@code --to=} and the folder of
	 * resources, by default {@code src/main/resources} of the module of the first
	 * interface; {@code --remove=} and the full name of a service, to leave it out of its
	 * file; {@code --go-package=} and the value of that option in the files, which stays
	 * in them; full names of interfaces
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
		Set<String> removed = new HashSet<>();
		String goPackage = null;
		for (String each : arguments) {
			String value = each.substring(each.indexOf('=') + 1);
			if (each.startsWith(TO)) {
				folder = Path.of(value);
			}
			else if (each.startsWith(REMOVE)) {
				removed.add(value);
			}
			else if (each.startsWith(GO_PACKAGE)) {
				goPackage = value;
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
		ContractComparison comparison = new ContractFiles(files.services, files.types,
				(folder != null) ? folder : files.folder, removed, goPackage)
			.comparison();
		comparison.remarks().forEach(System.out::println);
		if (!arguments.contains(CHECK)) {
			comparison.write();
			comparison.changes().forEach(System.out::println);
		}
		else if (!comparison.differences().isEmpty()) {
			throw new RpcConfigurationException(String.join("\n", comparison.differences()),
					"If the change is meant, write the files: the same command without " + CHECK);
		}
	}

	private static Class<?> find(String name) {
		Class<?> type = find(name, Thread.currentThread().getContextClassLoader());
		if (type == null) {
			throw new RpcConfigurationException("%s: no such class (expected: one on the class path)".formatted(name),
					"Compile the module first, and give the full name of the interface.");
		}
		return type;
	}

	/**
	 * Finds a class. Nested classes may have a point instead of a dollar sign.
	 * @return the class, null if there is none
	 */
	static @Nullable Class<?> find(String name, @Nullable ClassLoader loader) {
		for (String each = name; each != null; each = each.contains(".") ? each.replaceFirst("\\.([^.]*)$", "\\$$1")
				: null) {
			try {
				return Class.forName(each, false, loader);
			}
			catch (ClassNotFoundException ex) {
				// the class may be nested
			}
		}
		return null;
	}

	/** Returns the folder of classes of a class; null if it comes from an archive. */
	private static @Nullable Path classes(Class<?> type) {
		CodeSource source = type.getProtectionDomain().getCodeSource();
		Path classes = (source != null && source.getLocation() != null) ? path(source.getLocation()) : null;
		return (classes != null && Files.isDirectory(classes)) ? classes : null;
	}

	/** Returns the folder of the module whose build compiled a class; null if unknown. */
	static @Nullable Path module(Class<?> type) {
		Path module = classes(type);
		while (module != null && !Files.isDirectory(module.resolve(SOURCES))) {
			module = module.getParent();
		}
		return module;
	}

	/** Returns the path of a file; null for an entry of an archive. */
	static @Nullable Path path(URL url) {
		try {
			URI uri = url.toURI();
			return "file".equals(uri.getScheme()) ? Path.of(uri) : null;
		}
		catch (URISyntaxException ex) {
			return null;
		}
	}

}
