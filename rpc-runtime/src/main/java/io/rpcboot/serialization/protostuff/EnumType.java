package io.rpcboot.serialization.protostuff;

import java.lang.reflect.AnnotatedElement;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

import io.protostuff.WireFormat;

import io.rpcboot.RpcEnumDefault;
import io.rpcboot.serialization.contract.ContractMember;
import io.rpcboot.serialization.contract.ContractType;
import io.rpcboot.serialization.contract.ContractType.Kind;
import io.rpcboot.serialization.contract.TypeRef;

import org.jspecify.annotations.Nullable;

/**
 * An enum, as the ordinal at the writer. The contract lists the constants in their order;
 * a reader with another contract finds the writer's constant by its name. One that the
 * reader does not have is its {@link RpcEnumDefault} constant, else null.
 */
final class EnumType extends ValueType {

	private final Class<?> type;

	/** By the writer's ordinal. */
	private final @Nullable Enum<?>[] constants;

	EnumType(Class<?> type) {
		this(type, (Enum<?>[]) type.getEnumConstants());
	}

	private EnumType(Class<?> type, @Nullable Enum<?>[] constants) {
		super(WireFormat.WIRETYPE_VARINT, 0);
		this.type = type;
		this.constants = constants;
	}

	@Override
	void write(ProtostuffOutput out, int number, Object value) {
		NumberOutput.writeInt32(out, number, ((Enum<?>) value).ordinal());
	}

	@Override
	@Nullable Object read(ProtostuffInput in) {
		int ordinal = NumberInput.readInt32(in);
		if (ordinal < 0 || ordinal >= this.constants.length) {
			throw new PathException("constant number %d of %s (expected: 0 to %d)".formatted(ordinal,
					this.type.getName(), this.constants.length - 1));
		}
		return this.constants[ordinal];
	}

	@Override
	ValueType translate(TypeRef written, Translator translator) {
		List<ContractMember> own = definition().members();
		Enum<?>[] ownConstants = (Enum<?>[]) this.type.getEnumConstants();
		Enum<?> unknown = Arrays.stream(ownConstants)
			.filter((each) -> field(each).isAnnotationPresent(RpcEnumDefault.class))
			.findFirst()
			.orElse(null);
		List<@Nullable Enum<?>> translated = new ArrayList<>();
		for (ContractMember member : translator.definition(written).members()) {
			translated.add(own.stream()
				.filter((each) -> each.name().equals(member.name()))
				.findFirst()
				.or(() -> own.stream().filter((each) -> each.matches(member)).findFirst())
				.<@Nullable Enum<?>>map((each) -> ownConstants[each.number()])
				.orElse(unknown));
		}
		return new EnumType(this.type, translated.toArray(new @Nullable Enum<?>[0]));
	}

	private AnnotatedElement field(Enum<?> constant) {
		try {
			return this.type.getField(constant.name());
		}
		catch (NoSuchFieldException ex) {
			throw new IllegalStateException("every constant is a field", ex);
		}
	}

	@Override
	TypeRef ref() {
		return TypeRef.of(this.type.getName());
	}

	@Override
	ContractType definition() {
		List<ContractMember> members = new ArrayList<>();
		for (Object each : this.type.getEnumConstants()) {
			Enum<?> constant = (Enum<?>) each;
			members.add(
					new ContractMember(constant.ordinal(), constant.name(), TypeRef.VOID, Aliases.of(field(constant))));
		}
		return new ContractType(Kind.ENUM, ref(), members, Aliases.of(this.type));
	}

}
