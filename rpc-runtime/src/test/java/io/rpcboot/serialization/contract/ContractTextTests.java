package io.rpcboot.serialization.contract;

import java.util.List;
import java.util.Random;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * A text either gives a contract whose text it is, or a {@link ContractException}.
 */
class ContractTextTests {

	static final String TEXT = """
			protostuff/1
			method aka(int, java.util.List<com.acme.User[]>) void aka find search
			method get(long) com.acme.Page<com.acme.User> throws com.acme.Gone, throws aka read
			method tell(aka) void one-way
			bean aka aka aka2 former
			  3 aka aka aka aka1 aka2
			  7 x java.util.Map<java.lang.String,java.util.List<byte[][]>>
			base com.acme.Animal+
			  1 - com.acme.Cat
			  2 - com.acme.Dog
			enum com.acme.Colour
			  0 aka void aka throws
			  1 one-way void
			exception com.acme.Gone
			  1 getMessage() java.lang.String
			  2 message java.lang.String
			record com.acme.User aka com.acme.Person
			  1 id long
			  2 größe com.acme.User
			any java.lang.Object
			  1 - java.lang.String
			  9 - com.acme.User
			exception throws
			""";

	@Test
	void text_parsesToSameContract() {
		Contract contract = Contract.parse(TEXT);
		assertThat(contract.text()).isEqualTo(TEXT);
		assertThat(contract.hash()).isEqualTo(ContractHash.of(TEXT));
		assertThat(contract.format()).isEqualTo("protostuff/1");
		assertThat(contract.methods()).extracting(ContractMethod::signature)
			.containsExactly("aka(int, java.util.List<com.acme.User[]>)", "get(long)", "tell(aka)");
		assertThat(contract.methods().get(0).aliases()).containsExactly("find", "search");
		assertThat(contract.methods().get(1).exceptions()).containsExactly(TypeRef.of("com.acme.Gone"),
				TypeRef.of("throws"));
		assertThat(contract.methods().get(1).result())
			.isEqualTo(TypeRef.of("com.acme.Page", TypeRef.of("com.acme.User")));
		assertThat(contract.methods().get(2).oneWay()).isTrue();
		assertThat(contract.type(TypeRef.of("aka")))
			.isEqualTo(new ContractType(ContractType.Kind.BEAN, TypeRef.of("aka"), List
				.of(new ContractMember(3, "aka", TypeRef.of("aka"), List.of("aka1", "aka2")), new ContractMember(7, "x",
						TypeRef.of("java.util.Map", TypeRef.of("java.lang.String"),
								TypeRef.of("java.util.List", TypeRef.arrayOf(TypeRef.arrayOf(TypeRef.of("byte"))))))),
					List.of("aka2", "former")));
	}

	@Test
	void textWithFormatOnly_isAccepted() {
		assertThat(Contract.parse("json/1\n").methods()).isEmpty();
	}

