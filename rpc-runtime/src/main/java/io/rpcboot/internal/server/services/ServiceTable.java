package io.rpcboot.internal.server.services;

import java.lang.reflect.Method;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.BiFunction;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.stream.Collectors;

import io.rpcboot.MethodDescriptor;
import io.rpcboot.MethodDescriptor.Style;
import io.rpcboot.RpcStatus;
import io.rpcboot.ServiceDescriptor;
import io.rpcboot.ServiceId;
import io.rpcboot.Side;
import io.rpcboot.interceptor.RpcServerInterceptor;
import io.rpcboot.internal.call.PassedCalls;
import io.rpcboot.internal.logging.RateLimitedLogger;
import io.rpcboot.internal.memory.MemoryBudget;
import io.rpcboot.internal.server.access.AccessDenial;
import io.rpcboot.internal.server.interceptor.ServerInterceptorChain;
import io.rpcboot.internal.server.scheduling.Bulkhead;
import io.rpcboot.internal.server.scheduling.CallScheduler;
import io.rpcboot.internal.server.scheduling.Invocation;
import io.rpcboot.internal.server.scheduling.MinServiceTime;
import io.rpcboot.internal.server.scheduling.ResponseSizeEstimator;
import io.rpcboot.internal.server.scheduling.ServerMethod;
import io.rpcboot.internal.server.scheduling.ServiceQueue;
import io.rpcboot.metrics.CallRecorder;
import io.rpcboot.metrics.RpcMetrics;
import io.rpcboot.serialization.MethodCodec;
import io.rpcboot.serialization.Serializer;
import io.rpcboot.serialization.ServiceCodec;
import io.rpcboot.serialization.contract.Contract;
import io.rpcboot.server.Dispatch;
import io.rpcboot.server.ServiceInfo;
import io.rpcboot.server.ServiceOptions;
import io.rpcboot.transport.LimitInfo;
import io.rpcboot.transport.Protocol;
import org.jspecify.annotations.Nullable;

/** Services of a server, each under one or more serializers. Immutable. */
public final class ServiceTable {

	private final Map<String, Offer> offers = new LinkedHashMap<>();

	private final ContractCache known;

	private final List<String> serializers;

	private final RpcMetrics metrics;

	private final RateLimitedLogger log;

	/** Interceptors of the server, the outermost first. */
	private final List<RpcServerInterceptor> interceptors;

	public ServiceTable(Map<ServiceDescriptor, ServiceRegistration> services, List<Serializer> serializers,
			Dispatch dispatch, Bulkhead share, RpcMetrics metrics, MemoryBudget account, RateLimitedLogger log,
			List<RpcServerInterceptor> interceptors) {
		this.known = new ContractCache(account);
		this.metrics = metrics;
		this.log = log;
		this.interceptors = interceptors;
		services.forEach((service, offering) -> this.offers.put(service.id().toString(),
				offer(service, offering,
						offering.options().serializers().isEmpty() ? serializers : offering.options().serializers(),
						dispatch, share)));
		List<String> names = this.offers.values()
			.stream()
			.flatMap((offer) -> offer.contracts().keySet().stream())
			.distinct()
			.toList();
		this.serializers = names.isEmpty() ? serializers.stream().map(Serializer::name).distinct().toList() : names;
	}

