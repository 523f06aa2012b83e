package io.rpcboot.internal.server.grpc;

import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Supplier;
import java.util.stream.Collectors;

import io.rpcboot.MethodDescriptor;
import io.rpcboot.internal.protocol.connect.ContentType;
import io.rpcboot.internal.protocol.grpc.ContractField;
import io.rpcboot.internal.protocol.grpc.GzipMessages;
import io.rpcboot.internal.serialization.protobuf.ProtobufCodec;
import io.rpcboot.internal.serialization.protobuf.schema.ProtoNames;
import io.rpcboot.internal.server.builtin.ContractHandler;
import io.rpcboot.internal.server.builtin.HealthService;
import io.rpcboot.internal.server.builtin.StreamHandler;
import io.rpcboot.internal.server.scheduling.Invocation;
import io.rpcboot.internal.server.services.ServiceTable.OfferedService;
import io.rpcboot.internal.text.NearestName;
import io.rpcboot.internal.text.PrintableText;
import io.rpcboot.serialization.MethodCodec;
import io.rpcboot.transport.Options.InvalidOptionException;
import org.jspecify.annotations.Nullable;

/**
 * Methods that a server offers over gRPC, by path: {@code /package.Service/Method}.
 * Remembers nothing of the paths that strangers ask for. Immutable.
 */
public final class GrpcMethods {

	/** Longest text of a client that a message repeats. */
	private static final int MAX_QUOTED = 100;

	/** Maximum of names in a message. */
	private static final int MAX_NAMES = 5;

	private final Map<String, GrpcMethod> methods = new HashMap<>();

	/** Other formats of methods, by those of gRPC. */
	private final Map<Invocation, MessageFormats> formats = new IdentityHashMap<>();

	private final GzipMessages gzip;

	private final boolean compresses;

	private final JsonMessages json;

	/** Messages of the server itself, which no file of a service can spoil. */
	private final JsonMessages own = new JsonMessages(() -> List.of(HealthService.file()), false, Integer.MAX_VALUE);

	/** Names of methods, by the name of their service. */
	private final Map<String, Set<String>> names = new TreeMap<>();

	/** Services and paths of methods that protobuf cannot carry. */
	private final Set<String> uncarried;

	/**
	 * Creates the table.
	 * @param hosted services that no interface declares
	 * @param handlers methods that the server itself offers, by path
	 * @param json messages in JSON
	 * @throws InvalidOptionException if two services have one name
	 */
	public GrpcMethods(GrpcServices services, List<HostedService> hosted, Map<String, StreamHandler> handlers,
			GzipMessages gzip, JsonMessages json) {
		this.gzip = gzip;
		this.json = json;
		this.compresses = services.compresses();
		this.uncarried = services.uncarried();
		services.all().forEach(this::add);
		hosted.forEach(this::add);
		handlers.keySet().forEach(this::requireFree);
		handlers.forEach((path, handler) -> add(path, GrpcMethod.of(handler)));
	}

	private void add(GrpcService service) {
		String prefix = "/" + service.name() + "/";
		this.names.put(service.name(), new TreeSet<>());
		PublishedContract contract = new PublishedContract(() -> service.codec().contract());
		List<MethodDescriptor> callable = service.offered()
			.stream()
			.flatMap((each) -> each.service().methods().stream())
			.toList();
		this.methods.put(ContractField.path(service.name()),
				GrpcMethod.of(new ContractHandler(contract::response, callable)));
		Map<String, GrpcMethod> spelledAsInJava = new HashMap<>();
		for (MethodDescriptor each : service.methods()) {
			String name = ProtobufCodec.methodName(each);
			GrpcMethod method = method(service, each.number(), name, contract);
			add(prefix + name, method);
			if (name.equals(ProtoNames.pascal(each.name()))) {
				spelledAsInJava.put(prefix + each.name(), method);
			}
		}
		spelledAsInJava.forEach(this.methods::putIfAbsent);
	}

	private GrpcMethod method(GrpcService service, int number, String name, PublishedContract contract) {
		Supplier<MethodCodec> compiler = () -> service.codec().method(number);
		MethodCodec codec = new GrpcMethodCodec(compiler, null, this.compresses);
		List<GrpcMethod.Offer> offers = new ArrayList<>();
		for (OfferedService each : service.offered()) {
			Invocation plain = each.methods().get(number).with(codec);
			addFormats(each, plain, compiler, service.name(), name);
			offers.add(new GrpcMethod.Offer(each.service().id(), plain));
		}
		return GrpcMethod.ofServices(offers, contract);
	}

	private void addFormats(OfferedService offered, Invocation plain, Supplier<MethodCodec> compiler, String service,
			String method) {
		this.formats.put(plain, new MessageFormats(plain, compiler, this.json.of(service, method), this.gzip,
				this.compresses, (protocol) -> offered.recorders().apply(plain.descriptor(), protocol)));
	}

