package io.rpcboot.internal.serialization.types.walk;

import java.io.InputStream;
import java.lang.reflect.Method;
import java.lang.reflect.Parameter;
import java.lang.reflect.ParameterizedType;
import java.lang.reflect.Type;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

import io.rpcboot.MethodDescriptor;
import io.rpcboot.ServiceDescriptor;
import io.rpcboot.internal.serialization.types.graph.Aliases;
import io.rpcboot.internal.serialization.types.graph.CallbackNode;
import io.rpcboot.internal.serialization.types.graph.MethodNode;
import io.rpcboot.internal.serialization.types.graph.MethodNode.Slot;
import io.rpcboot.internal.serialization.types.graph.MethodNode.Thrown;
import io.rpcboot.internal.serialization.types.kind.TypePath;
import io.rpcboot.serialization.TypeOptions;
import io.rpcboot.serialization.UnsupportedTypeException;
import io.rpcboot.serialization.contract.Contract;
import io.rpcboot.serialization.contract.ContractMethod;
import io.rpcboot.serialization.contract.ContractType;
import io.rpcboot.serialization.contract.TypeRef;
import org.jspecify.annotations.Nullable;

/**
 * Methods of a service over one graph of types, and its contract. Immutable and
 * thread-safe.
 *
 * @param contract contract in a format
 * @param methods methods, each at the index of its number
 */
public record ServiceGraph(Contract contract, List<MethodNode> methods) {

	/**
	 * Walks through the methods of a service.
	 * @param service the service
	 * @param format name and version of the layout, for the contract
	 * @param options type options of the application
	 * @throws UnsupportedTypeException if a type cannot be sent, with the method, the
	 * path of the field and the reason
	 */
	public static ServiceGraph of(ServiceDescriptor service, String format, TypeOptions options) {
		return new Builder(service, options).build(service, format);
	}

	/** Builds the nodes of the methods of a service. */
	private static final class Builder {

		private final TypeOptions options;

		private final TypeWalk walk;

		private final ExceptionWalk exceptions;

		private final List<ContractMethod> contract = new ArrayList<>();

		/** Callbacks by their interfaces. */
		private final Map<Class<?>, CallbackNode> callbacks = new TreeMap<>(Comparator.comparing(Class::getName));

		/** Own copies of the methods, so cached reflective data is released with them. */
		private final Map<Method, Method> copies = new HashMap<>();

		private Builder(ServiceDescriptor service, TypeOptions options) {
			this.options = options;
			this.walk = new TypeWalk(options);
			this.exceptions = new ExceptionWalk(this.walk);
			for (Method each : service.type().getMethods()) {
				this.copies.put(each, each);
			}
		}

		private ServiceGraph build(ServiceDescriptor service, String format) {
			TypeBindings bindings = TypeBindings.ofService(service.type());
			List<MethodNode> methods = new ArrayList<>();
			for (MethodDescriptor each : service.methods()) {
				MethodNode method = method(each, bindings);
				methods.add(method);
				this.contract.add(describe(each, method));
			}
			this.walk.link();
			List<ContractType> types = new ArrayList<>(this.walk.definitions());
			this.exceptions.types().forEach((each) -> types.add(each.definition()));
			this.callbacks.values().forEach((each) -> types.add(each.definition()));
			return new ServiceGraph(Contract.of(format, this.contract, types), List.copyOf(methods));
		}

		private MethodNode method(MethodDescriptor descriptor, TypeBindings bindings) {
			String name = descriptor.toString();
			Method method = this.copies.getOrDefault(descriptor.method(), descriptor.method());
			Parameter[] declared = method.getParameters();
			Type[] types = method.getGenericParameterTypes();
			List<Slot> parameters = new ArrayList<>();
			List<CallbackNode> called = new ArrayList<>();
			int context = descriptor.contextParameter();
			List<Integer> callbackParameters = descriptor.callbackParameters();
			for (int i = 0; i < declared.length; i++) {
				if (i == context) {
					continue;
				}
				if (callbackParameters.contains(i)) {
					called.add(callback(declared[i].getType()).at(declared[i].getName(),
							parameters.size() + called.size()));
					continue;
				}
				String argument = " " + declared[i].getName();
				TypePath path = path(name, "argument" + argument);
				Type type = (i == descriptor.streamParameter()) ? element(declared[i].getType(), types[i], path)
						: types[i];
				parameters.add(slot(argument, type, path, bindings));
			}
			Slot result = result(descriptor, method.getGenericReturnType(), path(name, "result"), bindings);
			List<Thrown> thrown = new ArrayList<>();
			for (Class<?> each : descriptor.declaredExceptions()) {
				thrown.add(this.exceptions.resolve(each, path(name, "exception " + each.getSimpleName())));
			}
			return new MethodNode(name, List.copyOf(parameters), result, List.copyOf(thrown), List.copyOf(called));
		}

		private CallbackNode callback(Class<?> type) {
			CallbackNode known = this.callbacks.get(type);
			if (known == null) {
				ServiceDescriptor described = ServiceDescriptor.of(type);
				TypeBindings bindings = TypeBindings.ofService(type);
				known = CallbackNode.of("", 0, described,
						described.methods().stream().map((each) -> method(each, bindings)).toList());
				this.callbacks.put(type, known);
			}
			return known;
		}

		private TypePath path(String method, String path) {
			return new TypePath(method, path, this.options);
		}

		private static ContractMethod describe(MethodDescriptor descriptor, MethodNode node) {
			TypeRef returned = (node.result() != null) ? node.result().type().ref() : TypeRef.VOID;
			boolean isStream = descriptor.style() == MethodDescriptor.Style.STREAM;
			List<TypeRef> taken = new ArrayList<>(node.parameters().stream().map((each) -> each.type().ref()).toList());
			node.callbacks().forEach((each) -> taken.add(each.index(), each.definition().type()));
			if (descriptor.streamParameter() >= 0) {
				taken.add(TypeRef.streamOf(taken.remove(taken.size() - 1)));
			}
			return new ContractMethod(descriptor.number(), descriptor.name(), taken,
					isStream ? TypeRef.streamOf(returned) : returned,
					descriptor.style() == MethodDescriptor.Style.ONE_WAY,
					node.exceptions().stream().map((each) -> each.written().type()).toList(),
					Aliases.of(descriptor.method()));
		}

		private @Nullable Slot result(MethodDescriptor descriptor, Type returned, TypePath path,
				TypeBindings bindings) {
			Class<?> type = descriptor.method().getReturnType();
			Type declared = switch (descriptor.style()) {
				case STREAM -> element(type, returned, path);
				case FUTURE -> argument(type, returned, path);
				default -> returned;
			};
			return (declared == void.class || declared == Void.class) ? null : slot("", declared, path, bindings);
		}

		private static Type element(Class<?> type, Type declared, TypePath path) {
			Type element = (type == InputStream.class) ? byte[].class : argument(type, declared, path);
			if (element == Void.class) {
				throw path.refuse(type, "it is a stream of nothing",
						"Declare what arrives, or CompletableFuture<Void> for an end alone.");
			}
			return element;
		}

		private static Type argument(Class<?> type, Type declared, TypePath path) {
			if (!(declared instanceof ParameterizedType generic)) {
				throw path.refuse(type, "it has no type argument, which would say what arrives",
						"Give the type argument, such as %s<User>.".formatted(type.getSimpleName()));
			}
			return generic.getActualTypeArguments()[0];
		}

		private Slot slot(String name, Type declared, TypePath path, TypeBindings bindings) {
			return new Slot(name, this.walk.resolve(bindings.resolve(declared, path), path));
		}

	}

}
