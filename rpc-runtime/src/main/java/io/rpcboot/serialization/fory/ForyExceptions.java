package io.rpcboot.serialization.fory;

import java.util.ArrayList;
import java.util.List;

import io.rpcboot.serialization.UndeclaredException;
import io.rpcboot.serialization.contract.TypeRef;
import io.rpcboot.serialization.protostuff.ServiceTypes;

import org.jspecify.annotations.Nullable;

/**
 * The exceptions of one throws clause: the place in it, then message and fields.
 */
final class ForyExceptions {

	private final ServiceTypes types;

	private final List<TypeRef> own;

	private final List<TypeRef> written;

	/**
	 * By their place at the writer, {@link ForySkip} for one that only the writer has.
	 */
	private final List<ForyType> linked = new ArrayList<>();

	/**
	 * Create it.
	 * @param types the own types
	 * @param own the exceptions of the own method
	 * @param written the exceptions of the writer's method
	 * @param linker links what is read
	 * @param path for a refusal
	 */
	ForyExceptions(ServiceTypes types, List<TypeRef> own, List<TypeRef> written, ForyTypes linker, String path) {
		this.types = types;
		this.own = own;
		this.written = written;
		for (TypeRef each : written) {
			TypeRef type = linker.sameException(own, each);
			this.linked.add((type != null) ? linker.link(type, each, path + ": exception " + type.name())
					: linker.unknown(each));
		}
	}

	/** The index of the exception that carries what was thrown, or -1. */
	int nearest(Throwable thrown) {
		return this.types.nearestException(this.own, thrown);
	}

	/** Write what was thrown. */
	void write(ForyOutput out, int index, Throwable thrown) {
		out.buffer.writeVarUInt32(index);
		((ForyStruct) this.linked.get(index)).writeFields(out, thrown);
	}

	Throwable read(ForyInput in) {
		int index = in.index(this.linked.size(), "exception number");
		@Nullable Object value = this.linked.get(index).read(in);
		return (value instanceof Throwable thrown) ? thrown
				: new UndeclaredException(this.written.get(index).name(), (String) value);
	}

}