	@ParameterizedTest
	@ValueSource(strings = { "", "\n", " \n", "a b\n", "a", "a\r\n", "a\n\n", "a\n\r\n", "a\nmethod\n", "a\nmethod x\n",
			"a\nmethod x()\n", "a\nmethod x() \n", "a\nmethod () void\n", "a\nmethod x(,) void\n",
			"a\nmethod x(int,int) void\n", "a\nmethod x(int, ) void\n", "a\nmethod x() void \n",
			"a\nmethod x() void aka\n", "a\nmethod x() void aka \n", "a\nmethod x() void aka y \n",
			"a\nmethod x() void aka x\n", "a\nmethod x() void aka y y\n", "a\nmethod x() void bka y\n",
			"a\nmethod x() void throws\n", "a\nmethod x() void throws Y\n", "a\nmethod x() void throws Y,\n",
			"a\nmethod x() int one-way\n", "a\nmethod x() void\nmethod x() void\n",
			"a\nmethod x() void aka y\nmethod y() int\n", "a\nmethod x() void aka z\nmethod y() void aka z\n",
			"a\nmethod x() List<\n", "a\nmethod x() List<>\n", "a\nmethod x() List<int\n", "a\nmethod x() int]\n",
			"a\nmethod x() []\n", "a\nmethod x() int[]]\n", "a\nmethod x() List<int>x\n", "a\nmethod x() a\tb\n",
			"a\nmethod x(\u00a0) void\n", "a\nmethod \ud800() void\n", "a\nbean\n", "a\nbean \n", "a\nbean x y\n",
			"a\nBean x\n", "a\nthing x\n", "a\nbean x\nbean x\n", "a\nbean y\nbean x\n", "a\nbean x\nmethod x() void\n",
			"a\n  1 x int\n", "a\nbean x\n  x int\n", "a\nbean x\n  1 x\n", "a\nbean x\n  1  x int\n",
			"a\nbean x\n 1 x int\n", "a\nbean x\n   1 x int\n", "a\nbean x\n  +1 x int\n", "a\nbean x\n  01 x int\n",
			"a\nbean x\n  -1 x int\n", "a\nbean x\n  0 x int\n", "a\nbean x\n  536870912 x int\n",
			"a\nbean x\n  4294967297 x int\n", "a\nbean x\n  \u0661 x int\n", "a\nbean x\n  1 x int\n  1 y int\n",
			"a\nbean x\n  2 x int\n  1 y int\n", "a\nbean x\n  1 x int\n  2 x int\n",
			"a\nbean x\n  1 x int aka y\n  2 y int\n", "a\nbean x\n  1 x int aka z\n  2 y int aka z\n",
			"a\nbean x\n  1 - int\n", "a\nbean x\n  1 x void\n", "a\nbase x\n  1 y z\n", "a\nenum x\n  1 A void\n",
			"a\nenum x\n  0 A void\n  2 B void\n", "a\nenum x\n  0 A int\n", "a\nenum x\n  0 - void\n",
			"a\nbean x aka a b c d e f g h i j k l m n o p q\n" })
	void malformedText_isRefused(String text) {
		assertThatExceptionOfType(ContractException.class).isThrownBy(() -> Contract.parse(text));
	}

	@Test
	void message_namesLineAndRule() {
		assertThatExceptionOfType(ContractException.class)
			.isThrownBy(() -> Contract.parse("a\nbean x\n  1 x int aka y\n  2 y int\n"))
			.withMessage("contract: alias 'y' of field x of x is also the name or an alias of a member of the type");
		assertThatExceptionOfType(ContractException.class).isThrownBy(() -> Contract.parse("a\nbean y\nbean x\n"))
			.withMessage("contract: line 'bean y' (expected: bean x)");
		assertThatExceptionOfType(ContractException.class).isThrownBy(() -> Contract.parse("a\nthing x\n"))
			.withMessage("contract: line 'thing x' (expected: a method, a type or a member of a type)");
	}

	@Test
	@Timeout(60)
	void mutatedText_givesEqualContractOrRefusal() {
		Random random = new Random(3);
		String alphabet = "aka <>,[]()\n 0129-xvoid";
		int accepted = 0;
		for (int i = 0; i < 10_000; i++) {
			StringBuilder text = new StringBuilder(TEXT);
			for (int changes = 1 + random.nextInt(3); changes > 0; changes--) {
				int at = random.nextInt(text.length());
				int end = Math.min(text.length(), at + 1 + random.nextInt(12));
				switch (random.nextInt(4)) {
					case 0 -> text.deleteCharAt(at);
					case 1 -> text.setCharAt(at, alphabet.charAt(random.nextInt(alphabet.length())));
					case 2 -> text.insert(at, alphabet.charAt(random.nextInt(alphabet.length())));
					default -> text.insert(random.nextInt(text.length()), text.substring(at, end));
				}
			}
			accepted += isAccepted(text.toString()) ? 1 : 0;
		}
		assertThat(accepted).isBetween(300, 9_700);
	}

	private static boolean isAccepted(String text) {
		try {
			assertThat(Contract.parse(text).text()).isEqualTo(text);
			return true;
		}
		catch (ContractException ex) {
			assertThat(ex).hasMessageStartingWith("contract: ");
			return false;
		}
	}

}