	private Offer offer(ServiceDescriptor service, ServiceRegistration offering, List<Serializer> serializers,
			Dispatch dispatch, Bulkhead share) {
		List<LongAdder> counts = service.methods().stream().map((method) -> new LongAdder()).toList();
		List<MinServiceTime> times = service.methods().stream().map((method) -> new MinServiceTime()).toList();
		ServiceOptions options = offering.options();
		ServicePolicy policy = offering.policy();
		policy.requireLimitsOnPool(service, dispatch);
		policy.requireNoWaitOnLoop(service, dispatch);
		policy.requireStreams(service);
		warnOfLocal(service, policy);
		Bulkhead own = share.limitedTo(options.maxThreads());
		ServiceQueue queue = new ServiceQueue(own, own != share);
		if (options.maxStreams() != null) {
			queue.limitStreams(options.maxStreams());
		}
		Map<String, ServiceQueue> methodQueues = new HashMap<>();
		options.methodMaxThreads().forEach((method, max) -> methodQueues.put(method, queue.ofMethod(max)));
		Function<Function<MethodDescriptor, MethodCodec>, List<Invocation>> methodsWith = (codecs) -> {
			ServerInterceptorChain chain = ServerInterceptorChain.of(this.interceptors,
					policy.interceptorsBeside(this.interceptors));
			List<Invocation> methods = new ArrayList<>();
			for (MethodDescriptor method : policy.methodsOf(service)) {
				ServerMethod offered = new ServerMethod(method, method.style() == Style.FUTURE,
						offering.implementation(), counts.get(method.number()), ResponseSizeEstimator.of(method),
						times.get(method.number()), policy.dispatchOf(method, dispatch),
						methodQueues.getOrDefault(method.name(), queue), chain);
				methods.add(Invocation.of(offered, codecs.apply(method),
						recorder(method, (offering.codec() != null) ? Protocol.GRPC : Protocol.NATIVE)));
			}
			return methods;
		};
		Map<String, ServiceContract> contracts = new LinkedHashMap<>();
		MethodCodec only = offering.codec();
		for (Serializer serializer : (only != null) ? List.<Serializer>of() : serializers) {
			ServiceCodec codec = serializer.codec(service);
			contracts.put(serializer.name(), new ServiceContract(service.id(), codec,
					methodsWith.apply((method) -> codec.method(method.number())), this.known, this.log));
		}
		List<Invocation> methods = (only != null) ? methodsWith.apply((method) -> only)
				: contracts.values().iterator().next().methods();
		List<Dispatch> dispatches = service.methods()
			.stream()
			.map((method) -> policy.dispatchOf(method, dispatch))
			.toList();
		return new Offer(service, policy, dispatches, queue, contracts, methods, offering.implementation(), counts,
				times);
	}

	private @Nullable CallRecorder recorder(MethodDescriptor method, Protocol protocol) {
		return this.metrics.isNone() ? null
				: this.metrics.calls(Side.SERVER, method, Protocol.format(Set.of(protocol)));
	}

	/** Changes the share of the threads that each service may use. */
	public void share(Bulkhead share) {
		this.offers.values().forEach((each) -> {
			Bulkhead own = share.limitedTo(each.policy().options().maxThreads());
			each.queue().limitTo(own.threads(), own != share);
		});
	}

	/** Sets the contract of the streams of a service, before the first client. */
	public void streams(ServiceId service, Contract ofStreams) {
		Offer offer = this.offers.get(service.toString());
		if (offer != null) {
			offer.contracts().values().forEach((each) -> each.streams(ofStreams));
		}
	}

	private void warnOfLocal(ServiceDescriptor service, ServicePolicy policy) {
		List<Method> overridden = policy.overriddenLocally(service);
		if (!overridden.isEmpty()) {
			Class<?> implementation = Objects.requireNonNull(policy.options().implementation());
			String methods = overridden.stream()
				.map((each) -> each.getName() + Arrays.stream(each.getParameterTypes())
					.map(Class::getSimpleName)
					.collect(Collectors.joining(", ", "(", ")")))
				.sorted()
				.collect(Collectors.joining(", "));
			this.log.warn("Default methods are not called", service.id(), () -> """
					%s overrides %s of %s, which every caller executes by the body in the interface; \
					to call the implementation, put @RpcMethod on the method of the interface\
					""".formatted(implementation.getName(), methods, service.type().getName()), null);
		}
	}

	/**
	 * Offered service. Lists are indexed by the number of the method.
	 *
	 * @param service the service
	 * @param policy its options
	 * @param dispatch dispatch of the methods
	 * @param queue queue of the service
	 * @param contracts contracts by name of the serializer; none if the service is
	 * offered over gRPC alone
	 * @param methods its methods, with the codec of the first serializer if there is one
	 * @param implementation supplies the object that runs a call
	 * @param counts answered calls of the methods
	 * @param times service times of the methods
	 */
	private record Offer(ServiceDescriptor service, ServicePolicy policy, List<Dispatch> dispatch, ServiceQueue queue,
			Map<String, ServiceContract> contracts, List<Invocation> methods, Supplier<?> implementation,
			List<LongAdder> counts, List<MinServiceTime> times) {

		ServiceInfo describe(@Nullable String grpcName) {
			Set<String> allow = this.policy.options().allow();
			return new ServiceInfo(this.service.id(),
					this.service.methods().stream().map(MethodDescriptor::signature).toList(),
					this.contracts.values().stream().findFirst().map((each) -> each.hash().toString()).orElse(""),
					List.copyOf(this.contracts.keySet()), this.policy.options().maxThreads(),
					this.policy.options().methodMaxThreads(), this.policy.options().maxStreams(),
					this.queue.openStreams(), this.dispatch,
					this.policy.methodsOf(this.service).stream().map(MethodDescriptor::isIdempotent).toList(),
					this.policy.options().interceptors().stream().map((each) -> each.getClass().getName()).toList(),
					this.counts.stream().mapToLong(LongAdder::sum).sum(), grpcName,
					(allow != null) ? allow.stream().sorted().toList() : null);
		}

	}

