package io.rpcboot.spring.lines;

import java.lang.reflect.RecordComponent;
import java.util.Base64;

import io.rpcboot.serialization.SerializationException;
import org.jspecify.annotations.Nullable;

/** Values to lines. For one thread. */
final class LineWriter {

	static final String NULL = "~";

	static final String BEGIN = "{";

	static final String END = "}";

	private final StringBuilder lines = new StringBuilder();

	void write(@Nullable Object value) {
		if (value instanceof Record) {
			line(BEGIN);
			for (RecordComponent each : value.getClass().getRecordComponents()) {
				write(get(each, value));
			}
			line(END);
		}
		else {
			line(text(value));
		}
	}

	private void line(String text) {
		this.lines.append(text).append('\n');
	}

	private static String text(@Nullable Object value) {
		if (value instanceof String text) {
			return "'" + text.replace("\\", "\\\\").replace("\n", "\\n");
		}
		if (value instanceof byte[] bytes) {
			return Base64.getEncoder().encodeToString(bytes);
		}
		return (value != null) ? value.toString() : NULL;
	}

	private static @Nullable Object get(RecordComponent component, Object instance) {
		try {
			return component.getAccessor().invoke(instance);
		}
		catch (ReflectiveOperationException ex) {
			throw new SerializationException("%s: its accessor fails".formatted(component), ex);
		}
	}

	@Override
	public String toString() {
		return this.lines.toString();
	}

}
