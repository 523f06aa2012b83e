package io.rpcboot.serialization.protostuff;

import java.lang.reflect.AnnotatedElement;
import java.util.ArrayList;
import java.util.List;

import io.protostuff.WireFormat;

import io.rpcboot.RpcConfigurationException;
import io.rpcboot.RpcEnumDefault;
import io.rpcboot.serialization.contract.ContractMember;
import io.rpcboot.serialization.contract.ContractType;
import io.rpcboot.serialization.contract.ContractType.Kind;
import io.rpcboot.serialization.contract.MemberMatch;
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
		defaultConstant();
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
		return translator.once(this, written, this::translate);
	}

	private EnumType translate(ContractType written) {
		MemberMatch match = MemberMatch.ofConstants(written, definition());
		Enum<?>[] own = (Enum<?>[]) this.type.getEnumConstants();
		Enum<?> unknown = defaultConstant();
		List<@Nullable Enum<?>> translated = new ArrayList<>();
		for (ContractMember member : written.members()) {
			ContractMember known = match.reader(member);
			translated.add((known != null) ? own[known.number()] : unknown);
		}
		return new EnumType(this.type, translated.toArray(new @Nullable Enum<?>[0]));
	}

	private @Nullable Enum<?> defaultConstant() {
		List<Enum<?>> defaults = new ArrayList<>();
		for (Object each : this.type.getEnumConstants()) {
			if (field((Enum<?>) each).isAnnotationPresent(RpcEnumDefault.class)) {
				defaults.add((Enum<?>) each);
			}
		}
		if (defaults.size() > 1) {
			throw new RpcConfigurationException(
					"%s: constants %s and %s both have @RpcEnumDefault (expected: at most one)"
						.formatted(this.type.getName(), defaults.get(0).name(), defaults.get(1).name()),
					"Leave @RpcEnumDefault on the one that stands for constants that this side does not know.");
		}
		return defaults.isEmpty() ? null : defaults.get(0);
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
