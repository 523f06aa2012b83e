package io.rpcboot.internal.serialization.protobuf.schema;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

import io.rpcboot.RpcConfigurationException;
import io.rpcboot.internal.serialization.protobuf.schema.ProtoSource.Field;
import io.rpcboot.internal.serialization.protobuf.schema.ProtoSource.Message;
import io.rpcboot.internal.serialization.protobuf.schema.ProtoSource.Method;
import org.jspecify.annotations.Nullable;

/**
 * Reads the declarations of a {@code .proto}: services, messages, enums and options of
 * the file. Skips what says nothing about numbers and types. For one text.
 */
final class ProtoParser {

	private static final Pattern TOKEN = Pattern
		.compile("//[^\\n]*|/\\*(?s:.*?)\\*/|(\"(?:\\\\.|[^\"\\\\])*\"|'(?:\\\\.|[^'\\\\])*')|([.\\w]+|[^\\s\\w])");

	private static final Pattern INTERFACE = Pattern
		.compile("(?m)^" + ProtoSource.INTERFACE + "(\\S+)\\R\\s*service\\s+(\\w+)");

	private static final Set<String> LABELS = Set.of("optional", "required", "repeated");

	private final String place;

	private final String text;

	private final List<String> tokens = new ArrayList<>();

	private final ProtoSource source = new ProtoSource();

	private int next;

	ProtoParser(String place, String text) {
		this.place = place;
		this.text = text;
		Matcher matcher = TOKEN.matcher(text);
		while (matcher.find()) {
			if (matcher.group(1) != null || matcher.group(2) != null) {
				this.tokens.add(matcher.group());
			}
		}
	}

	ProtoSource parse() {
		while (this.next < this.tokens.size()) {
			switch (take()) {
				case "package" -> {
					this.source.packageName = take();
					expect(";");
				}
				case "option" -> option();
				case "message" -> message(this.source.packageName);
				case "enum" -> enumeration(this.source.packageName);
				case "service" -> service();
				case ";" -> {
				}
				default -> skipStatement();
			}
		}
		Matcher named = INTERFACE.matcher(this.text);
		while (named.find()) {
			this.source.interfaces.put(within(this.source.packageName, named.group(2)), named.group(1));
		}
		return this.source;
	}

	private void option() {
		String name = take();
		if (peek().equals("=")) {
			take();
			String value = take();
			this.source.options.put(name, value.replaceAll("^[\"']|[\"']$", ""));
		}
		skipStatement();
	}

	private void message(String scope) {
		Message message = new Message(within(scope, take()));
		this.source.messages.put(message.name(), message);
		expect("{");
		fields(message);
	}

	/** Reads the fields of a message or a oneof, up to the closing brace. */
	private void fields(Message message) {
		while (!peek().equals("}")) {
			String word = take();
			boolean isDeclaration = !this.tokens.get(this.next + 1).equals("=");
			if (word.equals("message") && isDeclaration) {
				message(message.name());
			}
			else if (word.equals("enum") && isDeclaration) {
				enumeration(message.name());
			}
			else if (word.equals("oneof") && isDeclaration) {
				take();
				expect("{");
				fields(message);
			}
			else if (Set.of("option", "reserved", "extensions", "extend", ";").contains(word) && isDeclaration) {
				if (!word.equals(";")) {
					skipStatement();
				}
			}
			else {
				field(message, word);
			}
		}
		expect("}");
	}

	private void field(Message message, String word) {
		boolean isLabel = LABELS.contains(word) && !this.tokens.get(this.next + 1).equals("=");
		String type = isLabel ? take() : word;
		String key = null;
		if (type.equals("map") && peek().equals("<")) {
			expect("<");
			key = take();
			expect(",");
			type = take();
			expect(">");
		}
		String name = take();
		expect("=");
		int number = number(take());
		message.fields().add(new Field(name, number, word.equals("repeated") || key != null, type, key));
		skipStatement();
	}

	private void enumeration(String scope) {
		String name = within(scope, take());
		Map<String, Integer> constants = new LinkedHashMap<>();
		expect("{");
		while (!peek().equals("}")) {
			String word = take();
			if (peek().equals("=")) {
				expect("=");
				boolean isNegative = peek().equals("-");
				if (isNegative) {
					take();
				}
				int number = number(take());
				constants.put(word, isNegative ? -number : number);
			}
			if (!word.equals(";")) {
				skipStatement();
			}
		}
		expect("}");
		this.source.enums.put(name, constants);
	}

	private void service() {
		List<Method> methods = new ArrayList<>();
		this.source.services.put(within(this.source.packageName, take()), methods);
		expect("{");
		while (!peek().equals("}")) {
			String word = take();
			if (word.equals("rpc")) {
				String name = take();
				boolean streamsRequests = isStream();
				String request = take();
				expect(")");
				expect("returns");
				boolean streamsResponses = isStream();
				methods.add(new Method(name, request, take(), new Streams(streamsRequests, streamsResponses)));
				expect(")");
			}
			if (!word.equals(";")) {
				skipStatement();
			}
		}
		expect("}");
	}

	private boolean isStream() {
		expect("(");
		boolean isStream = peek().equals("stream") && !this.tokens.get(this.next + 1).equals(")");
		if (isStream) {
			take();
		}
		return isStream;
	}

	/** Skips the rest of a statement: up to a semicolon, or behind its block. */
	private void skipStatement() {
		int depth = 0;
		while (this.next < this.tokens.size()) {
			String token = take();
			depth += Set.of("{", "[", "(").contains(token) ? 1 : Set.of("}", "]", ")").contains(token) ? -1 : 0;
			if (depth == 0 && (token.equals(";") || (token.equals("}") && !peek().equals(";")))) {
				return;
			}
		}
	}

	private static String within(String scope, String name) {
		return scope.isEmpty() ? name : scope + "." + name;
	}

	private int number(String text) {
		try {
			return Integer.decode(text);
		}
		catch (NumberFormatException ex) {
			throw refusal(text, "a number");
		}
	}

	private String peek() {
		return (this.next < this.tokens.size()) ? this.tokens.get(this.next) : "";
	}

	private String take() {
		if (this.next + 1 >= this.tokens.size() && !Set.of(";", "}").contains(peek())) {
			throw refusal(null, "more");
		}
		return this.tokens.get(this.next++);
	}

	private void expect(String token) {
		String found = take();
		if (!found.equals(token)) {
			throw refusal(found, token);
		}
	}

	private RpcConfigurationException refusal(@Nullable String found, String expected) {
		String before = String.join(" ", this.tokens.subList(Math.max(0, this.next - 6), this.next));
		return new RpcConfigurationException(
				"%s: behind '%s' is %s (expected: %s)".formatted(this.place, before,
						(found != null) ? "'" + found + "'" : "the end", expected),
				"Correct the file. protoc tells the line.");
	}

}
