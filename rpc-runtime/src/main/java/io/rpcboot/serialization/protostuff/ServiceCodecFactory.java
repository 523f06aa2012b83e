package io.rpcboot.serialization.protostuff;

import java.lang.reflect.Method;
import java.lang.reflect.ParameterizedType;
import java.lang.reflect.Type;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

import io.rpcboot.MethodDescriptor;
import io.rpcboot.ServiceDescriptor;
import io.rpcboot.serialization.ServiceCodec;
import io.rpcboot.serialization.contract.Contract;
import io.rpcboot.serialization.contract.ContractMethod;
import io.rpcboot.serialization.contract.ContractType;
import io.rpcboot.serialization.contract.TypeRef;
import io.rpcboot.serialization.protostuff.ProtostuffMethodCodec.Slot;

import org.jspecify.annotations.Nullable;

/**
 * Walks the methods of a service, resolves their types into a closed world and writes
 * down the contract on the way.
 */
final class ServiceCodecFactory {

	/** Another layout of bytes would be another version. */
	private static final String FORMAT = "protostuff/1";

	private final TypeBindings bindings;

	private final ClosedWorld world;

	private final ExceptionTypes exceptions;

	private final List<ContractMethod> methods = new ArrayList<>();

	private ServiceCodecFactory(ServiceDescriptor service, ClosedWorld world) {
		this.bindings = TypeBindings.of(ResolvedType.of(service.type()));
		this.world = world;
		this.exceptions = new ExceptionTypes(world);
	}

	static ServiceCodec create(ServiceDescriptor service, ClosedWorld world) {
		ServiceCodecFactory factory = new ServiceCodecFactory(service, world);
		List<MethodParts> parts = new ArrayList<>();
		for (MethodDescriptor each : service.methods()) {
			parts.add(factory.method(each));
		}
		world.link();
		return new ProtostuffServiceCodec(Contract.of(FORMAT, factory.methods, factory.types()), List.copyOf(parts),
				parts.stream().map(MethodParts::codec).toList());
	}

	/** The same walk, for a serializer with another layout. */
	static ServiceTypes types(ServiceDescriptor service, ClosedWorld world, String format) {
		ServiceCodecFactory factory = new ServiceCodecFactory(service, world);
		service.methods().forEach(factory::method);
		world.link();
		return new ServiceTypes(Contract.of(format, factory.methods, factory.types()), world,
				factory.exceptions.types());
	}

	private List<ContractType> types() {
		List<ContractType> types = new ArrayList<>(this.world.definitions());
		this.exceptions.types().forEach((each) -> types.add(each.definition()));
		return types;
	}

	private MethodParts method(MethodDescriptor descriptor) {
		Method method = descriptor.method();
		Slot[] parameters = new Slot[method.getParameterCount()];
		for (int i = 0; i < parameters.length; i++) {
			String name = " " + method.getParameters()[i].getName();
			parameters[i] = slot(i + 1, name, method.getGenericParameterTypes()[i],
					new TypePath(descriptor.toString(), "argument" + name));
		}
		Slot result = result(descriptor);
		List<StructType> declared = new ArrayList<>();
		for (Class<?> each : descriptor.declaredExceptions()) {
			declared.add(this.exceptions.resolve(each,
					new TypePath(descriptor.toString(), "exception " + each.getSimpleName())));
		}
		this.methods.add(describe(descriptor, parameters, result, declared));
		return new MethodParts(descriptor.toString(), parameters, result,
				new DeclaredExceptions(descriptor.toString(), declared));
	}

	private static ContractMethod describe(MethodDescriptor descriptor, Slot[] parameters, @Nullable Slot result,
			List<StructType> exceptions) {
		List<TypeRef> types = Arrays.stream(parameters).map(Slot::contract).toList();
		return new ContractMethod(descriptor.number(), descriptor.name(), types,
				(result != null) ? result.contract() : TypeRef.VOID,
				descriptor.style() == MethodDescriptor.Style.ONE_WAY, exceptions.stream().map(StructType::ref).toList(),
				Aliases.of(descriptor.method()));
	}

	private @Nullable Slot result(MethodDescriptor descriptor) {
		TypePath path = new TypePath(descriptor.toString(), "result");
		Type declared = descriptor.method().getGenericReturnType();
		if (descriptor.style() == MethodDescriptor.Style.FUTURE) {
			if (!(declared instanceof ParameterizedType future)) {
				throw path.refuse(descriptor.method().getReturnType(),
						"it has no type argument, which would say what arrives",
						"Give the type argument, such as CompletableFuture<User>.");
			}
			declared = future.getActualTypeArguments()[0];
		}
		if (declared == void.class || declared == Void.class) {
			return null;
		}
		return slot(1, "", declared, path);
	}

	private Slot slot(int number, String name, Type declared, TypePath path) {
		ResolvedType type = this.bindings.resolve(declared, path);
		return Slot.of(number, name, type.raw(), this.world.resolve(type, path));
	}

}
