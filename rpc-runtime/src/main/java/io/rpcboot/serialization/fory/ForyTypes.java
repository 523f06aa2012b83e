package io.rpcboot.serialization.fory;

import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

import io.rpcboot.serialization.contract.Contract;
import io.rpcboot.serialization.contract.ContractException;
import io.rpcboot.serialization.contract.ContractMember;
import io.rpcboot.serialization.contract.ContractType;
import io.rpcboot.serialization.contract.TypeRef;
import io.rpcboot.serialization.protostuff.ServiceClass;
import io.rpcboot.serialization.protostuff.ServiceCollection;
import io.rpcboot.serialization.protostuff.ServiceHolder;
import io.rpcboot.serialization.protostuff.ServiceMap;
import io.rpcboot.serialization.protostuff.ServiceTypes;
import io.rpcboot.serialization.protostuff.TypeLinker;

import org.jspecify.annotations.Nullable;

/**
 * Links the types of a service to their layouts.
 */
final class ForyTypes extends TypeLinker<ForyType> {

	private final Map<String, ForyType> values = ForyValues.all();

	private final Map<TypeRef, ForySkip> skipped = new HashMap<>();

	private final Contract writer;

	ForyTypes(ServiceTypes types, Contract writer) {
		super(types, writer);
		this.writer = writer;
	}

	@Override
	protected @Nullable ForyType value(TypeRef own, TypeRef written) {
		ForyType scalar = ForyScalar.of(own.name(), written.name());
		if (scalar != null) {
			return scalar;
		}
		if (own.name().equals(TypeRef.ARRAY) && !own.equals(written)) {
			return ForyNumbers.of(own.arguments().get(0).name(), written.arguments().get(0).name(), this.values);
		}
		return this.values.get(own.toString());
	}

	@Override
	protected ForyType array(Class<?> component, ForyType type) {
		return new ForyArray(component, type);
	}

	@Override
	protected ForyType collection(ServiceCollection kind, ForyType element) {
		return new ForyCollection(kind, element);
	}

	@Override
	protected ForyType map(ServiceMap kind, ForyType key, ForyType value) {
		return new ForyMap(kind, key, value);
	}

	@Override
	protected ForyType holder(ServiceHolder kind, ForyType held) {
		return new ForyHolder(kind.javaType(), held, kind::get, kind::create);
	}

	@Override
	protected ForyType references(ForyType element) {
		return new ForyReferences(element);
	}

	@Override
	protected ForyType struct(ServiceClass type) {
		return new ForyStruct(type);
	}

	@Override
	protected void linkFields(ForyType struct, List<Part<ForyType>> parts) {
		((ForyStruct) struct).link(parts);
	}

	@Override
	protected ForyType constants(Class<?> type, List<Constant> constants) {
		return new ForyEnum(type, constants);
	}

	@Override
	protected ForyType choice() {
		return new ForyChoice();
	}

	@Override
	protected void linkOptions(ForyType choice, List<Option<ForyType>> options) {
		((ForyChoice) choice).link(options);
	}

	@Override
	protected Class<?> javaType(ForyType type) {
		return type.javaType();
	}

	@Override
	protected ForyType unknown(TypeRef written) {
		ForyType value = value(written, written);
		if (value != null) {
			return value;
		}
		ForySkip known = this.skipped.get(written);
		if (known != null) {
			return known;
		}
		ForySkip skip = new ForySkip();
		this.skipped.put(written, skip);
		ContractType definition = this.writer.type(written);
		if (definition != null) {
			link(skip, definition);
			return skip;
		}
		if (written.arguments().isEmpty()) {
			throw new ContractException("type", written.toString(), "a type that this side knows how to skip");
		}
		List<ForyType> held = written.arguments().stream().map(this::unknown).toList();
		skip.link(held, isHolder(written) ? ForySkip::fields : ForySkip::elements);
		return skip;
	}

	private static boolean isHolder(TypeRef type) {
		return Arrays.stream(ServiceHolder.values()).anyMatch((each) -> each.javaType().getName().equals(type.name()));
	}

	private void link(ForySkip skip, ContractType definition) {
		if (definition.kind() == ContractType.Kind.ENUM) {
			skip.link(List.of(), (none) -> ForySkip.constant(definition.members().size()));
			return;
		}
		List<ForyType> parts = definition.members().stream().map(ContractMember::type).map(this::unknown).toList();
		skip.link(parts, definition.kind().hasFields() ? ForySkip::fields : ForySkip::choice);
	}

}
