package io.rpcboot.internal.server.grpc;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.NoSuchElementException;
import java.util.SortedMap;
import java.util.concurrent.Executor;
import java.util.stream.Stream;

import io.rpcboot.MethodDescriptor;
import io.rpcboot.ServiceId;
import io.rpcboot.Side;
import io.rpcboot.internal.logging.RateLimitedLogger;
import io.rpcboot.internal.memory.MemoryBudget;
import io.rpcboot.internal.protocol.grpc.GzipMessages;
import io.rpcboot.internal.serialization.protobuf.ProtobufCodec;
import io.rpcboot.internal.serialization.protobuf.ProtoContract;
import io.rpcboot.internal.server.builtin.HealthService;
import io.rpcboot.internal.server.builtin.ReflectionService;
import io.rpcboot.internal.server.builtin.StreamHandler;
import io.rpcboot.internal.server.openapi.ApiService;
import io.rpcboot.internal.server.openapi.OpenApiDocument;
import io.rpcboot.internal.server.scheduling.Invocation;
import io.rpcboot.internal.server.services.ServiceTable.OfferedService;
import io.rpcboot.serialization.ProtoDescriptor;
import io.rpcboot.server.GrpcOptions;
import io.rpcboot.server.HttpOptions;
import io.rpcboot.serialization.contract.Contract;
import org.jspecify.annotations.Nullable;

/**
 * gRPC at a server: the services, with health and reflection unless they are turned off.
 * Thread-safe.
 */
public final class GrpcServer {

	private final List<OfferedService> offered;

	private final GrpcServices services;

	/** Services that no interface declares. */
	private final List<HostedService> hosted;

	private final GrpcMethods methods;

	/** Full names of the services. */
	private final Map<ServiceId, String> names = new HashMap<>();

	/** Null if it is turned off. */
	private final @Nullable HealthService health;

	/**
	 * Creates the services.
	 * @param offered services of the server
	 * @param http has the rules of JSON
	 * @param limit {@code max-frame-size}
	 * @param budget memory of the server
	 * @param executor notifies clients of changes, and makes the files of reflection
	 * @param log receives warnings
	 * @throws io.rpcboot.RpcConfigurationException if a name or a number is not unique,
	 * or the lock of numbers refuses a type
	 */
	public GrpcServer(List<OfferedService> offered, GrpcOptions options, HttpOptions http, int limit,
			MemoryBudget budget, Executor executor, RateLimitedLogger log) {
		this.offered = offered;
		List<OfferedService> own = offered.stream().filter((each) -> !HostedService.isHosted(each)).toList();
		this.services = new GrpcServices(own, options, log);
		warnOfNames(own, log);
		this.hosted = HostedService.among(offered);
		Map<String, List<ServiceId>> ids = this.services.ids();
		this.hosted.forEach((each) -> ids.put(each.name(), List.of(new ServiceId(each.name(), "", ""))));
		ids.forEach((name, same) -> same.forEach((each) -> this.names.put(each, name)));
		List<String> reflected = new ArrayList<>(ids.keySet());
		this.health = options.health() ? new HealthService(ids, executor) : null;
		Map<String, StreamHandler> handlers = new HashMap<>();
		if (this.health != null) {
			handlers.putAll(this.health.handlers());
			reflected.add(HealthService.NAME);
		}
		if (options.reflection()) {
			handlers.putAll(new ReflectionService(reflected, this::reflected, executor).handlers());
		}
		this.methods = new GrpcMethods(this.services, this.hosted, handlers,
				new GzipMessages(Side.SERVER, limit, budget),
				new JsonMessages(this::reflected, http.unknownFields() == HttpOptions.UnknownFields.IGNORE, limit));
	}

	/**
	 * Returns the contracts of the methods with streams, by the services that have any.
	 */
	public Map<ServiceId, Contract> streamContracts() {
		Map<ServiceId, Contract> contracts = new HashMap<>();
		for (GrpcService each : this.services.all()) {
			if (each.methods().stream().anyMatch(MethodDescriptor::isStreaming)) {
				Contract streams = ProtoContract.streamsOf(each.codec().contract());
				if (!streams.methods().isEmpty()) {
					each.offered().forEach((offered) -> contracts.put(offered.service().id(), streams));
				}
			}
		}
		return contracts;
	}

