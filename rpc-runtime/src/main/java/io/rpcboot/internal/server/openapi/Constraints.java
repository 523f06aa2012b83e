package io.rpcboot.internal.server.openapi;

import java.lang.annotation.Annotation;
import java.lang.reflect.AnnotatedElement;
import java.lang.reflect.AnnotatedParameterizedType;
import java.lang.reflect.AnnotatedType;
import java.lang.reflect.Field;
import java.lang.reflect.Method;
import java.lang.reflect.Parameter;
import java.lang.reflect.ParameterizedType;
import java.lang.reflect.Type;
import java.math.BigDecimal;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.Set;
import java.util.regex.Pattern;

import io.rpcboot.internal.serialization.protobuf.json.FieldKind;
import io.rpcboot.internal.serialization.protobuf.json.MessageField;
import org.jspecify.annotations.Nullable;

/**
 * Adds constraints of Jakarta Validation to the schema of a value. They are found by the
 * names of their annotations, because the engine does without that library. Constraints
 * of other groups than the default one are left out. A constraint that the schema of a
 * value cannot express, such as the range of a text, is added in words. For one thread.
 */
final class Constraints {

	private static final String PACKAGE = "jakarta.validation.constraints.";

	private static final String DEFAULT_GROUP = "jakarta.validation.groups.Default";

	/** Syntax of Java's patterns that is not that of JavaScript, or may not be. */
	private static final Pattern ONLY_JAVA = Pattern.compile("\\\\(?![bBdDfnrsStwW1-9cukx^$.*+?()\\[\\]{}|/\\\\-])"
			+ "|\\\\x\\{|\\(\\?[^:=!<]|[*+?}]\\+|&&|\\[[^\\]]*\\[");

	private static final Pattern ESCAPED_HYPHEN = Pattern.compile("(?<!\\\\)((?:\\\\\\\\)*)\\\\-");

	/** Holders that an absent value leaves empty. */
	private static final Set<Class<?>> OPTIONALS = Set.of(Optional.class, OptionalInt.class, OptionalLong.class,
			OptionalDouble.class);

	private final JsonObject schema;

	private final Absent absent;

	private final List<String> words;

	private boolean isRequired;

	private Constraints(JsonObject schema, Absent absent, List<String> words) {
		this.schema = schema;
		this.absent = absent;
		this.words = words;
	}

	/**
	 * Adds the constraints of a value, and those of its elements.
	 * @param member member in Java that has the value
	 * @param schema schema of the value
	 * @param words gets the constraints that the schema cannot express
	 * @return true if an absent value violates a constraint
	 */
	static boolean add(AnnotatedElement member, MessageField field, JsonObject schema, List<String> words) {
		AnnotatedType type = (member instanceof Field declared) ? declared.getAnnotatedType()
				: (member instanceof Parameter declared) ? declared.getAnnotatedType()
						: ((Method) member).getAnnotatedReturnType();
		Class<?> raw = raw(type.getType());
		if (type instanceof AnnotatedParameterizedType generic) {
			AnnotatedType[] arguments = generic.getAnnotatedActualTypeArguments();
			if (elements(raw, schema) instanceof JsonObject elements) {
				new Constraints(elements, Absent.NEVER, words).addAll(arguments[arguments.length - 1]);
			}
		}
		return new Constraints(schema, Absent.of(raw, field), words).addAll(member);
	}

	private static Class<?> raw(Type type) {
		Type raw = (type instanceof ParameterizedType generic) ? generic.getRawType() : type;
		return (raw instanceof Class<?> known) ? known : Object.class;
	}

	/** Returns the schema of the elements of a container; null for any other type. */
	private static @Nullable Object elements(Class<?> container, JsonObject schema) {
		return Iterable.class.isAssignableFrom(container) ? schema.get("items") : Map.class.isAssignableFrom(container)
				? schema.get("additionalProperties") : (container == Optional.class) ? schema : null;
	}

	private boolean addAll(AnnotatedElement annotated) {
		for (Annotation each : annotated.getAnnotations()) {
			String name = each.annotationType().getName();
			if (name.startsWith(PACKAGE) && name.endsWith("$List")) {
				Arrays.stream((Annotation[]) value(each, "value")).forEach(this::add);
			}
			else if (name.startsWith(PACKAGE)) {
				add(each);
			}
		}
		return this.isRequired;
	}

	private static Object value(Annotation annotation, String attribute) {
		try {
			return annotation.annotationType().getMethod(attribute).invoke(annotation);
		}
		catch (ReflectiveOperationException ex) {
			throw new IllegalStateException(annotation.annotationType().getName() + " has no " + attribute, ex);
		}
	}

