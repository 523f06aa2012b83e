package io.rpcboot.spring.logging;

/**
 * Sanitizes text from peers for the log: shortens it and replaces characters that break
 * lines, or hide or reorder text.
 */
final class LogText {

	/** Most characters; longer text is cut and ends with three dots. */
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

	/**
	 * Returns text as the value of a key: in quotes if its end would not be visible
	 * otherwise.
	 */
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