	/** Warns of services whose messages have the names arg0, arg1 and so on. */
	private static void warnOfNames(List<OfferedService> services, RateLimitedLogger log) {
		List<String> nameless = services.stream()
			.map(OfferedService::service)
			.filter((service) -> service.methods()
				.stream()
				.flatMap((method) -> Stream.of(method.method().getParameters()))
				.anyMatch((parameter) -> !parameter.isNamePresent()))
			.map((service) -> service.id().toString())
			.toList();
		if (!nameless.isEmpty()) {
			log.warn("Names of parameters",
					"are missing in %s: their messages of gRPC have fields arg0, arg1 (expected: interfaces that are compiled with -parameters)"
						.formatted(String.join(", ", nameless)));
		}
	}

	/** Returns the files that declare all services. */
	private List<ProtoDescriptor> reflected() {
		List<ProtoDescriptor> files = new ArrayList<>();
		this.services.files().forEach((each) -> files.add(each.descriptor()));
		this.hosted.forEach((each) -> files.addAll(each.definition().files().get()));
		return files;
	}

	/**
	 * Returns the OpenAPI document of the services, as JSON.
	 * @param title name of the application
	 * @throws IllegalArgumentException if a file of a service names a type that no file
	 * has
	 */
	public String openApi(String title) {
		List<ApiService> described = new ArrayList<>(this.services.described());
		List<ProtoDescriptor> files = new ArrayList<>();
		for (HostedService each : this.hosted) {
			described.add(each.described());
			files.addAll(each.definition().files().get());
		}
		return OpenApiDocument.of(title, described, this.services.files(), files);
	}

	/** Returns the full names of the services. */
	public Map<ServiceId, String> names() {
		return this.names;
	}

	public GrpcMethods methods() {
		return this.methods;
	}

	/**
	 * Returns the path of a method with one request and one response.
	 * @param method its signature, its name in Java, or its name in a path
	 * @throws NoSuchElementException if it is not offered; the message has the nearest
	 * @throws IllegalArgumentException if it takes or returns a stream, or belongs to the
	 * server itself
	 */
	public String path(ServiceId service, String method) {
		String name = this.offered.stream()
			.filter((each) -> each.service().id().equals(service))
			.flatMap((each) -> each.service().methods().stream())
			.filter((each) -> each.signature().equals(method) || each.name().equals(method))
			.map(GrpcServer::name)
			.findFirst()
			.orElse(method);
		String path = "/%s/%s".formatted(this.names.getOrDefault(service, service.name()), name);
		GrpcMethod found = this.methods.find(path);
		if (found == null) {
			throw new NoSuchElementException(this.methods.whyNot(path));
		}
		if (found.handler != null) {
			throw new IllegalArgumentException(
					path + " belongs to the server itself (expected: a method of one of its services)");
		}
		String version = service.version().isEmpty() ? null : service.version();
		String group = service.group().isEmpty() ? null : service.group();
		Invocation called = found.of(version, group);
		if (called == null) {
			throw new NoSuchElementException(found.whyNot(version, group));
		}
		if (called.method.isStreaming) {
			throw new IllegalArgumentException(
					path + " takes or returns a stream (expected: a method with one request and one response)");
		}
		return path;
	}

	private static String name(MethodDescriptor method) {
		return HostedService.isCall(method) ? method.name() : ProtobufCodec.methodName(method);
	}

	/**
	 * Returns an object of JSON with a value for each field of the request of a method.
	 * @param path as of {@link #path}
	 * @return empty braces if the fields are not known
	 */
	public String exampleOf(String path) {
		return this.methods.exampleOf(path);
	}

	/** Returns the texts of the files that declare the services, by their names. */
	public SortedMap<String, String> files() {
		return this.services.texts();
	}

	/** Returns the health; null if it is turned off. */
	public @Nullable HealthService health() {
		return this.health;
	}

	/** Sets whether the server is ready for calls. Never blocks. */
	public void ready(boolean ready) {
		if (this.health != null) {
			this.health.ready(ready);
		}
	}

	/** Reports a failure that only a restart repairs. Never blocks. */
	public void fail() {
		if (this.health != null) {
			this.health.fail();
		}
	}

	/** Ends the calls that watch the health: the server shuts down. Never blocks. */
	public void close() {
		if (this.health != null) {
			this.health.close();
		}
	}

}
