package io.rpcboot.internal.serialization.protostuff.wire;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

import com.acme.Bag;
import com.acme.Orders;
import com.acme.Orders.Order;
import com.acme.Orders.State;
import com.acme.Orders.UnknownOrder;
import io.rpcboot.ServiceDescriptor;
import io.rpcboot.internal.serialization.protostuff.wire.WireSamples.Samples;
import io.rpcboot.serialization.Delegate;
import io.rpcboot.serialization.MethodCodec;
import io.rpcboot.serialization.ServiceCodec;
import io.rpcboot.serialization.TypeOptions;
import io.rpcboot.serialization.contract.Contract;
import io.rpcboot.serialization.contract.ContractMethod;
import io.rpcboot.serialization.protostuff.Codecs;
import io.rpcboot.serialization.protostuff.ProtostuffSerializer;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * The examples of docs/wire-types.md are what the code writes and reads: each row of a
 * table whose last cell has bytes, and the contract of {@link Orders}.
 */
class WireDocumentTests {

	private static final Path DOCUMENT = Path.of("../docs/wire-types.md");

	/** The last cell of a row has bytes, the first one what they are. */
	private static final Pattern ROW = Pattern
		.compile("\\| (.+?) \\|(?: .* \\|)? `([0-9a-f]{2}(?: [0-9a-f]{2})*|)` \\|");

	private static final HexFormat HEX = HexFormat.ofDelimiter(" ");

	@Test
	void documentedValues_matchEncodedBytes() throws IOException {
		Map<String, Object> values = WireSamples.values();
		Map<String, String> expected = new LinkedHashMap<>();
		values.forEach((described, value) -> expected.put(described, HEX.formatHex(bytes(described, value))));
		assertThat(rows("## Values")).containsExactlyInAnyOrderEntriesOf(expected);
	}

	@Test
	void documentedDelegate_matchesEncodedBytes() throws IOException {
		Delegate<Bag<?>, List<?>> bags = new Delegate<>(Bag.class, List.class, Bag::items, Bag::new);
		ServiceCodec codec = new ProtostuffSerializer(TypeOptions.NONE.withDelegate(bags))
			.codec(ServiceDescriptor.of(Bags.class));
		String type = codec.contract().methods().get(0).parameters().get(0).toString();
		byte[] bytes = Codecs.arguments(codec.method(0), new Bag<>(List.of(1, 2)));
		assertThat(rows("## Types of a `Delegate`"))
			.containsExactlyEntriesOf(Map.of("`%s` of 1, 2".formatted(type), HEX.formatHex(bytes)));
	}

	private static byte[] bytes(String described, Object value) {
		String type = described.substring(1, described.indexOf('`', 1));
		ServiceCodec codec = Codecs.of(Samples.class);
		for (ContractMethod each : codec.contract().methods()) {
			if (each.parameters().get(0).toString().equals(type)) {
				return Codecs.arguments(codec.method(each.number()), value);
			}
		}
		throw new IllegalArgumentException("no method takes " + type);
	}

	private static Map<String, String> rows(String heading) throws IOException {
		Map<String, String> rows = new LinkedHashMap<>();
		for (String line : section(heading).split("\n")) {
			Matcher row = ROW.matcher(line);
			if (row.matches()) {
				rows.put(row.group(1), row.group(2));
			}
		}
		return rows;
	}

	private static String section(String heading) throws IOException {
		String document = Files.readString(DOCUMENT);
		int start = document.indexOf(heading + "\n");
		assertThat(start).as(heading).isNotNegative();
		int end = document.indexOf("\n" + heading.replaceFirst(" .*", " "), start + 1);
		return document.substring(start, (end < 0) ? document.length() : end);
	}

	@Test
	void documentedContract_matchesTextAndHash() throws IOException {
		String section = section("### A worked example");
		Contract contract = Codecs.of(Orders.class).contract();
		assertThat(blocks(section)).containsExactly(declaration(), contract.text(), contract.hash() + "\n");
	}

	/** The interface as the document shows it: without package, imports and comment. */
	private static String declaration() throws IOException {
		String source = Files.readString(Path.of("src/test/java/com/acme/Orders.java"));
		return source.substring(source.indexOf("public interface"));
	}

	@Test
	void documentedMessages_matchEncodedBytes() throws IOException {
		ServiceCodec orders = Codecs.of(Orders.class);
		MethodCodec find = orders.method(0);
		Order order = new Order(7, "ann", State.OPEN, List.of());
		byte[] exception = Objects.requireNonNull(Codecs.exception(find, new UnknownOrder("none", 7)));
		String section = section("## Messages");
		assertThat(section).contains("`" + HEX.formatHex(Codecs.arguments(find, 7L)) + "`")
			.contains("`" + HEX.formatHex(exception) + "`");
		assertThat(String.join(" ", rows("## Messages").values())).isEqualTo(HEX.formatHex(Codecs.result(find, order)));
	}

	private static List<String> blocks(String section) {
		List<String> blocks = new ArrayList<>();
		String[] parts = section.split("```");
		for (int i = 1; i < parts.length; i += 2) {
			blocks.add(parts[i].substring(parts[i].indexOf('\n') + 1));
		}
		return blocks;
	}

	/** What carries a type of a delegate. */
	public interface Bags {

		void value(Bag<Integer> value);

	}

}
