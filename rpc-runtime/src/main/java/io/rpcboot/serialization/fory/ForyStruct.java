package io.rpcboot.serialization.fory;

import java.util.List;

import io.rpcboot.serialization.protostuff.ServiceClass;
import io.rpcboot.serialization.protostuff.TypeLinker.Part;

import org.jspecify.annotations.Nullable;

/**
 * A bean, a record or an exception: its fields in the order of the writer's contract. It
 * is linked to its fields after it was made, because a field may hold the class itself.
 */
final class ForyStruct extends ForyType {

	private final ServiceClass type;

	private List<Part<ForyType>> fields = List.of();

	ForyStruct(ServiceClass type) {
		super(type.javaType());
		this.type = type;
	}

	void link(List<Part<ForyType>> fields) {
		this.fields = List.copyOf(fields);
	}

	@Override
	void write(ForyOutput out, Object value) {
		requireExactly(javaType(), value);
		writeFields(out, value);
	}

	void writeFields(ForyOutput out, Object instance) {
		out.enter();
		for (Part<ForyType> each : this.fields) {
			try {
				each.type().writeNullable(out, this.type.get(instance, each.index()));
			}
			catch (RuntimeException ex) {
				throw ForyFailure.at("." + each.written().name(), ex);
			}
		}
		out.leave();
	}

	@Override
	Object read(ForyInput in) {
		in.enter();
		@Nullable Object[] values = this.type.begin(in.budget);
		boolean[] present = new boolean[values.length];
		for (Part<ForyType> each : this.fields) {
			try {
				Object value = each.type().readNullable(in);
				if (each.index() >= 0) {
					values[each.index()] = value;
					present[each.index()] = true;
				}
			}
			catch (RuntimeException ex) {
				throw ForyFailure.at("." + each.written().name(), ex);
			}
		}
		in.leave();
		return this.type.create(values, present);
	}

}
