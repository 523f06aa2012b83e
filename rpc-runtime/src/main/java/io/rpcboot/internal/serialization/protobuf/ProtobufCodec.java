package io.rpcboot.internal.serialization.protobuf;

import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;

import io.rpcboot.MethodDescriptor;
import io.rpcboot.RpcConfigurationException;
import io.rpcboot.RpcContract;
import io.rpcboot.RpcMethod;
import io.rpcboot.ServiceDescriptor;
import io.rpcboot.internal.serialization.protobuf.schema.Declarations;
import io.rpcboot.internal.serialization.protobuf.schema.NumberLock;
import io.rpcboot.internal.serialization.protobuf.schema.Numbering;
import io.rpcboot.internal.serialization.protobuf.schema.ProtoFile;
import io.rpcboot.internal.serialization.protobuf.schema.ProtoNames;
import io.rpcboot.internal.serialization.protobuf.schema.ProtoSource;
import io.rpcboot.internal.serialization.types.GraphCodec;
import io.rpcboot.internal.serialization.types.walk.ServiceGraph;
import io.rpcboot.internal.serialization.types.walk.TypeRules;
import io.rpcboot.serialization.MethodCodec;
import io.rpcboot.serialization.ServiceCodec;
import io.rpcboot.serialization.TypeOptions;
import io.rpcboot.serialization.UnsupportedTypeException;
import io.rpcboot.serialization.contract.Contract;
import io.rpcboot.serialization.contract.ContractType;
import org.jspecify.annotations.Nullable;

/**
 * Codec of a service in protobuf, with its names. Thread-safe.
 *
 * <pre class="code">
 * ProtobufCodec codec = ProtobufCodec.of(service, types, NumberLock.load(loader));
 * codec.findings().forEach((method, reason) -&gt; warn(reason));
 * String path = "/" + codec.name() + "/" + codec.methodName(number);
 * </pre>
 */
public final class ProtobufCodec implements ServiceCodec {

	private final ServiceDescriptor service;

	/** Types of the graph. */
	private final Iterable<ContractType> types;

	private final ProtoNames names;

	private final Map<Integer, UnsupportedTypeException> findings;

	private final Numbering numbering;

	/** Codecs by number; null for a method that protobuf cannot carry. */
	private final List<@Nullable CarriedMethod> methods = new ArrayList<>();

	/** Null until it is asked for. */
	private volatile @Nullable Contract contract;

	private ProtobufCodec(ServiceDescriptor service, ServiceGraph graph, Numbering numbering) {
		this.service = service;
		this.types = graph.contract().types();
		this.names = new ProtoNames(List.of(name()), stream(this.types), List.of());
		this.findings = UncarriedMethods.of(service, graph.methods());
		this.numbering = numbering;
		ProtobufFormat format = new ProtobufFormat(numbering, this.names, requests(service));
		for (int i = 0; i < graph.methods().size(); i++) {
			this.methods.add(carries(i) ? (CarriedMethod) format.compile(graph.methods().get(i)) : null);
		}
	}

	/**
	 * Creates the codec of a service.
	 * @param types additional types
	 * @param lock numbers that are fixed
	 * @throws UnsupportedTypeException if no protocol can send a type
	 * @throws io.rpcboot.RpcConfigurationException if a type differs from the lock, and
	 * the action has the line to add; or if a value cannot be a message itself
	 */
	public static ProtobufCodec of(ServiceDescriptor service, TypeOptions types, NumberLock lock) {
		return of(service, List.of(), types, lock);
	}

	/**
	 * Creates the codec of a service from the types that a codec in another format knows,
	 * without another walk.
	 * @param known codecs of the same service
	 * @param types additional types, if none of the codecs is a built-in one
	 * @param lock numbers that are fixed
	 * @throws UnsupportedTypeException if no protocol can send a type
	 * @throws io.rpcboot.RpcConfigurationException if a type differs from the lock, and
	 * the action has the line to add; or if a value cannot be a message itself
	 */
	public static ProtobufCodec of(ServiceDescriptor service, List<ServiceCodec> known, TypeOptions types,
			NumberLock lock) {
		return new ProtobufCodec(service, graph(service, known, types), new Numbering(lock, false));
	}

	private static ServiceGraph graph(ServiceDescriptor service, List<ServiceCodec> known, TypeOptions types) {
		return known.stream()
			.filter(GraphCodec.class::isInstance)
			.findFirst()
			.map((each) -> ((GraphCodec) each).graph())
			.orElseGet(() -> ServiceGraph.of(service, ProtoContract.FORMAT, TypeRules.check(types)));
	}

	/**
	 * Returns the reasons why protobuf cannot carry methods, by their numbers. Cheaper
	 * than a codec, because nothing is compiled.
	 * @param known codecs of the same service
	 * @param types additional types, if none of the codecs is a built-in one
	 * @throws UnsupportedTypeException if no protocol can send a type
	 * @throws io.rpcboot.RpcConfigurationException if a value cannot be a message itself
	 */
	public static Map<Integer, UnsupportedTypeException> findings(ServiceDescriptor service, List<ServiceCodec> known,
			TypeOptions types) {
		return UncarriedMethods.of(service, graph(service, known, types).methods());
	}

	/**
	 * Returns the lock with the numbers of a service: those that it has, the next ones
	 * for new members, and reserved ones for members that are gone.
	 */
	public static NumberLock lock(ServiceDescriptor service, TypeOptions types, NumberLock lock) {
		Numbering numbering = new Numbering(lock, true);
		new ProtobufCodec(service, graph(service, List.of(), types), numbering);
		return numbering.lock();
	}

