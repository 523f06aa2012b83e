package io.rpcboot.spring.lines;

import java.lang.invoke.MethodType;
import java.lang.reflect.Array;
import java.lang.reflect.RecordComponent;
import java.util.Arrays;
import java.util.Base64;
import java.util.Map;
import java.util.Objects;
import java.util.function.Function;

import io.rpcboot.serialization.SerializationException;
import io.rpcboot.serialization.contract.Contract;
import io.rpcboot.serialization.contract.ContractMember;
import io.rpcboot.serialization.contract.ContractType;
import io.rpcboot.serialization.contract.MemberMatch;
import io.rpcboot.serialization.contract.TypeRef;
import org.jspecify.annotations.Nullable;

/** Lines to values. For one message and one thread. */
final class LineReader {

	private static final int MAX_DEPTH = 64;

	private static final Map<Class<?>, Function<String, Object>> VALUES = Map.of(Byte.class, Byte::valueOf, Short.class,
			Short::valueOf, Integer.class, Integer::valueOf, Long.class, Long::valueOf, Float.class, Float::valueOf,
			Double.class, Double::valueOf, Boolean.class, LineReader::bool, String.class, LineReader::text,
			byte[].class, Base64.getDecoder()::decode);

	private final String text;

	private final Contract own;

	private final Contract writer;

	/** In the text: where the next line begins. */
	private int position;

	private int depth;

	LineReader(String text, Contract own, Contract writer) {
		this.text = text;
		this.own = own;
		this.writer = writer;
	}

	static boolean isValue(Class<?> type) {
		return type != void.class && VALUES.containsKey(box(type));
	}

	private static Class<?> box(Class<?> type) {
		return MethodType.methodType(type).wrap().returnType();
	}

	private static Object bool(String line) {
		if (!line.equals("true") && !line.equals("false")) {
			throw new SerializationException("'%s' (expected: true or false)".formatted(line));
		}
		return line.equals("true");
	}

	private static Object text(String line) {
		if (!line.startsWith("'")) {
			throw new SerializationException("'%s' (expected: a text)".formatted(line));
		}
		return line.substring(1).translateEscapes();
	}

	/**
	 * Read a value.
	 * @param type the own type
	 * @param written the writer's type in its place
	 * @return the value
	 */
	@Nullable Object read(Class<?> type, TypeRef written) {
		String line = line();
		if (line.equals(LineWriter.NULL)) {
			if (type.isPrimitive()) {
				throw new SerializationException("null (expected: %s)".formatted(type));
			}
			return null;
		}
		if (!type.isRecord()) {
			return Objects.requireNonNull(VALUES.get(box(type))).apply(line);
		}
		requireLine(line, LineWriter.BEGIN);
		enter();
		Object result = readRecord(type, Objects.requireNonNull(this.writer.type(written)));
		requireLine(line(), LineWriter.END);
		this.depth--;
		return result;
	}

	/** Components are matched by name; one that only one side has is skipped or zero. */
	private Object readRecord(Class<?> type, ContractType written) {
		ContractType known = Objects.requireNonNull(this.own.type(TypeRef.of(type.getName())));
		MemberMatch match = MemberMatch.ofFields(written, known);
		RecordComponent[] components = type.getRecordComponents();
		Class<?>[] types = Arrays.stream(components).map(RecordComponent::getType).toArray(Class<?>[]::new);
		@Nullable Object[] values = Arrays.stream(types).map((each) -> Array.get(Array.newInstance(each, 1), 0)).toArray();
		for (ContractMember each : written.members()) {
			ContractMember found = match.reader(each);
			if (found == null) {
				skip();
				continue;
			}
			int index = known.members().indexOf(found);
			values[index] = read(types[index], each.type());
		}
		return create(type, types, values);
	}

	private void skip() {
		if (line().equals(LineWriter.BEGIN)) {
			enter();
			while (!this.text.startsWith(LineWriter.END, this.position)) {
				skip();
			}
			line();
			this.depth--;
		}
	}

	private void enter() {
		if (++this.depth > MAX_DEPTH) {
			throw new SerializationException("records nest deeper than " + MAX_DEPTH);
		}
	}

	private String line() {
		int end = this.text.indexOf('\n', this.position);
		if (end < 0) {
			throw new SerializationException("no line (expected: one more)");
		}
		String line = this.text.substring(this.position, end);
		this.position = end + 1;
		return line;
	}

	private static void requireLine(String line, String expected) {
		if (!line.equals(expected)) {
			throw new SerializationException("'%s' (expected: '%s')".formatted(line, expected));
		}
	}

	void requireEnd() {
		if (this.position != this.text.length()) {
			throw new SerializationException("characters behind the last value (expected: none)");
		}
	}

	/** What a public constructor makes. */
	static Object create(Class<?> type, Class<?>[] parameters, @Nullable Object... values) {
		try {
			return type.getConstructor(parameters).newInstance(values);
		}
		catch (ReflectiveOperationException ex) {
			throw new SerializationException("%s: its constructor fails".formatted(type.getName()), ex);
		}
	}

}
