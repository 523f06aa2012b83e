package io.rpcboot.serialization.protostuff;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Objects;

import io.protostuff.WireFormat;

import io.rpcboot.serialization.OutputBuffer;
import io.rpcboot.serialization.UndeclaredException;
import io.rpcboot.serialization.contract.ContractType;
import io.rpcboot.serialization.contract.TypeRef;

import org.jspecify.annotations.Nullable;

/**
 * The exceptions of one throws clause. The one that is nearest to what was thrown is
 * carried, with its message and fields. A bare {@code Exception} or {@code Throwable}
 * stands only for itself: a subclass that is not declared is not turned into one.
 */
final class DeclaredExceptions {

	private static final List<Class<?>> ONLY_THEMSELVES = List.of(Throwable.class, Exception.class,
			RuntimeException.class, Error.class);

	private final String method;

	/** One that only the peer declares is null. */
	private final List<@Nullable StructType> types;

	/** The names in the writer's contract. */
	private final List<TypeRef> names;

	/**
	 * Create it.
	 * @param method for messages
	 * @param types in the order of the throws clause
	 */
	DeclaredExceptions(String method, List<StructType> types) {
		this(method, List.copyOf(types), types.stream().map(StructType::ref).toList());
	}

	private DeclaredExceptions(String method, List<? extends @Nullable StructType> types, List<TypeRef> names) {
		this.method = method;
		this.types = Collections.unmodifiableList(types);
		this.names = names;
	}

	/** The exceptions that a peer's method declares. */
	DeclaredExceptions translate(List<TypeRef> written, Translator translator) {
		List<@Nullable StructType> translated = new ArrayList<>();
		for (TypeRef each : written) {
			StructType own = find(translator.definition(each));
			translated.add((own != null) ? translator.struct(own, each) : null);
		}
		return new DeclaredExceptions(this.method, translated, written);
	}

	private @Nullable StructType find(ContractType written) {
		StructType former = null;
		for (StructType each : this.types) {
			if (each != null && each.ref().equals(written.type())) {
				return each;
			}
			if (each != null && former == null && each.definition().matches(written)) {
				former = each;
			}
		}
		return former;
	}

	/** Write what was thrown, or return false. */
	boolean write(Throwable thrown, OutputBuffer buffer) {
		int index = nearest(thrown.getClass());
		if (index < 0) {
			return false;
		}
		try {
			ProtostuffOutput out = ProtostuffOutput.of(buffer);
			Groups.start(out, index + 1);
			Objects.requireNonNull(this.types.get(index)).writeFields(out, thrown);
			Groups.end(out, index + 1);
			out.finish();
			return true;
		}
		catch (RuntimeException ex) {
			throw PathException.failure(this.method, "exception", ex);
		}
	}

	private int nearest(Class<?> thrown) {
		return nearest(this.types.stream().map((each) -> (each != null) ? each.javaType() : void.class).toList(),
				thrown);
	}

	/** The index of the class, or of its nearest superclass, or -1. */
	static int nearest(List<? extends Class<?>> declared, Class<?> thrown) {
		for (Class<?> each = thrown; each != null; each = each.getSuperclass()) {
			if (each != thrown && ONLY_THEMSELVES.contains(each)) {
				return -1;
			}
			if (declared.contains(each)) {
				return declared.indexOf(each);
			}
		}
		return -1;
	}

	Throwable read(ProtostuffInput in) {
		try {
			return require(in);
		}
		catch (RuntimeException ex) {
			throw PathException.failure(this.method, "exception", ex);
		}
	}

	private Throwable require(ProtostuffInput in) {
		for (int i = 0; i < this.types.size(); i++) {
			StructType type = this.types.get(i);
			Object thrown = (type != null) ? type.takeField(in, i + 1) : takeUnknown(in, i);
			if (thrown != null) {
				in.requireEnd();
				return (Throwable) thrown;
			}
		}
		throw new PathException("none of the declared exceptions: %s".formatted(this.names));
	}

	/** An exception that only the peer declares: its name and its message. */
	private @Nullable Throwable takeUnknown(ProtostuffInput in, int index) {
		if (!in.tryTag(WireFormat.makeTag(index + 1, WireFormat.WIRETYPE_START_GROUP))) {
			return null;
		}
		int end = Groups.enter(in);
		Object message = MessageAccess.take(in);
		Skip.rest(in, end);
		Groups.leave(in, end);
		return new UndeclaredException(this.names.get(index).name(), (String) message);
	}

}
