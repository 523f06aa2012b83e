package io.rpcboot.internal.serialization.types.walk;

import java.io.InputStream;
import java.lang.reflect.Method;
import java.lang.reflect.Parameter;
import java.lang.reflect.ParameterizedType;
import java.lang.reflect.Type;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

import io.rpcboot.MethodDescriptor;
import io.rpcboot.ServiceDescriptor;
import io.rpcboot.internal.serialization.types.graph.Aliases;
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

		private final TypeBindings bindings;

		private final TypeWalk walk;

		private final ExceptionWalk exceptions;

		private final List<ContractMethod> contract = new ArrayList<>();

		/** Own copies of the methods, so cached reflective data is released with them. */
		private final Map<Method, Method> copies = new HashMap<>();

		private Builder(ServiceDescriptor service, TypeOptions options) {
			this.options = options;
			this.bindings = TypeBindings.ofService(service.type());
			this.walk = new TypeWalk(options);
			this.exceptions = new ExceptionWalk(this.walk);
			for (Method each : service.type().getMethods()) {
				this.copies.put(each, each);
			}
		}

		private ServiceGraph build(ServiceDescriptor service, String format) {
			List<MethodNode> methods = new ArrayList<>();
			service.methods().forEach((each) -> methods.add(method(each)));
			this.walk.link();
			List<ContractType> types = new ArrayList<>(this.walk.definitions());
			this.exceptions.types().forEach((each) -> types.add(each.definition()));
			return new ServiceGraph(Contract.of(format, this.contract, types), List.copyOf(methods));
		}

		private MethodNode method(MethodDescriptor descriptor) {
			String name = descriptor.toString();
			Method method = this.copies.getOrDefault(descriptor.method(), descriptor.method());
			Parameter[] declared = method.getParameters();
			Type[] types = method.getGenericParameterTypes();
			List<Slot> parameters = new ArrayList<>();
			int context = descriptor.contextParameter();
			for (int i = 0; i < declared.length; i++) {
				if (i == context) {
					continue;
				}
				String argument = " " + declared[i].getName();
				TypePath path = path(name, "argument" + argument);
				Type type = (i == descriptor.streamParameter()) ? element(declared[i].getType(), types[i], path)
						: types[i];
				parameters.add(slot(argument, type, path));
			}
			Slot result = result(descriptor, method.getGenericReturnType(), path(name, "result"));
			List<Thrown> thrown = new ArrayList<>();
			for (Class<?> each : descriptor.declaredExceptions()) {
				thrown.add(this.exceptions.resolve(each, path(name, "exception " + each.getSimpleName())));
			}
			this.contract.add(describe(descriptor, parameters, result, thrown));
			return new MethodNode(name, List.copyOf(parameters), result, List.copyOf(thrown));
		}

		private TypePath path(String method, String path) {
			return new TypePath(method, path, this.options);
		}

		private static ContractMethod describe(MethodDescriptor descriptor, List<Slot> parameters,
				@Nullable Slot result, List<Thrown> exceptions) {
			TypeRef returned = (result != null) ? result.type().ref() : TypeRef.VOID;
			boolean isStream = descriptor.style() == MethodDescriptor.Style.STREAM;
			List<TypeRef> taken = new ArrayList<>(parameters.stream().map((each) -> each.type().ref()).toList());
			if (descriptor.streamParameter() >= 0) {
				taken.add(TypeRef.streamOf(taken.remove(taken.size() - 1)));
			}
			return new ContractMethod(descriptor.number(), descriptor.name(), taken,
					isStream ? TypeRef.streamOf(returned) : returned,
					descriptor.style() == MethodDescriptor.Style.ONE_WAY,
					exceptions.stream().map((each) -> each.written().type()).toList(), Aliases.of(descriptor.method()));
		}

		private @Nullable Slot result(MethodDescriptor descriptor, Type returned, TypePath path) {
			Class<?> type = descriptor.method().getReturnType();
			Type declared = switch (descriptor.style()) {
				case STREAM -> element(type, returned, path);
				case FUTURE -> argument(type, returned, path);
				default -> returned;
			};
			return (declared == void.class || declared == Void.class) ? null : slot("", declared, path);
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

		private Slot slot(String name, Type declared, TypePath path) {
			return new Slot(name, this.walk.resolve(this.bindings.resolve(declared, path), path));
		}

	}

}
