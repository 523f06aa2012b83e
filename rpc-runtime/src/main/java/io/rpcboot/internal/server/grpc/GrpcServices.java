package io.rpcboot.internal.server.grpc;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Collectors;

import io.rpcboot.MethodDescriptor;
import io.rpcboot.RpcConfigurationException;
import io.rpcboot.ServiceDescriptor;
import io.rpcboot.ServiceId;
import io.rpcboot.internal.logging.RateLimitedLogger;
import io.rpcboot.internal.serialization.protobuf.ProtobufCodec;
import io.rpcboot.internal.serialization.protobuf.schema.NumberLock;
import io.rpcboot.internal.serialization.protobuf.schema.ProtoFile;
import io.rpcboot.internal.serialization.protobuf.schema.ProtoSource;
import io.rpcboot.internal.server.openapi.ApiService;
import io.rpcboot.internal.server.services.ServiceTable.OfferedService;
import io.rpcboot.serialization.ServiceCodec;
import io.rpcboot.serialization.TypeOptions;
import io.rpcboot.serialization.UnsupportedTypeException;
import io.rpcboot.server.GrpcOptions;
import io.rpcboot.transport.Options.InvalidOptionException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Interfaces that a server offers over gRPC. Methods that protobuf cannot carry are left
 * out, with one warning for each interface. Thread-safe.
 * <p>
 * Types are checked at start-up. Codecs are compiled at start-up, too, if there is a lock
 * of numbers to compare them with; else by the first call, because a server whose clients
 * speak the native protocol never needs them.
 */
public final class GrpcServices {

	/** Maximum of lines of the lock in a message. */
	private static final int MAX_LINES = 100;

	private static final Logger logger = LoggerFactory.getLogger("rpc.server");

	private final TypeOptions types;

	private final boolean compresses;

	private final RateLimitedLogger log;

	private final Map<ClassLoader, NumberLock> locks = new HashMap<>();

	private final List<GrpcService> all = new ArrayList<>();

	private final Set<String> uncarried = new LinkedHashSet<>();

	/** Lines that the locks lack, of the codecs that are compiled at start-up. */
	private final Set<String> unlocked = new TreeSet<>();

	/**
	 * Creates the services.
	 * @param offered services of the server
	 * @param log receives the warnings
	 * @throws RpcConfigurationException if two interfaces have one name, or a type
	 * differs from the lock, or lacks a line in it that is required
	 */
	public GrpcServices(List<OfferedService> offered, GrpcOptions options, RateLimitedLogger log) {
		this.types = options.types();
		this.compresses = options.compression() == GrpcOptions.Compression.GZIP;
		this.log = log;
		boolean lockRequired = options.lock() == GrpcOptions.Lock.REQUIRED;
		byName(offered).forEach((name, services) -> {
			try {
				add(name, services, lockRequired);
			}
			catch (UnsupportedTypeException ex) {
				this.uncarried.add(name);
				warn(name, "all methods", List.of(ex));
			}
		});
		requireLocked(lockRequired);
	}

	private static Map<String, List<OfferedService>> byName(List<OfferedService> offered) {
		Map<String, List<OfferedService>> byName = new LinkedHashMap<>();
		for (OfferedService each : offered) {
			Class<?> type = each.service().type();
			List<OfferedService> same = byName.computeIfAbsent(ProtobufCodec.name(type), (first) -> new ArrayList<>());
			same.add(each);
			Class<?> first = same.get(0).service().type();
			if (first != type) {
				throw InvalidOptionException.unusable("protocols",
						"interfaces %s and %s are both named %s in gRPC (expected: one interface for a name)"
							.formatted(first.getName(), type.getName(), ProtobufCodec.name(type)),
						"Set protocols to native, or rename one of the two.", null);
			}
		}
		return byName;
	}

	private void add(String name, List<OfferedService> offered, boolean lockRequired) {
		ServiceDescriptor service = offered.get(0).service();
		NumberLock lock = this.locks.computeIfAbsent(loader(service.type()), NumberLock::load);
		List<ServiceCodec> known = offered.get(0).codecs();
		Map<Integer, UnsupportedTypeException> findings = new TreeMap<>(
				ProtobufCodec.findings(service, known, this.types));
		findings.forEach((number, finding) -> {
			if (service.methods().get(number).isStreaming()) {
				throw new RpcConfigurationException(
						"%s (the method has a stream, which gRPC alone carries)".formatted(finding.getMessage()),
						finding.action());
			}
		});
		GrpcService added = new GrpcService(offered, findings,
				() -> ProtobufCodec.of(service, known, this.types, lock));
		if (lockRequired || !lock.isEmpty()) {
			this.unlocked.addAll(added.codec().unlocked());
		}
		this.all.add(added);
		if (!findings.isEmpty()) {
			List<MethodDescriptor> methods = service.methods();
			findings.keySet()
				.forEach((each) -> this.uncarried.add("/" + name + "/" + ProtobufCodec.methodName(methods.get(each))));
			warn(name, "%d of %d methods".formatted(findings.size(), methods.size()), findings.values());
		}
	}