	private void add(HostedService service) {
		String prefix = "/" + service.name() + "/";
		requireFree(prefix);
		this.names.put(service.name(), new TreeSet<>());
		for (Invocation each : service.offered().methods()) {
			Invocation plain = each.with(new GrpcMethodCodec(() -> each.codec, null, this.compresses));
			addFormats(service.offered(), plain, () -> each.codec, service.name(), each.descriptor().name());
			add(prefix + each.descriptor().name(), GrpcMethod
				.ofServices(List.of(new GrpcMethod.Offer(each.descriptor().service(), plain)), PublishedContract.ANY));
		}
	}

	private void add(String path, GrpcMethod method) {
		this.methods.put(path, method);
		this.names.computeIfAbsent(service(path), (first) -> new TreeSet<>())
			.add(path.substring(path.lastIndexOf('/') + 1));
	}

	private void requireFree(String path) {
		if (this.names.containsKey(service(path))) {
			throw InvalidOptionException.unusable("protocols",
					"two services are named %s in gRPC, where grpc.health and grpc.reflection are services, too"
						.formatted(service(path)),
					"Set protocols to native, or grpc.health and grpc.reflection to false, or rename one of the two.",
					null);
		}
	}

	private static String service(String path) {
		return path.substring(1, path.lastIndexOf('/'));
	}

	/**
	 * Returns the full names of all services, with those of the server itself, sorted.
	 */
	public List<String> services() {
		return List.copyOf(this.names.keySet());
	}

	/** Returns the method of a path, null if there is none. */
	public @Nullable GrpcMethod find(String path) {
		return this.methods.get(path);
	}

	/**
	 * Returns the method for a request that is compressed with gzip.
	 * @param method a method of this table
	 */
	public Invocation compressed(Invocation method) {
		return formats(method).compressed();
	}

	/**
	 * Returns the method for a request of Connect or gRPC-Web.
	 * @param method a method of this table
	 * @param isCompressed true if the request is compressed with gzip
	 */
	public Invocation of(Invocation method, ContentType type, boolean isCompressed) {
		return formats(method).of(type, isCompressed);
	}

	/**
	 * Returns the codec for messages of a method that the server itself offers. Its
	 * argument and its result are the messages in protobuf.
	 * @param path path of the method
	 */
	public MethodCodec codec(String path, ContentType type) {
		return type.isJson()
				? this.own.of(service(path), path.substring(path.lastIndexOf('/') + 1)).codec(BytesCodec.INSTANCE)
				: BytesCodec.INSTANCE;
	}

	/**
	 * Returns true if a method is declared to have no side effects.
	 * @param method a method of this table
	 */
	public boolean isSafe(Invocation method) {
		return formats(method).isSafe();
	}

	private MessageFormats formats(Invocation method) {
		return Objects.requireNonNull(this.formats.get(method));
	}

	/** Returns the request of a method in JSON, with a value for each field. */
	String exampleOf(String path) {
		return this.json.of(service(path), path.substring(path.lastIndexOf('/') + 1)).example();
	}

	/** Returns the reason why {@link #find} has returned null. */
	public String whyNot(String path) {
		if (path.lastIndexOf('/') < 2 || path.charAt(0) != '/') {
			return "path %s (expected: /package.Service/Method)".formatted(quoted(path));
		}
		String service = service(path);
		String method = path.substring(path.lastIndexOf('/') + 1);
		if (this.uncarried.contains(service) || this.uncarried.contains(path)) {
			return "%s is not offered over gRPC, because protobuf cannot carry it; the log of the server has the reason"
				.formatted(quoted(path));
		}
		Set<String> known = this.names.get(service);
		if (known != null) {
			return "service %s has no method %s %s".formatted(PrintableText.of(service, MAX_QUOTED), quoted(method),
					instead(NearestName.of(method, known), known));
		}
		return "service %s is not offered here %s".formatted(quoted(service),
				instead(nearestService(service), this.names.keySet()));
	}

	/** Returns the service that is nearest, or has the same name in another package. */
	private @Nullable String nearestService(String service) {
		String nearest = NearestName.of(service, this.names.keySet());
		String simple = service.substring(service.lastIndexOf('.') + 1);
		return (nearest != null) ? nearest
				: this.names.keySet()
					.stream()
					.filter((each) -> each.substring(each.lastIndexOf('.') + 1).equalsIgnoreCase(simple))
					.findFirst()
					.orElse(null);
	}

	private static String instead(@Nullable String nearest, Collection<String> all) {
		if (nearest != null) {
			return "(nearest: %s)".formatted(nearest);
		}
		String some = all.stream().limit(MAX_NAMES).collect(Collectors.joining(", "));
		return "(offered: %s)".formatted((all.size() > MAX_NAMES) ? some + " and " + (all.size() - MAX_NAMES) + " more"
				: all.isEmpty() ? "none" : some);
	}

	private static String quoted(String text) {
		return "'" + PrintableText.of(text, MAX_QUOTED) + "'";
	}

}
