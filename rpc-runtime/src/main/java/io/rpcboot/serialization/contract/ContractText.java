package io.rpcboot.serialization.contract;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Queue;
import java.util.stream.Collectors;

import io.rpcboot.serialization.contract.ContractType.Kind;

/**
 * Writes and parses the text of a contract, line by line:
 *
 * <pre>
 * protostuff/1
 * method find(java.util.List&lt;java.lang.Long&gt;) com.acme.Page&lt;com.acme.User&gt; throws com.acme.Gone aka search
 * record com.acme.User aka com.acme.Person
 *   1 id long
 *   2 name java.lang.String aka title
 * </pre>
 */
final class ContractText {

	private static final String ALIASES = "aka";

	private static final String THROWS = "throws";

	private static final String ONE_WAY = "one-way";

	private static final String SEPARATOR = ", ";

	private static final String METHOD = "method ";

	private static final String MEMBER = "  ";

	private ContractText() {
	}

	static String write(Contract contract) {
		StringBuilder text = new StringBuilder(contract.format()).append('\n');
		for (ContractMethod each : contract.methods()) {
			text.append(METHOD).append(each.signature()).append(' ').append(each.result());
			if (each.oneWay()) {
				text.append(' ').append(ONE_WAY);
			}
			if (!each.exceptions().isEmpty()) {
				text.append(' ').append(THROWS).append(' ');
				text.append(each.exceptions().stream().map(TypeRef::toString).collect(Collectors.joining(SEPARATOR)));
			}
			endLine(text, each.aliases());
		}
		for (ContractType each : contract.types()) {
			text.append(each.kind().text()).append(' ').append(each.type());
			endLine(text, each.aliases());
			for (ContractMember member : each.members()) {
				text.append(MEMBER).append(member.number()).append(' ').append(member.name()).append(' ');
				text.append(member.type());
				endLine(text, member.aliases());
			}
		}
		return text.toString();
	}

	private static void endLine(StringBuilder text, List<String> aliases) {
		if (!aliases.isEmpty()) {
			text.append(' ').append(ALIASES).append(' ').append(String.join(" ", aliases));
		}
		text.append('\n');
	}

	/** Reads a contract, and that of its streams if a second layout follows. */
	static Contract read(String text) {
		String[] lines = text.split("\n", -1);
		int last = lines.length - 1;
		int end = 1;
		while (end < last && !isFormat(lines[end])) {
			end++;
		}
		Contract first = read(lines, 0, Math.min(end, last));
		return (end < last) ? first.withStreams(read(lines, end, last)) : first;
	}

	/**
	 * Returns true for a layout such as {@code protobuf/1}, which is alone in its line.
	 */
	private static boolean isFormat(String line) {
		return line.indexOf(' ') < 0 && line.indexOf('/') > 0;
	}

	private static Contract read(String[] lines, int start, int end) {
		List<ContractMethod> methods = new ArrayList<>();
		List<ContractType> types = new ArrayList<>();
		int at = start + 1;
		while (at < end && lines[at].startsWith(METHOD)) {
			methods.add(method(lines[at], methods.size()));
			at++;
		}
		while (at < end) {
			String type = lines[at];
			List<ContractMember> members = new ArrayList<>();
			for (at++; at < end && lines[at].startsWith(MEMBER); at++) {
				members.add(member(lines[at]));
			}
			types.add(type(type, members));
		}
		return Contract.of(lines[start], methods, types);
	}

	/**
	 * Refuses a text that differs from the one of its contract, which is sorted and
	 * without repetition.
	 */
	static void requireSame(String text, String expected) {
		if (text.equals(expected)) {
			return;
		}
		String[] given = text.split("\n", -1);
		String[] rules = expected.split("\n", -1);
		int at = Arrays.mismatch(given, rules);
		throw new ContractException("line", (at < given.length) ? given[at] : "",
				(at < rules.length) ? rules[at] : "the end");
	}

	private static ContractMethod method(String text, int number) {
		int open = text.indexOf('(');
		int close = text.indexOf(") ", open + 1);
		if (open < 0 || close < 0) {
			throw failure(text);
		}
		String between = text.substring(open + 1, close);
		List<TypeRef> parameters = between.isEmpty() ? List.of()
				: Arrays.stream(between.split(SEPARATOR, -1)).map(TypeRef::parse).toList();
		Line line = Line.of(text, close + 2);
		TypeRef result = TypeRef.parse(line.word());
		boolean oneWay = line.take(ONE_WAY);
		List<TypeRef> exceptions = new ArrayList<>();
		for (boolean more = line.take(THROWS); more;) {
			String thrown = line.word();
			more = thrown.endsWith(",");
			exceptions.add(TypeRef.parse(more ? thrown.substring(0, thrown.length() - 1) : thrown));
		}
		return new ContractMethod(number, text.substring(METHOD.length(), open), parameters, result, oneWay, exceptions,
				line.aliases());
	}

	private static ContractType type(String text, List<ContractMember> members) {
		Line line = Line.of(text, 0);
		String word = line.word();
		Kind kind = Arrays.stream(Kind.values())
			.filter((each) -> each.text().equals(word))
			.findFirst()
			.orElseThrow(() -> failure(text));
		return new ContractType(kind, TypeRef.parse(line.word()), members, line.aliases());
	}

	private static ContractMember member(String text) {
		Line line = Line.of(text, MEMBER.length());
		try {
			return new ContractMember(Integer.parseInt(line.word()), line.word(), TypeRef.parse(line.word()),
					line.aliases());
		}
		catch (NumberFormatException ex) {
			throw failure(text);
		}
	}

	private static ContractException failure(String line) {
		return new ContractException("line", line, "a method, a type or a member of a type");
	}

	/** Words of a line that are not read yet. */
	private record Line(String text, Queue<String> words) {

		static Line of(String text, int from) {
			return new Line(text, new ArrayDeque<>(Arrays.asList(text.substring(from).split(" ", -1))));
		}

		String word() {
			if (this.words.isEmpty()) {
				throw failure(this.text);
			}
			return this.words.remove();
		}

		boolean take(String keyword) {
			boolean isNext = keyword.equals(this.words.peek());
			if (isNext) {
				this.words.remove();
			}
			return isNext;
		}

		/** Reads the rest of the line. */
		List<String> aliases() {
			if (!this.words.isEmpty() && !take(ALIASES)) {
				throw failure(this.text);
			}
			return List.copyOf(this.words);
		}

	}

}
