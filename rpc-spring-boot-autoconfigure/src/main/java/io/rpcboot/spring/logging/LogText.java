package io.rpcboot.spring.logging;

/**
 * Text that peers have chosen, as it may stand in a line of the log: neither long nor
 * with characters that begin another line, hide or reorder what is shown.
 */
final class LogText {

	/** In characters; what is over it is cut, with three dots at its end. */
	static final int MOST = 128;

	private static final String CUT = "...";

	private LogText() {
	}

	static String of(String text) {
		boolean isLong = text.length() > MOST;
		String kept = isLong ? text.substring(0, MOST - CUT.length()) : text;
		StringBuilder clean = null;
		for (int i = 0; i < kept.length(); i++) {
			if (!isVisible(kept.charAt(i))) {
				clean = (clean != null) ? clean : new StringBuilder(kept);
				clean.setCharAt(i, '?');
			}
		}
		String result = (clean != null) ? clean.toString() : kept;
		return isLong ? result + CUT : result;
	}

	/** As the value of a key: in quotes if a reader could not see its end otherwise. */
	static String value(String text) {
		String clean = of(text);
		for (int i = 0; i < clean.length(); i++) {
			char each = clean.charAt(i);
			if (each == ' ' || each == '"' || each == '=' || each == '\\') {
				return '"' + clean.replace("\\", "\\\\").replace("\"", "\\\"") + '"';
			}
		}
		return clean.isEmpty() ? "\"\"" : clean;
	}

	private static boolean isVisible(char each) {
		if (each >= ' ' && each < 0x7f) {
			return true;
		}
		return switch (Character.getType(each)) {
			case Character.CONTROL, Character.FORMAT, Character.LINE_SEPARATOR, Character.PARAGRAPH_SEPARATOR,
					Character.UNASSIGNED ->
				false;
			default -> true;
		};
	}

}
