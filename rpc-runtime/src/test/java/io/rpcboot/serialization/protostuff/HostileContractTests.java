package io.rpcboot.serialization.protostuff;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.function.IntFunction;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import io.rpcboot.serialization.MethodCodec;
import io.rpcboot.serialization.OutputBuffer;
import io.rpcboot.serialization.SerializationException;
import io.rpcboot.serialization.ServiceCodec;
import io.rpcboot.serialization.contract.Contract;
import io.rpcboot.serialization.contract.ContractException;
import io.rpcboot.serialization.contract.ContractMatch;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * Translating from any table that a peer may send takes neither much time nor much memory
 * nor depth, and bytes read by it give the declared type or a
 * {@link SerializationException}.
 */
@Timeout(30)
public class HostileContractTests {

	private static final ServiceCodec OWN = Codecs.of(Trees.class);

	private static final String TREE = Tree.class.getName();

	private static final String COLOUR = Colour.class.getName();

	private static MethodCodec translate(String types) {
		Contract peer = Contract.parse("protostuff/1\nmethod get() %s\n%s".formatted(firstType(types), types));
		assertThat(ContractMatch.of(OWN.contract(), peer).difference(0)).isEmpty();
		return OWN.translate(peer).method(0, 0);
	}

	private static String firstType(String types) {
		return types.substring(types.indexOf(' ') + 1).split("[ \n]", 2)[0];
	}

	private static String lines(int count, IntFunction<String> line) {
		return IntStream.range(0, count).mapToObj(line).collect(Collectors.joining());
	}

	private static Object read(MethodCodec codec, int... bytes) {
		byte[] array = new byte[bytes.length];
		IntStream.range(0, bytes.length).forEach((each) -> array[each] = (byte) bytes[each]);
		return codec.deserializeResult(array, 0, array.length);
	}

	@Test
	void longTypeChain_isTranslated() {
		String types = lines(5_000,
				(each) -> "bean %1$s<T%2$05d>\n  1 left %1$s<T%3$05d>\n".formatted(TREE, each, each + 1))
				+ "bean %s<T05000>\n".formatted(TREE);
		Tree tree = (Tree) read(translate(types), 0x0B, 0x0B, 0x0C, 0x0C);
		assertThat(tree.left).isNotNull();
		assertThat(tree.left.left).isNull();
	}

	@Test
	void unknownFields_areSkipped() {
		String types = "bean %s\n".formatted(TREE) + lines(50_000, (each) -> "  %d f%d X\n".formatted(each + 1, each));
		Tree tree = (Tree) read(translate(types), 0x0B, 0x08, 0x05, 0x15, 1, 2, 3, 4, 0x19, 1, 2, 3, 4, 5, 6, 7, 8,
				0x22, 1, 9, 0x2B, 0x08, 0x07, 0x2C, 0x36, 0x01, 0x0C);
		assertThat(tree.left).isNull();
		assertThat(tree.leaf).isEqualTo(3);
	}

	@Test
	void message_namesFirstOfManyFields() {
		MethodCodec codec = translate(
				"bean %s\n".formatted(TREE) + lines(50_000, (each) -> "  %d f%d X\n".formatted(each + 1, each)));
		assertThatExceptionOfType(SerializationException.class).isThrownBy(() -> read(codec, 0x0B, 0x14))
			.withMessageContaining(": 1 f0 X, 2 f1 X, ")
			.withMessageEndingWith(", 20 f19 X, …)");
	}

	@Test
	void unknownConstant_isNullOrRefused() {
		String types = "bean %s\n  1 colour %s\n".formatted(TREE, COLOUR);
		String colours = "enum %s\n".formatted(COLOUR)
				+ lines(50_000, (each) -> "  %d C%d void\n".formatted(each, each));
		String all = (TREE.compareTo(COLOUR) < 0) ? types + colours : colours + types;
		Contract peer = Contract.parse("protostuff/1\nmethod get() %s\n%s".formatted(TREE, all));
		MethodCodec codec = OWN.translate(peer).method(0, 0);
		assertThat(((Tree) read(codec, 0x0B, 0x08, 0xCF, 0x86, 0x03, 0x0C)).colour).isNull();
		assertThatExceptionOfType(SerializationException.class)
			.isThrownBy(() -> read(codec, 0x0B, 0x08, 0xD0, 0x86, 0x03, 0x0C))
			.withMessageContaining("result.colour: constant number 50000");
	}

	@Test
	void unknownFieldDepth_isBounded() {
		MethodCodec codec = translate("bean %s\n  1 x X\n".formatted(TREE));
		int[] deep = IntStream.generate(() -> 0x0B).limit(100_000).toArray();
		assertThatExceptionOfType(SerializationException.class).isThrownBy(() -> read(codec, deep))
			.withMessageContaining("nested deeper than 64 levels");
	}

	@Test
	void unmatchedContract_failsEachRead() {
		Contract peer = Contract.parse("protostuff/1\nmethod get() %s\n".formatted(TREE));
		MethodCodec codec = OWN.translate(peer).method(0, 0);
		for (int i = 0; i < 2; i++) {
			assertThatExceptionOfType(SerializationException.class).isThrownBy(() -> read(codec, 0x0B, 0x0C))
				.withMessageContaining("Trees.get(): result: the other side's contract does not fit");
		}
	}

	@Test
	void mutatedContractsAndBytes_failSafely() {
		String text = OWN.contract().text();
		OutputBuffer out = new OutputBuffer(new byte[64], 4096);
		Tree tree = new Tree();
		tree.left = new Tree();
		tree.more.add(new Tree());
		tree.colour = Colour.GREEN;
		OWN.method(0).serializeResult(tree, out);
		Random random = new Random(11);
		List<String> outcomes = new ArrayList<>();
		for (int i = 0; i < 5000; i++) {
			StringBuilder changed = new StringBuilder(text);
			int at = random.nextInt(text.length());
			changed.setCharAt(at, text.charAt(random.nextInt(text.length())));
			byte[] bytes = out.toByteArray();
			if (random.nextBoolean()) {
				bytes[random.nextInt(bytes.length)] = (byte) random.nextInt();
			}
			outcomes.add(outcome(changed.toString(), bytes));
		}
		assertThat(outcomes).contains("no contract", "refused", "read", "unreadable");
	}

	private static String outcome(String text, byte[] bytes) {
		Contract peer;
		try {
			peer = Contract.parse(text);
		}
		catch (ContractException ex) {
			return "no contract";
		}
		ContractMatch match = ContractMatch.of(OWN.contract(), peer);
		if (!match.refused().isEmpty()) {
			return "refused";
		}
		try {
			assertThat(OWN.translate(peer).method(0, match.serverMethod(0)).deserializeResult(bytes, 0, bytes.length))
				.satisfiesAnyOf((value) -> assertThat(value).isNull(),
						(value) -> assertThat(value).isInstanceOf(Tree.class));
			return "read";
		}
		catch (SerializationException ex) {
			return "unreadable";
		}
	}

	/** The own side. */
	public interface Trees {

		Tree get();

	}

	/** A type that holds itself. */
	public static class Tree {

		Tree left;

		List<Tree> more = new ArrayList<>();

		Colour colour;

		int leaf = 3;

	}

	/** Two constants. */
	public enum Colour {

		RED, GREEN

	}

}
