package io.rpcboot.internal.server.openapi;

import java.io.StringWriter;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.BinaryOperator;

import org.jspecify.annotations.Nullable;
import tools.jackson.core.JsonGenerator;
import tools.jackson.core.ObjectWriteContext;
import tools.jackson.core.PrettyPrinter;
import tools.jackson.core.json.JsonFactory;
import tools.jackson.core.util.DefaultIndenter;
import tools.jackson.core.util.DefaultPrettyPrinter;
import tools.jackson.core.util.Separators;

/**
 * Object of a document. Its members are texts, numbers, booleans, objects and lists of
 * these, in the order in which they were added. For one thread.
 */
final class JsonObject {

	private static final DefaultIndenter INDENTER = new DefaultIndenter("  ", "\n");

	private static final DefaultPrettyPrinter PRINTER = new DefaultPrettyPrinter(
			new Separators().withObjectNameValueSpacing(Separators.Spacing.AFTER).withObjectEmptySeparator(""))
		.withObjectIndenter(INDENTER);

	private final Map<String, Object> members = new LinkedHashMap<>();

	static JsonObject of() {
		return new JsonObject();
	}

	static JsonObject of(String name, Object value) {
		return new JsonObject().with(name, value);
	}

	/** Sets a member. Returns this. */
	JsonObject with(String name, Object value) {
		this.members.put(name, value);
		return this;
	}

	/** Sets a member unless it would be empty. Returns this. */
	JsonObject with(String name, List<?> values) {
		return values.isEmpty() ? this : with(name, (Object) values);
	}

	/** Sets a number, or combines it with the one that is there. */
	void merge(String name, BigDecimal value, BinaryOperator<BigDecimal> combination) {
		this.members.merge(name, value, (before, now) -> combination.apply((BigDecimal) before, (BigDecimal) now));
	}

	/** Appends an element to a list, which is empty at first. */
	void append(String name, JsonObject element) {
		List<Object> elements = (this.members.get(name) instanceof List<?> list) ? new ArrayList<>(list)
				: new ArrayList<>();
		elements.add(element);
		this.members.put(name, elements);
	}

	@Nullable Object get(String name) {
		return this.members.get(name);
	}

	/** Returns a member that was set before. */
	Object require(String name) {
		return Objects.requireNonNull(this.members.get(name), name);
	}

	/** Returns the text, which is the same for equal members. */
	String text() {
		StringWriter text = new StringWriter();
		try (JsonGenerator out = new JsonFactory().createGenerator(new Indented(), text)) {
			write(out, this);
		}
		return text.append('\n').toString();
	}

	private static void write(JsonGenerator out, Object value) {
		if (value instanceof JsonObject object) {
			out.writeStartObject();
			object.members.forEach((name, member) -> {
				out.writeName(name);
				write(out, member);
			});
			out.writeEndObject();
		}
		else if (value instanceof List<?> list) {
			out.writeStartArray();
			list.forEach((each) -> write(out, each));
			out.writeEndArray();
		}
		else if (value instanceof Number || value instanceof Boolean) {
			out.writeRawValue(value.toString());
		}
		else {
			out.writeString(value.toString());
		}
	}

	/** Context of a generator with lines that a person reads and that are compared. */
	private static final class Indented extends ObjectWriteContext.Base {

		@Override
		public PrettyPrinter getPrettyPrinter() {
			return PRINTER.createInstance();
		}

		@Override
		public boolean hasPrettyPrinter() {
			return true;
		}

	}

}
