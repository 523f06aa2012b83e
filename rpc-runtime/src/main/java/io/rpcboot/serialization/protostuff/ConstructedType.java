package io.rpcboot.serialization.protostuff;

import java.util.List;

import io.rpcboot.serialization.contract.ContractType.Kind;

import org.jspecify.annotations.Nullable;

/**
 * A class that is made by a constructor which takes fields: a record by its canonical
 * one, a class with final fields by the one whose parameters have the names and types of
 * fields. Fields that it does not take are set afterwards.
 */
final class ConstructedType extends StructType {

	private final Kind kind;

	private final Creator creator;

	private int[] setAfterwards = {};

	ConstructedType(ResolvedType type, Kind kind, Creator creator) {
		super(type);
		this.kind = kind;
		this.creator = creator;
	}

	@Override
	void link(List<Field> ascending) {
		super.link(ascending);
		this.setAfterwards = this.creator.link(ascending);
	}

	@Override
	void linkForReading(List<Field> ascending) {
		super.linkForReading(ascending);
		this.setAfterwards = this.creator.link(ascending);
	}

	@Override
	StructType unlinked() {
		return new ConstructedType(type(), this.kind, this.creator.unlinked());
	}

	@Override
	Object create(@Nullable Object[] values, boolean[] present) throws Throwable {
		Object instance = this.creator.create(values);
		for (int index : this.setAfterwards) {
			fields()[index].setter().invokeExact(instance, values[index]);
		}
		return instance;
	}

	@Override
	Object readFields(ProtostuffInput in) {
		Field[] fields = fields();
		in.allowance -= 2 * (Groups.ARRAY + fields.length * Integer.BYTES);
		@Nullable Object[] values = new @Nullable Object[fields.length];
		try {
			for (int i = 0; i < fields.length; i++) {
				values[i] = (Object) fields[i].taker().invokeExact(in);
			}
			Object instance = this.creator.create(values);
			for (int index : this.setAfterwards) {
				fields[index].setter().invokeExact(instance, values[index]);
			}
			return instance;
		}
		catch (Throwable ex) {
			throw PathException.of(ex);
		}
	}

	@Override
	Kind kind() {
		return this.kind;
	}

}
