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

	private static final String ALIASES = " aka ";

	private static final String THROWS = " throws ";

	private static final String ONE_WAY = " one-way";

	private static final String METHOD = "method ";

	private static final String MEMBER = "  ";

	private ContractText() {
	}

	static String write(Contract contract) {
		StringBuilder text = new StringBuilder(contract.format()).append('\n');
		for (ContractMethod each : contract.methods()) {
			text.append(METHOD)
				.append(each.name())
				.append(each.parameters().stream().map(TypeRef::toString).collect(Collectors.joining(", ", "(", ") ")))
				.append(each.result())
				.append(each.oneWay() ? ONE_WAY : "")
				.append(each.exceptions().isEmpty() ? "" : THROWS)
				.append(each.exceptions().stream().map(TypeRef::toString).collect(Collectors.joining(", ")))
				.append(aliases(each.aliases()))
				.append('\n');
		}
		for (ContractType each : contract.types()) {
			text.append(each.kind().text()).append(' ').append(each.type()).append(aliases(each.aliases()));
			text.append('\n');
			for (ContractMember member : each.members()) {
				text.append(MEMBER).append(member.number()).append(' ').append(member.name()).append(' ');
				text.append(member.type()).append(aliases(member.aliases())).append('\n');
			}
		}
		return text.toString();
	}

	private static String aliases(List<String> aliases) {
		return aliases.isEmpty() ? "" : ALIASES + String.join(" ", aliases);
	}

	static Contract read(String text) {
		if (text.length() > Contract.MAX_LENGTH) {
			throw new ContractException("text", text, "at most %d characters".formatted(Contract.MAX_LENGTH));
		}
		List<String> lines = text.lines().toList();
		if (lines.isEmpty()) {
			throw new ContractException("text", text, "a format, methods and types");
		}
		List<ContractMethod> methods = new ArrayList<>();
		List<ContractType> types = new ArrayList<>();
		int at = 1;
		while (at < lines.size() && lines.get(at).startsWith(METHOD)) {
			methods.add(method(lines.get(at), methods.size()));
			at++;
		}
		while (at < lines.size()) {
			int end = at + 1;
			while (end < lines.size() && lines.get(end).startsWith(MEMBER)) {
				end++;
			}
			types.add(type(lines.get(at), lines.subList(at + 1, end)));
			at = end;
		}
		return Contract.of(lines.get(0), methods, types);
	}

	private static ContractMethod method(String line, int number) {
		Line rest = new Line(line);
		List<String> aliases = rest.takeAliases();
		List<TypeRef> exceptions = rest.takeLast(THROWS, ", ").stream().map(TypeRef::parse).toList();
		boolean oneWay = rest.takeSuffix(ONE_WAY);
		int open = rest.text.indexOf('(');
		int close = rest.text.lastIndexOf(") ");
		if (open <= METHOD.length() || close < open) {
			throw rest.failure();
		}
		String between = rest.text.substring(open + 1, close);
		List<TypeRef> parameters = new ArrayList<>();
		for (String each : between.isEmpty() ? new String[0] : between.split(", ", -1)) {
			parameters.add(TypeRef.parse(each));
		}
		return new ContractMethod(number, rest.text.substring(METHOD.length(), open), parameters,
				TypeRef.parse(rest.text.substring(close + 2)), oneWay, exceptions, aliases);
	}

	private static ContractType type(String line, List<String> members) {
		Line rest = new Line(line);
		List<String> aliases = rest.takeAliases();
		String[] words = rest.text.split(" ", -1);
		Kind kind = Arrays.stream(Kind.values())
			.filter((each) -> each.text().equals(words[0]))
			.findFirst()
			.orElseThrow(rest::failure);
		if (words.length != 2) {
			throw rest.failure();
		}
		return new ContractType(kind, TypeRef.parse(words[1]), members.stream().map(ContractText::member).toList(),
				aliases);
	}

	private static ContractMember member(String line) {
		Line rest = new Line(line);
		List<String> aliases = rest.takeAliases();
		String[] words = rest.text.split(" ", -1);
		if (words.length != 5) {
			throw rest.failure();
		}
		try {
			return new ContractMember(Integer.parseInt(words[2]), words[3], TypeRef.parse(words[4]), aliases);
		}
		catch (NumberFormatException ex) {
			throw rest.failure();
		}
	}

	/** A line from which parts are taken from the end. */
	private static final class Line {

		private final String whole;

		private String text;

		private Line(String text) {
			this.whole = text;
			this.text = text;
		}

		private List<String> takeAliases() {
			return takeLast(ALIASES, " ");
		}

		private List<String> takeLast(String keyword, String separator) {
			int at = this.text.lastIndexOf(keyword);
			if (at < 0) {
				return List.of();
			}
			List<String> words = List.of(this.text.substring(at + keyword.length()).split(separator, -1));
			this.text = this.text.substring(0, at);
			return words;
		}

		private boolean takeSuffix(String suffix) {
			if (!this.text.endsWith(suffix)) {
				return false;
			}
			this.text = this.text.substring(0, this.text.length() - suffix.length());
			return true;
		}

		private ContractException failure() {
			return new ContractException("line", this.whole, "a method, a type or a member of a type");
		}

	}

}