	private void requireLocked(boolean required) {
		if (this.unlocked.isEmpty()) {
			return;
		}
		String problem = "%s has no line for %d types of gRPC".formatted(NumberLock.RESOURCE, this.unlocked.size());
		String lines = this.unlocked.stream().limit(MAX_LINES).collect(Collectors.joining("\n"))
				+ ((this.unlocked.size() > MAX_LINES) ? "\nand %d more".formatted(this.unlocked.size() - MAX_LINES)
						: "");
		if (required) {
			throw InvalidOptionException.unusable("grpc.lock", "required, and " + problem,
					"Set grpc.lock to optional, or add these lines to the file in the module of the types, as ContractFiles does:\n"
							+ lines,
					null);
		}
		logger.info(
				"{}; their numbers are in the declared order, so that a field which is moved breaks clients. Missing:\n{}",
				problem, lines);
	}

	private static ClassLoader loader(Class<?> type) {
		ClassLoader loader = type.getClassLoader();
		return (loader != null) ? loader : ClassLoader.getSystemClassLoader();
	}

	private void warn(String name, String what, Iterable<UnsupportedTypeException> findings) {
		this.log.warn("Methods are not offered over gRPC", name, () -> {
			List<String> reasons = new ArrayList<>();
			findings.forEach((each) -> reasons.add(each.getMessage() + ". " + each.action()));
			return "%s of %s: %s".formatted(what, name, String.join(" ", reasons));
		}, null);
	}

	/** Returns true if responses may be compressed. */
	boolean compresses() {
		return this.compresses;
	}

	List<GrpcService> all() {
		return this.all;
	}

	/** Returns the services as a document has them. */
	List<ApiService> described() {
		return this.all.stream().map(GrpcService::described).toList();
	}

	/** Returns the names of interfaces and the paths of methods that are left out. */
	Set<String> uncarried() {
		return this.uncarried;
	}

	/** Returns the services by the full names of their interfaces, in their order. */
	public Map<String, List<ServiceId>> ids() {
		Map<String, List<ServiceId>> ids = new LinkedHashMap<>();
		this.all.forEach((each) -> ids.put(each.name(),
				each.offered().stream().map((offered) -> offered.service().id()).toList()));
		return ids;
	}

	/**
	 * Returns the files that declare all services, one for each package. Compiles codecs,
	 * which may take some milliseconds for each service: not on an event loop. A package
	 * with a message that has no descriptor is left out with a warning.
	 */
	public List<ProtoFile> files() {
		Map<String, List<ProtobufCodec>> packages = this.all.stream()
			.map(GrpcService::codec)
			.collect(Collectors.groupingBy(ProtobufCodec::packageName, TreeMap::new, Collectors.toList()));
		List<ProtoFile> files = new ArrayList<>();
		packages.forEach((name, codecs) -> {
			try {
				files.add(ProtobufCodec.file(codecs, packages.keySet(), earlier(codecs.get(0))));
			}
			catch (RpcConfigurationException ex) {
				this.log.warn("No .proto file of a package", name, () -> ex.getMessage() + ". " + ex.action(), null);
			}
		});
		return files;
	}

	/**
	 * Returns the file that the module of an interface has as a resource, whose names
	 * stay.
	 */
	private static ProtoSource earlier(ProtobufCodec codec) {
		String name = codec.fileName();
		try (InputStream in = loader(codec.type()).getResourceAsStream(name)) {
			return (in != null) ? ProtoSource.parse(name, new String(in.readAllBytes(), StandardCharsets.UTF_8))
					: ProtoSource.NONE;
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

	/** Returns the texts of {@link #files()} by their names. */
	public SortedMap<String, String> texts() {
		return files().stream()
			.collect(Collectors.toMap(ProtoFile::name, ProtoFile::text, (one, other) -> one, TreeMap::new));
	}

}