	private void add(Annotation constraint) {
		Class<?>[] groups = (Class<?>[]) value(constraint, "groups");
		if (groups.length > 0 && Arrays.stream(groups).noneMatch((each) -> each.getName().equals(DEFAULT_GROUP))) {
			return;
		}
		switch (constraint.annotationType().getSimpleName()) {
			case "NotNull" -> require(this.absent == Absent.NULL);
			case "NotEmpty" -> size(1, Integer.MAX_VALUE, true);
			case "NotBlank" -> {
				size(1, Integer.MAX_VALUE, true);
				pattern("\\S");
			}
			case "Size" -> size((Integer) value(constraint, "min"), (Integer) value(constraint, "max"),
					this.absent == Absent.EMPTY);
			case "Pattern" -> pattern(constraint);
			case "Email" -> put("string", "format", "email");
			case "Min" -> least(BigDecimal.valueOf((Long) value(constraint, "value")), true);
			case "Max" -> most(BigDecimal.valueOf((Long) value(constraint, "value")), true);
			case "DecimalMin" -> least(decimal(constraint), (Boolean) value(constraint, "inclusive"));
			case "DecimalMax" -> most(decimal(constraint), (Boolean) value(constraint, "inclusive"));
			case "Positive" -> least(BigDecimal.ZERO, false);
			case "PositiveOrZero" -> least(BigDecimal.ZERO, true);
			case "Negative" -> most(BigDecimal.ZERO, false);
			case "NegativeOrZero" -> most(BigDecimal.ZERO, true);
			default -> {
				// a schema has nothing for it
			}
		}
	}

	private void require(boolean isViolated) {
		this.isRequired |= isViolated;
	}

	/** Sets a keyword if the value is of the type that has it. */
	private void put(String type, String keyword, Object value) {
		if (type.equals(this.schema.get("type"))) {
			this.schema.with(keyword, value);
		}
	}

	/**
	 * Adds a range of lengths.
	 * @param refusesAbsent true if an absent value has the length 0
	 */
	private void size(int least, int most, boolean refusesAbsent) {
		require(refusesAbsent && least > 0);
		boolean isBytes = this.schema.get("contentEncoding") != null;
		String unit = switch (String.valueOf(this.schema.get("type"))) {
			case "array" -> "Items";
			case "object" -> "Properties";
			default -> "Length";
		};
		if (least > 0 && isBytes) {
			this.words.add("bytes: at least " + least);
		}
		else if (least > 0 && this.schema.get("type") != null) {
			this.schema.merge("min" + unit, BigDecimal.valueOf(least), BigDecimal::max);
		}
		if (most < Integer.MAX_VALUE && isBytes) {
			this.words.add("bytes: at most " + most);
		}
		else if (most < Integer.MAX_VALUE && this.schema.get("type") != null) {
			this.schema.merge("max" + unit, BigDecimal.valueOf(most), BigDecimal::min);
		}
	}

	private static @Nullable BigDecimal decimal(Annotation constraint) {
		try {
			return new BigDecimal((String) value(constraint, "value"));
		}
		catch (NumberFormatException ex) {
			return null; // refused by the validator, too
		}
	}

	private void least(@Nullable BigDecimal limit, boolean isInclusive) {
		if (limit != null) {
			require(this.absent == Absent.ZERO && limit.signum() > (isInclusive ? 0 : -1));
			bound(isInclusive ? "minimum" : "exclusiveMinimum", (isInclusive ? "at least " : "more than ") + limit,
					limit);
		}
	}

	private void most(@Nullable BigDecimal limit, boolean isInclusive) {
		if (limit != null) {
			require(this.absent == Absent.ZERO && limit.signum() < (isInclusive ? 0 : 1));
			bound(isInclusive ? "maximum" : "exclusiveMaximum", (isInclusive ? "at most " : "less than ") + limit,
					limit);
		}
	}

	private void bound(String keyword, String text, BigDecimal limit) {
		if (List.of("integer", "number").contains(String.valueOf(this.schema.get("type")))) {
			this.schema.merge(keyword, limit, keyword.endsWith("inimum") ? BigDecimal::max : BigDecimal::min);
		}
		else {
			this.words.add(text);
		}
	}

	private void pattern(Annotation constraint) {
		String regex = (String) value(constraint, "regexp");
		if (((Object[]) value(constraint, "flags")).length == 0 && isPortable(regex)) {
			// JavaScript has no escaped hyphen outside of brackets
			pattern("^(?:%s)$".formatted(ESCAPED_HYPHEN.matcher(regex).replaceAll("$1\\\\x2d")));
		}
		else {
			this.words.add("matches the pattern of Java " + regex);
		}
	}

	/** Returns true for a pattern that Java and JavaScript certainly read alike. */
	static boolean isPortable(String regex) {
		return !ONLY_JAVA.matcher(regex).find();
	}

	private void pattern(String regex) {
		if (this.schema.get("pattern") == null) {
			put("string", "pattern", regex);
		}
		else {
			this.schema.append("allOf", JsonObject.of("pattern", regex));
		}
	}

	/** Value of a field that a message does not have. */
	private enum Absent {

		/** Null. */
		NULL,

		/** Zero, or false. */
		ZERO,

		/** An empty list or map. */
		EMPTY,

		/** A value that no constraint refuses, or none: an element is never absent. */
		NEVER;

		static Absent of(Class<?> type, MessageField field) {
			boolean isNull = field.hasPresence() || hasNull(type, field);
			return OPTIONALS.contains(type) ? NEVER : field.isRepeated() ? EMPTY : isNull ? NULL : ZERO;
		}

		/** Returns true for an enum whose number 0 is no constant of Java. */
		private static boolean hasNull(Class<?> type, MessageField field) {
			return type.isEnum() && field.kind() == FieldKind.ENUM
					&& field.names().numbers().size() > type.getEnumConstants().length;
		}

	}

}
