package io.rpcboot.internal.text;

/**
 * Cleans and cuts the texts of peers. Line breaks and tabs become spaces; other control
 * characters (C0, C1), line and paragraph separators and format characters, which reorder
 * or hide text, become question marks.
 */
public final class PrintableText {

	private static final String CUT = "...";

	private static final int LONGEST_CLASS_NAME = 500;

	private PrintableText() {
	}

	/**
	 * Returns a clean text.
	 * @param text text of a peer
	 * @return the same text if there is nothing to clean
	 */
	public static String of(String text) {
		for (int i = 0; i < text.length(); i++) {
			if (!isPlain(text.charAt(i))) {
				return clean(text);
			}
		}
		return text;
	}

	/**
	 * Returns a clean text of a limited length.
	 * @param text text of a peer
	 * @param most largest number of characters, 1 or more; a longer text ends with three
	 * dots beyond it
	 * @return the text
	 */
	public static String of(String text, int most) {
		if (text.length() <= most) {
			return of(text);
		}
		int end = Character.isHighSurrogate(text.charAt(most - 1)) ? most - 1 : most;
		return of(text.substring(0, end)) + CUT;
	}

	/**
	 * Returns the name of a class.
	 * @param name name of a class, as a peer has sent it
	 * @return the name; an empty text if it does not look like the name of a class
	 */
	public static String className(String name) {
		if (name.length() > LONGEST_CLASS_NAME) {
			return "";
		}
		return name.codePoints().allMatch(PrintableText::isPartOfClassName) ? name : "";
	}

	/** The names of hidden classes have a slash. */
	private static boolean isPartOfClassName(int each) {
		return (Character.isJavaIdentifierPart(each) && !Character.isIdentifierIgnorable(each)) || each == '.'
				|| each == '/';
	}

	private static boolean isPlain(char each) {
		return each >= ' ' && each < 0x7f;
	}

	private static String clean(String text) {
		StringBuilder result = new StringBuilder(text.length());
		text.codePoints().forEach((each) -> result.appendCodePoint(printable(each)));
		return result.toString();
	}

	private static int printable(int each) {
		if (each == '\n' || each == '\r' || each == '\t') {
			return ' ';
		}
		return switch (Character.getType(each)) {
			case Character.CONTROL, Character.FORMAT, Character.LINE_SEPARATOR, Character.PARAGRAPH_SEPARATOR,
					Character.SURROGATE ->
				'?';
			default -> each;
		};
	}

}
