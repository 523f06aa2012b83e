package io.rpcboot.serialization.protobuf;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Stream;

import io.rpcboot.RpcConfigurationException;
import io.rpcboot.ServiceDescriptor;
import io.rpcboot.internal.serialization.protobuf.ProtobufCodec;
import io.rpcboot.internal.serialization.protobuf.schema.NumberLock;
import io.rpcboot.internal.serialization.protobuf.schema.ProtoFile;
import io.rpcboot.internal.serialization.protobuf.schema.ProtoSource;
import io.rpcboot.serialization.TypeOptions;
import org.jspecify.annotations.Nullable;

/**
 * Comparison of the files of services with what they should be.
 */
final class ContractComparison {

	private final TypeOptions types;

	private final Path resources;

	private final @Nullable String goPackage;

	private final List<String> differences = new ArrayList<>();

	/** Changes of the lock, in the past tense. */
	private final List<String> changes = new ArrayList<>();

	/** Fields whose numbers get another type. */
	private final List<String> changedTypes = new ArrayList<>();

	/** New texts of the files that differ. */
	private final Map<Path, String> outdated = new TreeMap<>();

	/** Sentences for the log of a build. */
	private final List<String> remarks = new ArrayList<>();

	/**
	 * Compares the files.
	 * @param resources root of the resources
	 * @param removed full names of services that their files may lose
	 * @param goPackage value of {@code go_package}; null for that of the files
	 */
	ContractComparison(List<ServiceDescriptor> services, TypeOptions types, Path resources, Set<String> removed,
			@Nullable String goPackage) {
		this.types = types;
		this.resources = resources;
		this.goPackage = goPackage;
		List<ServiceDescriptor> all = withOthers(services, removed);
		NumberLock lock = lock(services.get(0).type(), all);
		Map<String, List<ProtobufCodec>> packages = new TreeMap<>();
		for (ServiceDescriptor each : all) {
			ProtobufCodec codec = ProtobufCodec.of(each, types, lock);
			packages.computeIfAbsent(codec.packageName(), (name) -> new ArrayList<>()).add(codec);
			codec.findings().values().forEach((finding) -> this.remarks.add("Left out: " + finding.getMessage()));
			if (Arrays.stream(each.type().getMethods())
				.flatMap((method) -> Arrays.stream(method.getParameters()))
				.anyMatch((parameter) -> !parameter.isNamePresent())) {
				this.remarks.add(
						"%s is compiled without -parameters: fields of its requests are named arg0, arg1 ..., and the lock has no line for them"
							.formatted(each.type().getName()));
			}
		}
		packages.forEach((name, codecs) -> compare(codecs, inside(name, packages.keySet())));
	}

	/** Returns the services with those that their files have beside them. */
	private List<ServiceDescriptor> withOthers(List<ServiceDescriptor> services, Set<String> removed) {
		Map<String, ServiceDescriptor> all = new TreeMap<>();
		services.forEach((each) -> all.put(ProtobufCodec.name(each.type()), each));
		Set<String> packages = new TreeSet<>();
		all.keySet().forEach((each) -> packages.add(packageOf(each)));
		ClassLoader loader = services.get(0).type().getClassLoader();
		for (String each : packages) {
			String file = ProtobufCodec.fileName(each);
			ProtoSource earlier = earlier(file);
			for (String name : earlier.services()) {
				if (removed.contains(name) || all.containsKey(name)) {
					continue;
				}
				String type = earlier.interfaceOf(name);
				Class<?> found = ContractFiles.find(type, loader);
				if (found == null) {
					throw new RpcConfigurationException(
							"%s: service %s, but no interface %s (expected: one on the class path)".formatted(file,
									name, type),
							"Compile it, or give %s%s if the service is gone.".formatted(ContractFiles.REMOVE, name));
				}
				all.put(name, ServiceDescriptor.of(found));
			}
		}
		return List.copyOf(all.values());
	}

