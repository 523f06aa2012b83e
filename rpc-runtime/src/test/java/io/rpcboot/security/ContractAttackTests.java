package io.rpcboot.security;

import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Arrays;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import io.rpcboot.ServiceDescriptor;
import io.rpcboot.serialization.MethodCodec;
import io.rpcboot.serialization.SerializationException;
import io.rpcboot.serialization.ServiceCodec;
import io.rpcboot.serialization.contract.Contract;
import io.rpcboot.serialization.contract.ContractException;
import io.rpcboot.serialization.contract.ContractMatch;
import io.rpcboot.serialization.jackson.JacksonSerializer;
import io.rpcboot.serialization.protostuff.ProtostuffSerializer;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.junit.jupiter.api.Assertions.assertTimeoutPreemptively;

/** Tables of a peer that want something else than to be compared. */
public class ContractAttackTests {

	private static final Duration SOON = Duration.ofSeconds(20);

	private static final String NODE = "io.rpcboot.security.ContractAttackTests$Node";

	private static final String CHOICE = "io.rpcboot.security.ContractAttackTests$Choice";

	private ServiceCodec codec = new ProtostuffSerializer().codec(ServiceDescriptor.of(Tree.class));

	/** What is offered. */
	public interface Tree {

		Node<String> find(Node<String> node);

		Choice choose(Choice choice);

	}

	/**
	 * Holds its own kind.
	 *
	 * @param <T> what it holds
	 */
	public record Node<T>(T value, Node<T> next, int count) {
	}

	/** An enum. */
	public enum Choice {

		ONE, TWO

	}

	/** What a server does with the table of a client that is new to it. */
	private String serve(String text, byte... body) {
		Contract peer = Contract.parse(text);
		StringBuilder outcome = new StringBuilder();
		ContractMatch match = ContractMatch.of(peer, this.codec.contract());
		for (int i = 0; i < peer.methods().size(); i++) {
			int own = match.serverMethod(i);
			outcome.append(match.difference(i)).append('\n');
			if (own != ContractMatch.REFUSED) {
				MethodCodec method = this.codec.translate(peer).method(own, i);
				try {
					Object[] read = method.deserializeArguments(body, 0, body.length);
					outcome.append(Arrays.asList(read)).append('\n');
				}
				catch (SerializationException ex) {
					outcome.append(ex.getMessage()).append('\n');
				}
			}
		}
		return outcome.toString();
	}

	private static String table(String argument, String... types) {
		return "protostuff/1\nmethod find(%s) void\n%s".formatted(argument, String.join("", types));
	}

	@Test
	void unchangedTable_isServed() {
		byte[] body = new Wire().start(1).text(1, "a").number(3, 5).end(1).toByteArray();
		assertThat(serve(this.codec.contract().text(), body)).contains("[Node[value=a, next=null, count=5]]");
	}

	/** Each is another type by its arguments, and the same by its name. */
	@ParameterizedTest
	@ValueSource(strings = { "protostuff", "json" })
	void endlessTypes_areRefusedOrHarmless(String serializer) {
		if (serializer.equals("json")) {
			this.codec = new JacksonSerializer().codec(ServiceDescriptor.of(Tree.class));
		}
		int many = 4000;
		String text = table(NODE + "<x0>",
				IntStream.range(0, many)
					.mapToObj("%05d"::formatted)
					.map((i) -> "record %s<x%d>\n  1 value java.lang.String\n  2 next %s<x%d>\n".formatted(NODE,
							Integer.parseInt(i), NODE, Integer.parseInt(i) + 1))
					.sorted()
					.toArray(String[]::new))
			.replace("protostuff/1", serializer + "/1");
		assertTimeoutPreemptively(SOON,
				() -> assertRefusedOrHarmless(text, "[{}]".getBytes(StandardCharsets.US_ASCII)));
	}

	@Test
	void manyMethodsOfOneName_areComparedQuickly() {
		String text = "protostuff/1\n" + IntStream.range(0, Contract.MAX_METHODS)
			.mapToObj("method choose(T%d) void\n"::formatted)
			.collect(Collectors.joining());
		assertTimeoutPreemptively(SOON, () -> assertThat(serve(text))
			.contains("method choose(T0) is missing at the server, which has choose("));
	}

	@Test
	void manyMembers_areReadQuickly() {
		String members = IntStream.range(1, 30_000)
			.mapToObj((each) -> "  %d f%d java.lang.String\n".formatted(each, each))
			.collect(Collectors.joining());
		String text = table(NODE + "<java.lang.String>", "record " + NODE + "<java.lang.String>\n" + members);
		byte[] body = new Wire().start(1).end(1).toByteArray();
		assertTimeoutPreemptively(SOON, () -> assertThat(serve(text, body)).isNotEmpty());
	}

