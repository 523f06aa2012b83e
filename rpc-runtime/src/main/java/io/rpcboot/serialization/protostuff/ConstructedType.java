package io.rpcboot.serialization.protostuff;

import java.util.List;

import org.jspecify.annotations.Nullable;

/**
 * A class that is made by a constructor which takes fields: a record by its canonical
 * one, a class with final fields by the one whose parameters have the names and types of
 * fields. Fields that it does not take are set afterwards.
 */
final class ConstructedType extends StructType {

	private final String kind;

	private final Creator creator;

	private int[] setAfterwards = {};

	ConstructedType(ResolvedType type, String kind, Creator creator) {
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
	Object readFields(ProtostuffInput in, int end) {
		@Nullable Object[] values = readValues(in, end);
		Object instance = this.creator.create(values);
		for (int index : this.setAfterwards) {
			fields()[index].set(instance, values[index]);
		}
		return instance;
	}

	private @Nullable Object[] readValues(ProtostuffInput in, int end) {
		Field[] fields = fields();
		@Nullable Object[] values = new @Nullable Object[fields.length];
		int index = 0;
		try {
			for (int tag = in.readTag(); tag != end; tag = in.readTag()) {
				int number = tag >>> 3;
				while (index < fields.length && fields[index].number < number) {
					values[index] = fields[index].zero();
					index++;
				}
				if (index == fields.length || fields[index].number != number) {
					throw unknown(tag);
				}
				values[index] = fields[index].readValue(in, tag);
				index++;
			}
		}
		catch (RuntimeException ex) {
			throw (index < fields.length) ? PathException.at("." + fields[index].name, ex) : PathException.at("", ex);
		}
		for (; index < fields.length; index++) {
			values[index] = fields[index].zero();
		}
		return values;
	}

	@Override
	String kind() {
		return this.kind;
	}

}
