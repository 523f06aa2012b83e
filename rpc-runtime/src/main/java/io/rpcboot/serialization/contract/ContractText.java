package io.rpcboot.serialization.contract;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Collectors;

import io.rpcboot.serialization.contract.ContractType.Kind;

/**
 * The text of a contract, line by line:
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

	static Contract read(String text) {
		String[] lines = text.split("\n", -1);
		List<ContractMethod> methods = new ArrayList<>();
		List<ContractType> types = new ArrayList<>();
		int end = lines.length - 1;
		int at = 1;
		while (at < end && lines[at].startsWith(METHOD)) {
			methods.add(method(new Line(lines[at]), methods.size()));
			at++;
		}
		while (at < end) {
			Line type = new Line(lines[at]);
			List<ContractMember> members = new ArrayList<>();
			for (at++; at < end && lines[at].startsWith(MEMBER); at++) {
				members.add(member(new Line(lines[at])));
			}
			types.add(type(type, members));
		}
		return Contract.of(lines[0], methods, types);
	}

	/** Every contract has one text: sorted, nothing repeated, nothing else. */
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

	private static ContractMethod method(Line line, int number) {
		line.skip(METHOD);
		String name = line.until("(");
		String between = line.until(") ");
		List<TypeRef> parameters = between.isEmpty() ? List.of()
				: Arrays.stream(between.split(SEPARATOR, -1)).map(TypeRef::parse).toList();
		TypeRef result = TypeRef.parse(line.word());
		boolean oneWay = line.take(ONE_WAY);
		List<TypeRef> exceptions = new ArrayList<>();
		if (line.take(THROWS)) {
			boolean more;
			do {
				String thrown = line.word();
				more = thrown.endsWith(",");
				exceptions.add(TypeRef.parse(more ? thrown.substring(0, thrown.length() - 1) : thrown));
			}
			while (more);
		}
		return new ContractMethod(number, name, parameters, result, oneWay, exceptions, line.aliases());
	}

	private static ContractType type(Line line, List<ContractMember> members) {
		String word = line.word();
		Kind kind = Arrays.stream(Kind.values())
			.filter((each) -> each.text().equals(word))
			.findFirst()
			.orElseThrow(line::failure);
		return new ContractType(kind, TypeRef.parse(line.word()), members, line.aliases());
	}

	private static ContractMember member(Line line) {
		line.skip(MEMBER);
		try {
			return new ContractMember(Integer.parseInt(line.word()), line.word(), TypeRef.parse(line.word()),
					line.aliases());
		}
		catch (NumberFormatException ex) {
			throw line.failure();
		}
	}

	/** A line that is read from left to right. */
	private static final class Line {

		private final String text;

		private int position;

		private Line(String text) {
			this.text = text;
		}

		private void skip(String known) {
			this.position += known.length();
		}

		private String until(String end) {
			int at = this.text.indexOf(end, this.position);
			if (at < 0) {
				throw failure();
			}
			String part = this.text.substring(this.position, at);
			this.position = at + end.length();
			return part;
		}

		private String word() {
			if (this.position > this.text.length()) {
				throw failure();
			}
			int at = this.text.indexOf(' ', this.position);
			int end = (at < 0) ? this.text.length() : at;
			String word = this.text.substring(this.position, end);
			this.position = end + 1;
			return word;
		}

		private boolean take(String keyword) {
			int mark = this.position;
			if (mark <= this.text.length() && word().equals(keyword)) {
				return true;
			}
			this.position = mark;
			return false;
		}

		/** All that remains. */
		private List<String> aliases() {
			if (this.position > this.text.length()) {
				return List.of();
			}
			if (!take(ALIASES)) {
				throw failure();
			}
			List<String> aliases = new ArrayList<>();
			while (this.position <= this.text.length()) {
				aliases.add(word());
			}
			return aliases;
		}

		private ContractException failure() {
			return new ContractException("line", this.text, "a method, a type or a member of a type");
		}

	}

}
