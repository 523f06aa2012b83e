package io.rpcboot.serialization.contract;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/** Tests the match of a client's method with a server's, and the reasons for none. */
class ContractMatchTests {

	private static final String OLD = "bean Old\n  1 id int\n";

	private static final String NEW = "bean New aka Old\n  1 id long\n";

	private static Contract contract(String methods, String types) {
		return Contract.parse("a\n" + methods.strip().replaceAll("(^|; )", "\nmethod ").strip() + "\n" + types);
	}

	@ParameterizedTest(name = "{0} -> {1}")
	@CsvSource(delimiter = '|', textBlock = """
			get(int) int                   | get(int) int                                     | 0
			get(int) int                   | add(int) int; get(int) int                       | 1
			get(int) int                   | get(long) long                                   | 0
			get(int) int                   | get(int) int; get(long) long                     | 0
			get(int) int                   | get(boolean) int; get(long) int                  | -1
			get(int) int; get(long) int    | get(short) int                                   | -1
			get(int) int; get(long) int    | get(java.lang.Integer) int; get(long) int        | 0
			get(int) int                   | get(java.lang.String) int                        | -1
			get(int) int                   | get() int                                        | -1
			get(int) int                   | find(int) int aka get                            | 0
			get(int) int                   | find(long) int aka get; get(int) int             | 1
			get(int) int                   | find(int) int aka get; get(long) int             | 0
			get(int) int                   | find(long) int aka get; load(boolean) int aka get | -1
			find(int) int aka get          | get(int) int                                     | 0
			find(int) int aka get load     | get(int) int; load(int) int                      | -1
			find(int) int aka get load     | load(long) int                                   | 0
			get(Old) int                   | get(New) int                                     | 0
			get(Old) int                   | get(New) int; get(java.lang.String) int          | 0
			get(Old[]) int                 | get(java.lang.String[]) int; get(New[]) int      | 1
			get(int, int) int              | get(int, long) int; get(long, int) int           | -1
			get() void                     | get() int                                        | 0
			get() int                      | get() void                                       | -1
			get() void                     | get() void one-way                               | 0
			get() java.lang.Void           | get() java.lang.Void                             | 0
			""")
	void method_isMatchedBySignatureAndAlias(String client, String server, int expected) {
		ContractMatch match = ContractMatch.of(contract(client, OLD), contract(server, NEW));
		assertThat(match.serverMethod(0)).isEqualTo(expected);
		assertThat(match.difference(0).isEmpty()).isEqualTo(expected >= 0);
		assertThat(match.refused().contains(0)).isEqualTo(expected < 0);
	}

	@ParameterizedTest(name = "{0} -> {1}")
	@CsvSource(delimiter = '|', textBlock = """
			byte                        | long                       | true  | true
			java.lang.Short             | int                        | true  | true
			int                         | java.lang.Long             | true  | true
			float                       | java.lang.Double           | true  | false
			boolean                     | java.lang.Boolean          | true  | true
			char                        | java.lang.Character        | true  | true
			char                        | int                        | false | false
			int                         | float                      | false | false
			long                        | double                     | false | false
			boolean                     | byte                       | false | false
			int                         | java.math.BigInteger       | false | false
			java.util.List<int>         | java.util.TreeSet<long>    | true  | true
			java.util.List<int>         | java.util.List             | false | false
			java.util.ArrayDeque<int>   | java.util.concurrent.CopyOnWriteArrayList<int> | true | true
			java.util.List<int>         | com.acme.List<int>         | false | false
			java.util.Map<int,int>      | java.util.concurrent.ConcurrentSkipListMap<int,int> | true | true
			java.util.Map<int,int>      | java.util.Map<int,boolean> | false | false
			java.util.Map<int,int>      | java.util.List<int>        | false | false
			java.util.Optional<int>     | java.util.Optional<long>   | true  | true
			java.util.Optional<int>     | java.util.List<int>        | false | false
			java.util.BitSet            | java.util.Set<int>         | false | false
			int[]                       | int                        | false | false
			A[]                         | A[][]                      | false | false
			byte[]                      | byte[]                     | true  | true
			byte[]                      | int[]                      | false | false
			java.time.LocalDate         | java.time.LocalDateTime    | false | false
			""")
	void argumentType_isConvertible_inSupportedDirections(String one, String other, boolean forwards,
			boolean backwards) {
		Contract client = contract("get(%s) int".formatted(one), "");
		Contract server = contract("get(%s) int".formatted(other), "");
		assertThat(ContractMatch.of(client, server).refused().isEmpty()).isEqualTo(forwards);
		assertThat(ContractMatch.of(server, client).refused().isEmpty()).isEqualTo(backwards);
	}