	/**
	 * Returns the numbers of requests in an earlier file. A lock that was written before
	 * it had requests takes them over.
	 */
	public static NumberLock requests(ServiceDescriptor service, ProtoSource earlier) {
		NumberLock lock = NumberLock.NONE;
		for (MethodDescriptor each : service.methods()) {
			RequestParameters request = RequestParameters.of(name(service.type()), each);
			if (request.isNamed() && !request.isBare() && !request.members().isEmpty()) {
				lock = lock.with(earlier.request(name(service.type()), methodName(each), request.members()));
			}
		}
		return lock;
	}

	private static Stream<ContractType> stream(Iterable<ContractType> types) {
		return StreamSupport.stream(types.spliterator(), false);
	}

	/**
	 * Returns the file of services. If types of several services have one name, all but
	 * one have another name there than in the codec of its service.
	 * @param services services of one package, at least one
	 * @param packages packages of other services
	 * @param earlier file of an earlier version, whose names stay where two collide
	 */
	public static ProtoFile file(List<ProtobufCodec> services, Collection<String> packages, ProtoSource earlier) {
		Declarations file = new Declarations(new ProtoNames(services.stream().map(ProtobufCodec::name).toList(),
				services.stream().flatMap((each) -> stream(each.types)), packages), earlier);
		for (ProtobufCodec each : services) {
			String service = each.name().substring(each.name().lastIndexOf('.') + 1);
			for (int i = 0; i < each.methods.size(); i++) {
				CarriedMethod method = each.methods.get(i);
				if (method != null) {
					method.declare(file, service, each.type().getName(), each.methodName(i),
							each.service.methods().get(i));
				}
			}
		}
		return file.file();
	}

	/** Returns the file of services that have no earlier version. */
	public static ProtoFile file(List<ProtobufCodec> services) {
		return file(services, List.of(), ProtoSource.NONE);
	}

	/** Returns the full name of the service. */
	public String name() {
		return name(this.service.type());
	}

	/**
	 * Returns the full name of the service of an interface: that of {@code @RpcContract},
	 * else the name of the interface.
	 */
	public static String name(Class<?> type) {
		RpcContract named = type.getAnnotation(RpcContract.class);
		return (named != null) ? named.name() : type.getName().replace('$', '.');
	}

	/** Returns the interface of the service. */
	public Class<?> type() {
		return this.service.type();
	}

	/** Returns the path of the file that declares the service. */
	public String fileName() {
		return fileName(packageName());
	}

	/** Returns the path of the file that declares the services of a package. */
	public static String fileName(String packageName) {
		return Declarations.fileName(packageName);
	}

	/** Returns the package of the service, in which its messages are declared. */
	public String packageName() {
		return this.names.packageName();
	}

	/** Returns the name of a method: that of {@code @RpcMethod}, else in Pascal case. */
	public String methodName(int number) {
		return methodName(this.service.methods().get(number));
	}

	/** Returns the name of a method of an interface. */
	public static String methodName(MethodDescriptor method) {
		RpcMethod policy = method.method().getAnnotation(RpcMethod.class);
		return (policy != null && !policy.name().isEmpty()) ? policy.name() : ProtoNames.pascal(method.name());
	}

	/** Returns the parameters of methods by the names of their nodes. */
	private Map<String, RequestParameters> requests(ServiceDescriptor service) {
		Map<String, RequestParameters> requests = new HashMap<>();
		for (MethodDescriptor method : service.methods()) {
			requests.put(method.toString(), RequestParameters.of(name(), method));
			for (int each : method.callbackParameters()) {
				ServiceDescriptor callback = ServiceDescriptor.of(method.method().getParameterTypes()[each]);
				callback.methods()
					.forEach((called) -> requests.put(called.toString(),
							RequestParameters.of(callback.type().getName().replace('$', '.'), called)));
			}
		}
		return requests;
	}

	/** Returns the reasons why methods are not carried, by their numbers. */
	public Map<Integer, UnsupportedTypeException> findings() {
		return Map.copyOf(this.findings);
	}

	/** Returns true if protobuf can carry a method. */
	public boolean carries(int number) {
		return !this.findings.containsKey(number);
	}

	/**
	 * Returns the lines that the lock lacks: of types whose numbers are neither in the
	 * lock nor by {@code @Tag}.
	 */
	public List<String> unlocked() {
		return this.numbering.unlocked();
	}

	/**
	 * Returns the contract: messages and enums of protobuf with their numbers. It has no
	 * methods if nothing can be compared, because a message has no descriptor. Made by
	 * the first thread that asks, which takes up to some milliseconds.
	 */
	@Override
	public Contract contract() {
		Contract known = this.contract;
		if (known == null) {
			known = describe();
			this.contract = known;
		}
		return known;
	}

	private Contract describe() {
		try {
			return ProtoContract.of(file(List.of(this)));
		}
		catch (RpcConfigurationException ex) {
			return Contract.of(ProtoContract.FORMAT, List.of(), List.of());
		}
	}

	/**
	 * Returns the codec of a method.
	 * @throws UnsupportedTypeException if protobuf cannot carry the method
	 */
	@Override
	public MethodCodec method(int number) {
		CarriedMethod codec = this.methods.get(number);
		UnsupportedTypeException finding = this.findings.get(number);
		if (codec == null) {
			throw (finding != null) ? finding : new IllegalStateException("a method has a codec or a finding");
		}
		return codec;
	}

	/** Returns this codec, because numbers are the contract with every peer. */
	@Override
	public Translation translate(Contract peer) {
		return (number, peerNumber) -> method(number);
	}

}
