package io.rpcboot.serialization.contract;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;

/**
 * Reference to a type in a contract, with resolved type arguments. Its text is that of
 * Java without blanks: {@code java.util.Map<java.lang.String,com.acme.User[]>}.
 * Immutable.
 *
 * @param name binary name of a class, a primitive, {@code void}, or {@value #ARRAY}
 * @param arguments type arguments; for an array its one component
 * @since 0.1.0
 */
public record TypeRef(String name, List<TypeRef> arguments) {

	/** Name of an array. Its text is that of the component followed by this. */
	public static final String ARRAY = "[]";

	/** Name of a stream of values: a result, or the last parameter. */
	static final String STREAM = "stream";

	/** Name of a method of a callback. */
	static final String CALL = "call";

	/** Name of the exceptions of a method of a callback. */
	static final String THROWS = "throws";

	/** Name of a message that a library has generated, whose fields are not known. */
	static final String GENERATED = "generated";

	/** The type of no result. */
	public static final TypeRef VOID = of("void");

	private static final int MAX_DEPTH = 32;

	private static final int MAX_LENGTH = 2000;

	public TypeRef {
		arguments = List.copyOf(arguments);
	}

	/**
	 * Creates a reference.
	 * @param name name of the type
	 * @param arguments type arguments
	 * @return the reference
	 */
	public static TypeRef of(String name, TypeRef... arguments) {
		return new TypeRef(name, List.of(arguments));
	}

	/**
	 * Creates a reference to an array.
	 * @param component type of the elements
	 * @return the reference
	 */
	public static TypeRef arrayOf(TypeRef component) {
		return of(ARRAY, component);
	}

	/**
	 * Creates a reference to a stream of values, one after the other.
	 * @param element type of the values
	 * @return the reference, whose text is such as {@code stream<com.acme.Quote>}
	 */
	public static TypeRef streamOf(TypeRef element) {
		return of(STREAM, element);
	}

	/**
	 * Creates a reference to a message that a library has generated.
	 * @param message full name of the message
	 * @return the reference, whose text is such as {@code generated<acme.User>}
	 */
	public static TypeRef generatedOf(String message) {
		return of(GENERATED, of(message));
	}

	/**
	 * Creates the type of a method of a callback.
	 * @param result type of the result; {@link #VOID} for none
	 * @param parameters types of the parameters, in their order
	 * @param exceptions exceptions of the throws clause, in their order
	 * @return the type, whose text is such as
	 * {@code call<boolean,java.lang.String,throws<com.acme.Gone>>}
	 */
	public static TypeRef callOf(TypeRef result, List<TypeRef> parameters, List<TypeRef> exceptions) {
		List<TypeRef> all = new ArrayList<>(parameters);
		all.add(0, result);
		if (!exceptions.isEmpty()) {
			all.add(new TypeRef(THROWS, exceptions));
		}
		return new TypeRef(CALL, all);
	}

	/**
	 * Parses the text of a type.
	 * @param text result of {@link #toString()}
	 * @return the reference
	 * @throws ContractException if the text is not that of a type
	 */
	public static TypeRef parse(String text) {
		if (text.length() > MAX_LENGTH) {
			throw new ContractException("type", text, "at most %d characters".formatted(MAX_LENGTH));
		}
		Parser parser = new Parser(text);
		TypeRef result = parser.type(0);
		if (parser.position != text.length()) {
			throw parser.failure();
		}
		return result;
	}

	/**
	 * Returns true for a stream of values.
	 * @return true for a result of {@link #streamOf}
	 */
	public boolean isStream() {
		return this.name.equals(STREAM);
	}

	/** Returns true if the parsed text is equal to this type. */
	boolean isWellFormed() {
		try {
			return equals(parse(toString()));
		}
		catch (ContractException ex) {
			return false;
		}
	}

	@Override
	public String toString() {
		if (this.name.equals(ARRAY)) {
			return this.arguments.get(0) + ARRAY;
		}
		return this.arguments.isEmpty() ? this.name
				: this.arguments.stream().map(TypeRef::toString).collect(Collectors.joining(",", this.name + "<", ">"));
	}

	private static final class Parser {

		private final String text;

		private int position;

		private Parser(String text) {
			this.text = text;
		}

		private TypeRef type(int depth) {
			if (depth > MAX_DEPTH) {
				throw failure();
			}
			TypeRef result = new TypeRef(name(), arguments(depth));
			for (int arrays = 0; this.text.startsWith(ARRAY, this.position); arrays++) {
				if (arrays + depth > MAX_DEPTH) {
					throw failure();
				}
				this.position += ARRAY.length();
				result = arrayOf(result);
			}
			return result;
		}

		private List<TypeRef> arguments(int depth) {
			List<TypeRef> arguments = new ArrayList<>();
			if (take('<')) {
				do {
					arguments.add(type(depth + 1));
				}
				while (take(','));
				if (!take('>')) {
					throw failure();
				}
			}
			return arguments;
		}

		private String name() {
			int start = this.position;
			while (this.position < this.text.length() && Names.isPartOfName(this.text.charAt(this.position))) {
				this.position++;
			}
			String name = this.text.substring(start, this.position);
			if (!Names.isName(name)) {
				throw failure();
			}
			return name;
		}

		private boolean take(char expected) {
			if (this.position < this.text.length() && this.text.charAt(this.position) == expected) {
				this.position++;
				return true;
			}
			return false;
		}

		private ContractException failure() {
			return new ContractException("type", this.text, "a type such as java.util.List<com.acme.User>");
		}

	}

}
