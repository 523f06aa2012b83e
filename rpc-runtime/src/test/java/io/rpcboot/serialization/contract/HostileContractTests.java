package io.rpcboot.serialization.contract;

import java.util.function.IntFunction;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * A peer may send any table of a mebibyte: to read it and to compare it takes neither
 * much time nor much memory.
 */
@Timeout(20)
class HostileContractTests {

	private static final Contract OWN = Contract.parse("""
			a
			method get(Tree) Tree
			method put(Tree, int) void
			bean Tree aka Bush
			  1 left Tree
			  2 right Tree
			  3 leaf int
			""");

	private static String lines(int count, IntFunction<String> line) {
		return IntStream.range(0, count).mapToObj(line).collect(Collectors.joining());
	}

	private static Contract parse(String text) {
		assertThat(text.length()).isLessThanOrEqualTo(Contract.MAX_LENGTH);
		return Contract.parse(text);
	}

	@Test
	void oversizedText_isRefused() {
		assertThatExceptionOfType(ContractException.class).isThrownBy(() -> Contract.parse("a".repeat((1 << 20) + 1)))
			.satisfies((ex) -> assertThat(ex.getMessage()).hasSizeLessThan(300));
	}

	@Test
	void singleLongLine_isRefused() {
		assertThatExceptionOfType(ContractException.class).isThrownBy(() -> Contract.parse("a".repeat(1 << 20)));
		assertThatExceptionOfType(ContractException.class)
			.isThrownBy(() -> Contract.parse("a\nmethod x() void aka" + " y".repeat(500_000) + "\n"));
		assertThatExceptionOfType(ContractException.class)
			.isThrownBy(() -> Contract.parse("a\nmethod x(" + "int, ".repeat(200_000) + "int) void\n"));
	}

	@Test
	void deepTypes_areRefused() {
		for (String deep : new String[] { "List<".repeat(200_000), "List<".repeat(90_000) + "int" + ">".repeat(90_000),
				"int" + "[]".repeat(500_000), "Map<int" + ",int".repeat(200_000) + ">" }) {
			assertThatExceptionOfType(ContractException.class)
				.isThrownBy(() -> Contract.parse("a\nmethod x() " + deep + "\n"));
		}
	}

	@Test
	void tooManyMethods_areRefused() {
		String text = "a\n" + lines(Contract.MAX_METHODS + 1, "method m%05d() int\n"::formatted);
		assertThatExceptionOfType(ContractException.class).isThrownBy(() -> Contract.parse(text))
			.withMessageContaining("4097 methods (expected: at most 4096)");
	}

	@Test
	void manyMethodsOfOneName_areCompared() {
		Contract peer = parse("a\n" + lines(4096, "method get(T%05d) int\n"::formatted));
		ContractMatch match = ContractMatch.of(peer, OWN);
		assertThat(match.refused()).hasSize(4096);
		assertThat(match.difference(7)).isEqualTo("method get(T00007) is missing at the server, which has get(Tree)");
		assertThat(ContractMatch.of(OWN, peer).difference(0)).isEqualTo(
				"method get(Tree) is missing at the server, which has get(T00000) and get(T00001) and get(T00002) and get(T00003)");
	}

	@Test
	void manyMembers_areCompared() {
		Contract peer = parse("a\nmethod get(Tree) Tree\nbean Tree\n"
				+ lines(50_000, (each) -> "  %d f%d int\n".formatted(each + 1, each)));
		assertThat(ContractMatch.of(OWN, peer).difference(0)).isEmpty();
		assertThat(ContractMatch.of(peer, OWN).difference(0)).isEmpty();
	}

	@Test
	void typesSharingAlias_areCompared() {
		Contract peer = parse("a\nmethod get(Tree<T00000>) Tree<T00000>\n"
				+ lines(9_000, (each) -> "bean Tree<T%05d> aka Bush\n  1 left Tree<T%05d>\n  2 right Tree<T%05d>\n"
					.formatted(each, Math.min(each + 1, 8_999), Math.max(each - 1, 0))));
		assertThat(ContractMatch.of(peer, OWN).difference(0)).isEmpty();
		assertThat(ContractMatch.of(OWN, peer).difference(0)).isEmpty();
	}

	@Test
	void comparison_stops_afterTypeLimit() {
		Contract peer = parse("a\nmethod get(Tree<T00000>) Tree<T00000>\n" + lines(15_000,
				(each) -> "bean Tree<T%05d>\n  1 left Tree<T%05d>\n".formatted(each, Math.min(each + 1, 14_999))));
		assertThat(ContractMatch.of(OWN, peer).difference(0)).isEqualTo("more than 10000 types to compare");
	}

	@Test
	void comparison_staysBounded_withManyMethods() {
		String methods = lines(4096, (each) -> "method get%04d(T0000) T0000\n".formatted(each));
		String types = lines(9_000, (each) -> "bean T%04d\n  1 n T%04d\n  2 x %s\n".formatted(each,
				Math.min(each + 1, 8_999), (each == 8_999) ? "TYPE" : "int"));
		Contract one = parse("a\n" + methods + types.replace("TYPE", "int"));
		Contract other = parse("a\n" + methods + types.replace("TYPE", "java.lang.String"));
		ContractMatch match = ContractMatch.of(one, other);
		assertThat(match.refused()).hasSize(4096);
		assertThat(match.difference(0))
			.isEqualTo("field x of T8999: int at the client, java.lang.String at the server");
		assertThat(match.difference(4095)).isEqualTo("more than 10000 types to compare");
	}

	@Test
	void difference_isTruncated() {
		String name = "N".repeat(400);
		Contract one = parse("a\nmethod get(%1$s, %1$s, %1$s) int\n".formatted(name));
		Contract other = parse("a\nmethod get(int, int, int) int\n");
		assertThat(ContractMatch.of(one, other).difference(0)).hasSize(501).endsWith("…");
	}

	@Test
	void missingDefinition_isReportedAsDifference() {
		Contract peer = parse("a\nmethod get(Tree) Tree\n");
		assertThat(ContractMatch.of(OWN, peer).difference(0))
			.isEqualTo("argument 1 of get(Tree): bean Tree at the client, value Tree at the server; "
					+ "result of get(Tree): bean Tree at the client, value Tree at the server");
	}

	@Test
	void definitionOfValueType_isReportedAsDifference() {
		Contract own = parse("a\nmethod get(java.lang.String) int\n");
		Contract peer = parse("a\nmethod get(java.lang.String) int\nbean int\nbean java.lang.String\n");
		assertThat(ContractMatch.of(own, peer).difference(0)).contains("value java.lang.String at the client");
	}

}
