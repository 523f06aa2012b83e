package io.rpcboot.serialization.contract;

import java.util.List;
import java.util.stream.IntStream;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import io.rpcboot.RpcConfigurationException;
import io.rpcboot.serialization.contract.ContractType.Kind;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * Tests the rules for the own contract, which are checked at start-up with a remedy.
 */
class ContractTests {

	private static final TypeRef INT = TypeRef.of("int");

	private static Contract of(ContractMember... members) {
		return Contract.of("a", List.of(),
				List.of(new ContractType(Kind.BEAN, TypeRef.of("T"), List.of(members), List.of())));
	}

	private static void requireRefused(Runnable contract, String message) {
		assertThatExceptionOfType(RpcConfigurationException.class).isThrownBy(contract::run)
			.withMessageContaining(message)
			.satisfies((ex) -> assertThat(ex.action()).isNotEmpty());
	}

	@ParameterizedTest
	@ValueSource(strings = { "my field", "a\tb", "a\nb", "", "-", "\ud800", "a\u2028b" })
	void invalidFieldName_isRefused(String name) {
		requireRefused(() -> of(new ContractMember(1, name, INT)), "a name that cannot be sent");
	}

	@ParameterizedTest
	@ValueSource(strings = { "my class", "a,b", "a<b", "a>b", "a[b", "a(b", "a)b", "", "a\rb" })
	void invalidClassOrMethodName_isRefused(String name) {
		TypeRef type = TypeRef.of(name);
		requireRefused(() -> of(new ContractMember(1, "a", type)), "a name that cannot be sent");
		requireRefused(() -> of(new ContractMember(1, "a", TypeRef.of("java.util.List", TypeRef.arrayOf(type)))),
				"a name that cannot be sent");
		requireRefused(() -> Contract.of("a", List.of(method(0, name)), List.of()), "a name that cannot be sent");
		requireRefused(() -> of(new ContractMember(1, "a", INT, List.of(name))), "a name that cannot be sent");
	}

	private static ContractMethod method(int number, String name, String... aliases) {
		return new ContractMethod(number, name, List.of(INT), INT, false, List.of(), List.of(aliases));
	}

	@Test
	void ambiguousMethods_areRefused() {
		requireRefused(() -> Contract.of("a", List.of(method(0, "x", "y"), method(1, "y")), List.of()),
				"alias 'y' of method x(int) also means method y(int)");
		requireRefused(() -> Contract.of("a", List.of(method(0, "x", "z"), method(1, "y", "z")), List.of()),
				"alias 'z' of method y(int) also means method x(int)");
		requireRefused(() -> Contract.of("a", List.of(method(1, "x")), List.of()), "another number than its place");
	}

	@Test
	void overloads_mayShareAlias() {
		ContractMethod other = new ContractMethod(1, "y", List.of(), INT, false, List.of(), List.of("z"));
		assertThat(Contract.of("a", List.of(method(0, "x", "z"), other), List.of()).methods()).hasSize(2);
	}

	@Test
	void oversizedContract_isRefused() {
		List<ContractType> types = IntStream.range(0, 4000)
			.mapToObj((each) -> new ContractType(Kind.BEAN, TypeRef.of("T".repeat(300) + each), List.of(), List.of()))
			.toList();
		requireRefused(() -> Contract.of("a", List.of(), types), "(expected: at most 1048576)");
	}

	@Test
	void contract_isEqual_withTypesInOtherOrder() {
		ContractType one = new ContractType(Kind.BEAN, TypeRef.of("A"), List.of(), List.of());
		ContractType other = new ContractType(Kind.BEAN, TypeRef.of("B"), List.of(), List.of());
		assertThat(Contract.of("a", List.of(), List.of(one, other)).hash())
			.isEqualTo(Contract.of("a", List.of(), List.of(other, one)).hash());
		requireRefused(() -> Contract.of("a", List.of(), List.of(one, one)), "type A is defined twice");
	}

}
