package io.rpcboot.serialization.protostuff;

import java.lang.invoke.MethodHandle;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Collectors;

import io.protostuff.WireFormat;

import io.rpcboot.serialization.contract.ContractType.Kind;
import io.rpcboot.serialization.contract.ContractType;
import io.rpcboot.serialization.contract.TypeRef;

import org.jspecify.annotations.Nullable;

/**
 * A class with fields: the schema of one bean or record, its type arguments resolved. On
 * the wire a group whose fields rise by number, so that a reader asks each field in turn
 * whether it is next, and what is left over is an error. A class is linked to its fields
 * after it was made, because a field may hold the class itself.
 */
abstract class StructType extends ValueType {

	static final Field[] NO_FIELDS = {};

	private final ResolvedType type;

	private final int size;

	private Field[] fields = NO_FIELDS;

	private MethodHandle[] writers = {};

	StructType(ResolvedType type) {
		super(WireFormat.WIRETYPE_START_GROUP, 0);
		this.type = type;
		this.size = Sizes.of(type.raw());
	}

	void link(List<Field> ascending) {
		this.fields = ascending.toArray(NO_FIELDS);
		this.writers = Fields.compose(ascending.stream().map(Field::writer).toList());
	}

	final Field[] fields() {
		return this.fields;
	}

	final Class<?> javaType() {
		return this.type.raw();
	}

	/** Make an instance of the fields that are present. */
	abstract Object create(@Nullable Object[] values, boolean[] present) throws Throwable;

	/** Read the fields that are there, in rising order. */
	abstract Object readFields(ProtostuffInput in);

	@Override
	final void write(ProtostuffOutput out, int number, Object value) {
		if (value.getClass() != this.type.raw()) {
			throw otherClass(value.getClass());
		}
		Groups.start(out, number);
		writeFields(out, value);
		Groups.end(out, number);
	}

	private PathException otherClass(Class<?> type) {
		String declared = this.type.raw().getName();
		return new PathException(
				"%s where %s is declared (expected: exactly that class, or fields would be lost; subclasses are declared by @RpcSubtypes on %s or by the property %s%s)"
					.formatted(type.getName(), declared, declared, Subtypes.PROPERTY, declared));
	}

	final void writeFields(ProtostuffOutput out, Object instance) {
		try {
			for (MethodHandle each : this.writers) {
				each.invokeExact(out, instance);
			}
		}
		catch (Throwable ex) {
			throw PathException.through(instance, ex);
		}
	}

	@Override
	final Object read(ProtostuffInput in) {
		int end = Groups.enter(in);
		Groups.charge(in, this.size);
		Object value = readFields(in);
		int tag = in.readTag();
		if (tag != end) {
			throw unknown(tag);
		}
		Groups.leave(in);
		return value;
	}

	private PathException unknown(int tag) {
		return new PathException("unexpected field number %d of wire type %d (expected: the fields of %s: %s)"
			.formatted(WireFormat.getTagFieldNumber(tag), WireFormat.getTagWireType(tag), this.type,
					Arrays.stream(this.fields).map(Field::toString).collect(Collectors.joining(", "))));
	}

	@Override
	final TypeRef ref() {
		return this.type.ref();
	}

	@Override
	final ContractType definition() {
		return new ContractType(kind(), ref(), Arrays.stream(this.fields).map(Field::member).toList(),
				Aliases.of(this.type.raw()));
	}

	abstract Kind kind();

	@Override
	final ValueType translate(TypeRef written, Translator translator) {
		if (translator.definition(written).kind() != Kind.BASE) {
			return translator.struct(this, written);
		}
		return translator.once(this, written, (definition) -> translator.choice(BaseType.only(this), definition));
	}

	/** The same class, to be linked to fields with other numbers. */
	abstract StructType unlinked();

	/** Link to the fields of another contract, by rising number there. */
	void linkForReading(List<Field> ascending) {
		this.fields = ascending.toArray(NO_FIELDS);
	}

	/** The field of a number in the own contract. */
	final Field field(int number) {
		return Arrays.stream(this.fields).filter((each) -> each.member().number() == number).findFirst().orElseThrow();
	}

	final ResolvedType type() {
		return this.type;
	}

}