	@Test
	void manyConstants_areReadQuickly() {
		String members = IntStream.range(0, 50_000)
			.mapToObj((each) -> "  %d C%d void\n".formatted(each, each))
			.collect(Collectors.joining());
		String text = "protostuff/1\nmethod choose(%s) void\nenum %s\n%s".formatted(CHOICE, CHOICE, members);
		assertTimeoutPreemptively(SOON, () -> assertThat(serve(text, (byte) 8, (byte) 1)).isNotEmpty());
	}

	@ParameterizedTest
	@ValueSource(strings = { "-1", "0", "536870912", "2147483647", "-2147483648", "268435456" })
	void invalidFieldNumber_isRefusedOrHarmless(String number) {
		String text = table(NODE + "<java.lang.String>",
				"record %s<java.lang.String>\n  %s value java.lang.String\n".formatted(NODE, number));
		byte[] body = new Wire().start(1).text(1, "a").end(1).toByteArray();
		assertRefusedOrHarmless(text, body);
	}

	@Test
	void duplicateMembers_areRefusedOrHarmless() {
		String text = table(NODE + "<java.lang.String>", "record " + NODE + "<java.lang.String>\n",
				"  1 value java.lang.String\n  1 value java.lang.String\n  1 next java.lang.String\n");
		assertRefusedOrHarmless(text, new Wire().start(1).text(1, "a").text(1, "b").end(1).toByteArray());
	}

	@ParameterizedTest
	@ValueSource(
			strings = { "java.util.List", "java.util.Map<int>", "java.util.List<int,int>", "[]", "java.lang.Runtime",
					"io.rpcboot.security.Gadget", "java.lang.Object", "a<b<c<d<e>>>>", "void", "int[][][][]" })
	void incompatibleTypes_areRefusedOrHarmless(String type) {
		String text = table(NODE + "<java.lang.String>",
				"record %s<java.lang.String>\n  1 value %s\n".formatted(NODE, type));
		byte[] body = new Wire().start(1).text(1, "a").end(1).toByteArray();
		assertRefusedOrHarmless(text, body);
		assertRefusedOrHarmless(table(type), body);
	}

	private void assertRefusedOrHarmless(String text, byte[] body) {
		try {
			assertThat(serve(text, body)).isNotEmpty();
		}
		catch (ContractException ex) {
			assertThat(ex.getMessage()).hasSizeLessThan(500);
		}
	}

	@ParameterizedTest
	@ValueSource(strings = { "", "protostuff/1", "protostuff/1\n\n", "protostuff/1\nmethod\n",
			"protostuff/1\nmethod (\n", "protostuff/1\nmethod a() \n", "protostuff/1\nmethod a(b<) void\n",
			"protostuff/1\nrecord\n", "protostuff/1\nrecord a b c\n", "protostuff/1\nnothing a\n",
			"protostuff/1\nrecord a\n  aka b\n", "protostuff/1\nrecord a\n  1\n", "protostuff/1\nrecord a\n  x y z\n",
			"protostuff/1\nrecord a\n  99999999999 y z\n", "protostuff/1\nmethod a() void throws \n",
			"protostuff/1\nrecord b\nrecord a\n", "protostuff/1\nrecord a\nrecord a\n", "protostuff/1\r\n" })
	void malformedTable_isRefused(String text) {
		assertThatExceptionOfType(ContractException.class).isThrownBy(() -> Contract.parse(text));
	}

	@Test
	void deepOrLongTypes_areRefused() {
		String deep = "a<".repeat(100_000) + "b" + ">".repeat(100_000);
		assertThatExceptionOfType(ContractException.class).isThrownBy(() -> Contract.parse(table(deep)));
		String arrays = "int" + "[]".repeat(100_000);
		assertThatExceptionOfType(ContractException.class).isThrownBy(() -> Contract.parse(table(arrays)));
		String wide = "a<" + "b,".repeat(200_000) + "b>";
		assertRefusedOrHarmless(table(wide), new byte[0]);
		String tooLong = "protostuff/1\n" + "x".repeat(Contract.MAX_LENGTH);
		assertThatExceptionOfType(ContractException.class).isThrownBy(() -> Contract.parse(tooLong))
			.satisfies((ex) -> assertThat(ex.getMessage()).hasSizeLessThan(500));
	}

}