	@Test
	void differences_nameFieldsAndTypes() {
		Contract client = contract("get(int) Old; kill(int) void; put(java.lang.String) void", """
				record Home
				  1 zip java.lang.String
				bean Old
				  1 age int
				  2 home Home
				""");
		Contract server = contract("get(java.util.UUID) New; put(int) void", """
				record Home
				  1 zip int
				bean New aka Old
				  1 age java.lang.String
				  2 home Home
				""");
		ContractMatch match = ContractMatch.of(client, server);
		assertThat(match.refused()).containsExactly(0, 1, 2);
		assertThat(match.difference(0))
			.isEqualTo("argument 1 of get(int): int at the client, java.util.UUID at the server; "
					+ "field age of Old: int at the client, java.lang.String at the server; "
					+ "field zip of Home: java.lang.String at the client, int at the server");
		assertThat(match.difference(1)).isEqualTo("method kill(int) is missing at the server");
		assertThat(match.difference(2))
			.isEqualTo("argument 1 of put(java.lang.String): java.lang.String at the client, int at the server");
	}

	/**
	 * What the server takes for its one class is linked to it, be it one subtype of the
	 * client or several.
	 */
	@ParameterizedTest
	@CsvSource(delimiter = '|', textBlock = """
			id int  | id int  | ''
			id int  | id long | ''
			id int  | no int  | ''
			id int  | id char | field id of Pet: char at the client, int at the server
			id char | id int  | field id of Cat: char at the client, int at the server
			""")
	void eachSubtype_mustFit_whenServerHasOneClass(String cat, String pet, String difference) {
		Contract client = contract("get(Animal+) void",
				"base Animal+\n  1 - Cat\n  2 - Dog\n  3 - Pet\nrecord Cat\n  1 %s\nrecord Dog\n  1 id char\nrecord Pet\n  1 %s\n"
					.formatted(cat, pet));
		Contract server = contract("get(Cat) void", "record Cat aka Pet\n  1 id int\n");
		assertThat(ContractMatch.of(client, server).difference(0)).isEqualTo(difference);
		assertThat(ContractMatch.of(client, contract("get(Bird) void", "record Bird\n  1 id int\n")).difference(0))
			.startsWith("argument 1 of get(Animal+): Animal+ at the client, Bird at the server");
	}

	@Test
	void enumSubtype_isNotReadAsRecord() {
		Contract client = contract("get(Animal+) void",
				"base Animal+\n  1 - Cat\n  2 - Pet\nrecord Cat\n  1 id int\nenum Pet\n  0 TOM void\n");
		Contract server = contract("get(Cat) void", "record Cat aka Pet\n  1 id int\n");
		assertThat(ContractMatch.of(client, server).difference(0))
			.contains("subtype of Animal+: Pet at the client, Cat at the server");
	}

	@Test
	void ambiguousClassAlias_isRefused() {
		String types = "bean A aka %s\n  1 id int\nbean B aka %s\n  1 id int\n";
		assertThatExceptionOfType(ContractException.class)
			.isThrownBy(() -> contract("get(A, B) void", types.formatted("B", "C")))
			.withMessageContaining("alias 'B' of class A is also the name or an alias of class B");
		assertThatExceptionOfType(ContractException.class)
			.isThrownBy(() -> contract("get(A, B) void", types.formatted("C", "C")))
			.withMessageContaining("alias 'C' of class B is also the name or an alias of class A");
		String pages = "bean Page<int> aka List\n  1 id int\nbean Page<long> aka List\n  1 id long\n";
		assertThat(contract("get(Page<int>, Page<long>) void", pages).methods()).hasSize(1);
	}

	@Test
	void differentLayout_refusesAllMethods() {
		ContractMatch match = ContractMatch.of(Contract.parse("a/1\nmethod x() int\n"),
				Contract.parse("a/2\nmethod x() int\n"));
		assertThat(match.difference(0)).isEqualTo("layout a/1 at the client, a/2 at the server");
	}

	@Test
	void exceptionTypes_areCompared_whenBothSidesDeclareThem() {
		String gone = "exception Gone\n  1 message java.lang.String\n  2 code %s\n";
		Contract throwing = contract("get() int throws Gone", gone.formatted("int"));
		assertThat(ContractMatch.of(throwing, contract("get() int", "")).refused()).isEmpty();
		assertThat(ContractMatch.of(contract("get() int", ""), throwing).refused()).isEmpty();
		assertThat(ContractMatch.of(throwing, contract("get() int throws Gone", gone.formatted("java.util.UUID")))
			.difference(0)).isEqualTo("field code of Gone: int at the client, java.util.UUID at the server");
	}

	@Test
	void aliasJoiningSeveralFields_isRefused() {
		String method = "get(T) void";
		Contract two = contract(method, "bean T\n  1 a int\n  2 b int\n");
		Contract one = contract(method, "bean T\n  1 c int aka a b\n");
		assertThat(ContractMatch.of(two, one).difference(0))
			.isEqualTo("field c of T at the server stands for fields a and b at the client");
		assertThat(ContractMatch.of(one, two).difference(0))
			.isEqualTo("field c of T at the client stands for fields a and b at the server");
		Contract crossed = contract(method, "bean T\n  1 x int aka c\n");
		Contract crossing = contract(method, "bean T\n  1 c int\n  2 d int aka x\n");
		assertThat(ContractMatch.of(crossed, crossing).difference(0))
			.isEqualTo("field x of T at the client stands for fields c and d at the server");
	}

}