	/**
	 * Offered service, for gRPC.
	 *
	 * @param service the service
	 * @param methods its methods by number, each with the codec of the first serializer
	 * @param codecs its codecs under all serializers
	 * @param implementation supplies the object that runs a call
	 * @param recorders returns the metrics of a method over a protocol; null without
	 * metrics
	 */
	public record OfferedService(ServiceDescriptor service, List<Invocation> methods, List<ServiceCodec> codecs,
			Supplier<?> implementation, BiFunction<MethodDescriptor, Protocol, @Nullable CallRecorder> recorders) {
	}

	/** Describes the limits of the threads of all services and methods on the pool. */
	public List<LimitInfo> limits(CallScheduler scheduler) {
		Map<ServiceQueue, String> names = new LinkedHashMap<>();
		for (Offer offer : this.offers.values()) {
			String service = offer.service().id().toString();
			offer.methods().stream().filter((each) -> each.method.dispatch == Dispatch.POOL).forEach((each) -> {
				ServiceQueue queue = each.method.queue;
				names.putIfAbsent(queue, (queue == offer.queue()) ? service : service + "." + each.descriptor().name());
			});
		}
		return names.entrySet().stream().map((each) -> scheduler.describe(each.getValue(), each.getKey())).toList();
	}

	/** Returns all services, in the order in which they were added. */
	public List<OfferedService> offered() {
		return this.offers.values()
			.stream()
			.map((each) -> new OfferedService(each.service(),
					each.methods()
						.stream()
						.map((method) -> method.recordedBy(recorder(method.descriptor(), Protocol.GRPC)))
						.toList(),
					each.contracts().values().stream().map(ServiceContract::codec).toList(), each.implementation(),
					this::recorder))
			.toList();
	}

	/** Returns the services whose methods are known: a relay passes others on. */
	public List<OfferedService> callable() {
		return offered().stream().filter((each) -> !PassedCalls.isPassed(each.service())).toList();
	}

	/** Returns a service for a serializer, null if they are not offered. */
	public @Nullable ServiceContract find(String service, String serializer) {
		Offer offer = this.offers.get(service);
		return (offer != null) ? offer.contracts().get(serializer) : null;
	}

	/** Returns the reason why {@link #find} has returned null. */
	public AccessDenial whyNot(String service, String serializer) {
		Offer offer = this.offers.get(service);
		if (offer != null && offer.contracts().isEmpty()) {
			return new AccessDenial(RpcStatus.NOT_FOUND,
					"service %s is offered over gRPC alone; call it by a stub of grpc-java".formatted(service));
		}
		if (offer != null) {
			return new AccessDenial(RpcStatus.FAILED_PRECONDITION,
					("service %s: serializer '%s' is not accepted here (expected: %s);"
							+ " add it to rpc.server.serializers or to those of the service, or set rpc.client.serializer to one of these")
						.formatted(service, serializer, quoted(offer.contracts().keySet())));
		}
		String offered = this.offers.isEmpty() ? "none" : String.join(", ", this.offers.keySet());
		return new AccessDenial(RpcStatus.NOT_FOUND,
				"service %s is not offered here (offered: %s)".formatted(service, offered));
	}

	/** Returns names in quotes, separated by commas. */
	public static String quoted(Iterable<String> names) {
		List<String> quoted = new ArrayList<>();
		names.forEach((name) -> quoted.add("'" + name + "'"));
		return String.join(", ", quoted);
	}

	/** Returns the names of all serializers under which services are offered. */
	public List<String> serializers() {
		return this.serializers;
	}

	/** Returns the memory of the contracts in use that a connection introduced. */
	public long usedBytes(ContractCache.User user) {
		return this.known.usedBytes(user);
	}

	/** Returns the service times of all methods. */
	public List<MinServiceTime> times() {
		return this.offers.values().stream().flatMap((offer) -> offer.times().stream()).toList();
	}

	public Set<ServiceId> ids() {
		return this.offers.values().stream().map((offer) -> offer.service().id()).collect(Collectors.toSet());
	}

	/**
	 * Returns snapshots of the services.
	 * @param grpcNames full names of those that are offered over gRPC
	 */
	public List<ServiceInfo> describe(Map<ServiceId, String> grpcNames) {
		return this.offers.values().stream().map((each) -> each.describe(grpcNames.get(each.service().id()))).toList();
	}

}