	private static String packageOf(String name) {
		return name.substring(0, Math.max(0, name.lastIndexOf('.')));
	}

	/** Adds the packages within a package that have a file already. */
	private Set<String> inside(String name, Collection<String> packages) {
		Set<String> all = new TreeSet<>(packages);
		Path folder = this.resources.resolve(name.replace('.', '/'));
		if (Files.isDirectory(folder)) {
			try (Stream<Path> files = Files.walk(folder)) {
				files.filter((each) -> each.endsWith(ProtobufCodec.fileName("")))
					.map((each) -> this.resources.relativize(each.getParent()).toString())
					.forEach((each) -> all.add(each.replaceAll("[/\\\\]", ".")));
			}
			catch (IOException ex) {
				throw new UncheckedIOException(ex);
			}
		}
		return all;
	}

	private ProtoSource earlier(String file) {
		String text = read(this.resources.resolve(file));
		return (text != null) ? ProtoSource.parse(file, text) : ProtoSource.NONE;
	}

	/** Compares the lock, and returns it together with those of other modules. */
	private NumberLock lock(Class<?> type, List<ServiceDescriptor> services) {
		Path module = ContractFiles.module(type);
		NumberLock others = NumberLock.load(type.getClassLoader(), (url) -> {
			Path file = ContractFiles.path(url);
			return file == null || module == null || !file.startsWith(module);
		});
		Path file = this.resources.resolve(NumberLock.RESOURCE);
		String text = read(file);
		NumberLock earlier = NumberLock.parse(file.toString(), (text != null) ? text : "");
		NumberLock lock = others.with(earlier);
		for (ServiceDescriptor each : services) {
			ProtobufCodec.of(each, this.types, others);
			String proto = ProtobufCodec.fileName(packageOf(ProtobufCodec.name(each.type())));
			lock = ProtobufCodec.requests(each, earlier(proto)).with(lock);
			lock = ProtobufCodec.lock(each, this.types, lock);
		}
		NumberLock own = lock.without(others);
		List<String> lines = own.changes(earlier);
		if (!lines.isEmpty()) {
			lines.forEach((each) -> {
				this.differences.add(NumberLock.RESOURCE + ": " + each);
				this.changes.add(NumberLock.RESOURCE + ": "
						+ each.replaceFirst("^add ", "added ").replaceFirst("^replace ", "replaced "));
			});
			this.outdated.put(file, own.text());
		}
		return lock;
	}

	private void compare(List<ProtobufCodec> codecs, Set<String> packages) {
		String name = codecs.get(0).fileName();
		ProtoSource source = earlier(name);
		ProtoFile proto = ProtobufCodec.file(codecs, packages, source)
			.withGoPackage((this.goPackage != null) ? this.goPackage : source.goPackage());
		Path file = this.resources.resolve(name);
		String text = read(file);
		List<String> earlier = (text != null) ? text.lines().toList() : List.of();
		List<String> now = proto.text().lines().toList();
		if (now.equals(earlier)) {
			return;
		}
		this.outdated.put(file, proto.text());
		this.differences
			.add((text != null) ? "%s: %s".formatted(name, new LineDiff(earlier, now)) : name + ": missing");
		for (String each : proto.changedTypes(String.join("\n", earlier))) {
			this.changedTypes.add(name + ": " + each);
			this.differences.add(name + ": " + each);
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

	/** Returns what has to be done, with the lines of files that differ. */
	List<String> differences() {
		return this.differences;
	}

	List<String> remarks() {
		return this.remarks;
	}

	/** Returns what {@link #write} has done. */
	List<String> changes() {
		return Stream.concat(this.changes.stream(), this.outdated.keySet().stream().map((each) -> "Written: " + each))
			.toList();
	}

	void write() {
		if (!this.changedTypes.isEmpty()) {
			throw new RpcConfigurationException(
					"%s (expected: the type of a number stays)".formatted(String.join("; ", this.changedTypes)),
					"Rename the field, so that it gets another number, or delete the file if no client has it.");
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
