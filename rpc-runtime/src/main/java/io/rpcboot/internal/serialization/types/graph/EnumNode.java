package io.rpcboot.internal.serialization.types.graph;

import java.lang.reflect.AnnotatedElement;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Collectors;

import io.rpcboot.RpcConfigurationException;
import io.rpcboot.RpcEnumDefault;
import io.rpcboot.serialization.contract.ContractMember;
import io.rpcboot.serialization.contract.ContractType;
import io.rpcboot.serialization.contract.ContractType.Kind;
import io.rpcboot.serialization.contract.TypeRef;

import org.jspecify.annotations.Nullable;

/**
 * Enum.
 *
 * @param javaType class of this side
 * @param constants constants of the writer, in its order
 */
public record EnumNode(Class<?> javaType, List<Constant> constants) implements Node {

	public static EnumNode of(Class<?> type) {
		defaultConstant(type);
		List<Constant> constants = new ArrayList<>();
		for (Object each : type.getEnumConstants()) {
			Enum<?> constant = (Enum<?>) each;
			constants.add(new Constant(new ContractMember(constant.ordinal(), constant.name(), TypeRef.VOID,
					Aliases.of(field(type, constant))), constant));
		}
		return new EnumNode(type, constants);
	}

	/**
	 * Returns the constant that replaces constants that only the writer has; null if
	 * there is none.
	 */
	public static @Nullable Enum<?> defaultConstant(Class<?> type) {
		List<Enum<?>> defaults = Arrays.stream((Enum<?>[]) type.getEnumConstants())
			.filter((each) -> field(type, each).isAnnotationPresent(RpcEnumDefault.class))
			.collect(Collectors.toList());
		if (defaults.size() > 1) {
			throw new RpcConfigurationException(
					"%s: constants %s and %s both have @RpcEnumDefault (expected: at most one)"
						.formatted(type.getName(), defaults.get(0).name(), defaults.get(1).name()),
					"Leave @RpcEnumDefault on the one that stands for constants that this side does not know.");
		}
		return defaults.isEmpty() ? null : defaults.get(0);
	}

	private static AnnotatedElement field(Class<?> type, Enum<?> constant) {
		try {
			return type.getField(constant.name());
		}
		catch (NoSuchFieldException ex) {
			throw new IllegalStateException("every constant is a field", ex);
		}
	}

	@Override
	public TypeRef ref() {
		return TypeRef.of(this.javaType.getName());
	}

	/** Returns the definition of an own enum. */
	@Override
	public ContractType definition() {
		return new ContractType(Kind.ENUM, ref(), this.constants.stream().map(Constant::written).toList(),
				Aliases.of(this.javaType));
	}

	/**
	 * Constant of the writer.
	 *
	 * @param written constant in the contract
	 * @param value own constant or its replacement; null if there is neither
	 */
	public record Constant(ContractMember written, @Nullable Enum<?> value) {
	}

}
