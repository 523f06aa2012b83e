package io.rpcboot.serialization.contract;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;

/**
 * A type in a contract, its type arguments resolved. The text form is what a person would
 * write: {@code java.util.Map<java.lang.String,com.acme.User[]>}.
 *
 * @param name a binary class name, a primitive, {@code void}, or {@value #ARRAY}
 * @param arguments the type arguments; of an array the one component
 */
public record TypeRef(String name, List<TypeRef> arguments) {

	/** The name of an array, whose text is that of its component and this. */
	public static final String ARRAY = "[]";

	/** No result. */
	public static final TypeRef VOID = of("void");

	private static final int MAX_DEPTH = 32;

	private static final int MAX_LENGTH = 2000;

	public TypeRef {
		arguments = List.copyOf(arguments);
	}

	/** Create a reference. */
	public static TypeRef of(String name, TypeRef... arguments) {
		return new TypeRef(name, List.of(arguments));
	}

	/** Create a reference to an array of a component. */
	public static TypeRef arrayOf(TypeRef component) {
		return of(ARRAY, component);
	}

	/**
	 * From text.
	 * @param text what {@link #toString()} gives
	 * @return the reference
	 * @throws ContractException if it is not such a text
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

	/** Whether it is a type whose text gives the same type. */
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
