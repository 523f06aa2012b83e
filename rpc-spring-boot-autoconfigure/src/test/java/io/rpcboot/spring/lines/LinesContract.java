package io.rpcboot.spring.lines;

import java.lang.reflect.Modifier;
import java.lang.reflect.ParameterizedType;
import java.lang.reflect.RecordComponent;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

import io.rpcboot.MethodDescriptor;
import io.rpcboot.serialization.UnsupportedTypeException;
import io.rpcboot.serialization.contract.Contract;
import io.rpcboot.serialization.contract.ContractMember;
import io.rpcboot.serialization.contract.ContractMethod;
import io.rpcboot.serialization.contract.ContractType;
import io.rpcboot.serialization.contract.ContractType.Kind;
import io.rpcboot.serialization.contract.TypeRef;

/** Walks through the types of a service and refuses those that are not carried. */
final class LinesContract {

	private final Map<Class<?>, ContractType> types = new LinkedHashMap<>();

	Contract of(List<MethodDescriptor> methods) {
		List<ContractMethod> result = methods.stream().map(this::method).toList();
		return Contract.of(LinesSerializer.NAME + "/1", result, this.types.values());
	}

	private ContractMethod method(MethodDescriptor method) {
		List<TypeRef> parameters = new ArrayList<>();
		for (Class<?> each : method.method().getParameterTypes()) {
			parameters.add(type(each, "%s: parameter %d".formatted(method, parameters.size() + 1)));
		}
		Class<?> returned = resultOf(method);
		TypeRef result = (returned == void.class) ? TypeRef.VOID : type(returned, method + ": result");
		List<TypeRef> exceptions = method.declaredExceptions()
			.stream()
			.map((each) -> exception(each, method.toString()))
			.toList();
		return new ContractMethod(method.number(), method.name(), parameters, result,
				method.style() == MethodDescriptor.Style.ONE_WAY, exceptions, List.of());
	}

	/** What a method returns, or what its future holds. */
	static Class<?> resultOf(MethodDescriptor method) {
		if (method.style() != MethodDescriptor.Style.FUTURE) {
			return method.method().getReturnType();
		}
		return (method.method().getGenericReturnType() instanceof ParameterizedType future
				&& future.getActualTypeArguments()[0] instanceof Class<?> held) ? held : Object.class;
	}

	private TypeRef type(Class<?> type, String path) {
		if (type == byte[].class) {
			return TypeRef.arrayOf(TypeRef.of("byte"));
		}
		TypeRef ref = TypeRef.of(type.getName());
		if (LineReader.isValue(type) || this.types.containsKey(type)) {
			return ref;
		}
		if (!type.isRecord() || !Modifier.isPublic(type.getModifiers())) {
			throw new UnsupportedTypeException(
					"%s: %s cannot be sent by the serializer 'lines'".formatted(path, type.getTypeName()),
					"Use numbers, boolean, String, byte[] or public records of them, or another serializer.");
		}
		this.types.put(type, new ContractType(Kind.RECORD, ref, List.of(), List.of()));
		List<ContractMember> members = new ArrayList<>();
		for (RecordComponent each : type.getRecordComponents()) {
			members.add(new ContractMember(members.size() + 1, each.getName(),
					type(each.getType(), path + "." + each.getName())));
		}
		this.types.put(type, new ContractType(Kind.RECORD, ref, members, List.of()));
		return ref;
	}

	/** An exception is its class and its message. */
	private TypeRef exception(Class<?> type, String path) {
		TypeRef ref = TypeRef.of(type.getName());
		try {
			type.getConstructor(String.class);
		}
		catch (NoSuchMethodException ex) {
			throw new UnsupportedTypeException(
					"%s: exception %s has no public constructor for a message".formatted(path, type.getTypeName()),
					"Add %s(String message), or use another serializer.".formatted(type.getSimpleName()));
		}
		this.types.put(type, new ContractType(Kind.EXCEPTION, ref,
				List.of(new ContractMember(1, "message", TypeRef.of(String.class.getName()))), List.of()));
		return ref;
	}

}
