package io.rpcboot.metrics.micrometer;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

import io.micrometer.core.instrument.Meter;
import io.micrometer.core.instrument.config.NamingConvention;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * The table of docs/metrics.md is what {@link RpcMeters} says, and the document explains
 * each tag. With {@code -Drenew=true} the table is written anew.
 */
class MeterDocumentTests {

	private static final Path DOCUMENT = Path.of("..", "docs", "metrics.md");

	private static final String BEGIN = "<!-- from RpcMeters -->\n";

	private static final String END = "<!-- end -->\n";

	@Test
	void documentedTable_matchesMeters() throws IOException {
		String document = Files.readString(DOCUMENT);
		int begin = document.indexOf(BEGIN) + BEGIN.length();
		int end = document.indexOf(END, begin);
		assertThat(end).as("the marks around the table").isGreaterThanOrEqualTo(begin);
		String renewed = document.substring(0, begin) + table() + document.substring(end);
		if (Boolean.getBoolean("renew")) {
			Files.writeString(DOCUMENT, renewed);
			return;
		}
		assertThat(document)
			.as("docs/metrics.md is stale: mvn -pl rpc-runtime -am test -Dtest=MeterDocumentTests -Drenew=true"
					+ " -Dsurefire.failIfNoSpecifiedTests=false writes it anew")
			.isEqualTo(renewed);
	}

	private static String table() {
		StringBuilder table = new StringBuilder("\n| meter | type | unit | tags | in Prometheus | what |\n"
				+ "| --- | --- | --- | --- | --- | --- |\n");
		Arrays.stream(RpcMeters.values())
			.sorted((one, other) -> one.meterName().compareTo(other.meterName()))
			.forEach((meter) -> table.append("| `%s` | %s | %s | %s | `%s` | %s |\n".formatted(meter.meterName(),
					meter.type().name().toLowerCase().replace("distribution_", ""),
					(meter.baseUnit() != null) ? meter.baseUnit() : "",
					meter.tags().stream().map((tag) -> "`" + tag + "`").collect(Collectors.joining(", ")),
					inPrometheus(meter), meter.description())));
		return table.append('\n').toString();
	}

	/** As its naming convention has it; a timer and a summary are several numbers. */
	private static String inPrometheus(RpcMeters meter) {
		String name = NamingConvention.snakeCase.name(meter.meterName(), meter.type());
		String unit = meter.baseUnit();
		name += (unit != null && !name.endsWith("_" + unit)) ? "_" + unit : "";
		return switch (meter.type()) {
			case COUNTER -> name + "_total";
			case TIMER, DISTRIBUTION_SUMMARY -> name + "_count`, `" + name + "_sum";
			default -> name;
		};
	}

	@Test
	void document_explainsEachTag() throws IOException {
		Set<String> explained = Pattern.compile("(?m)^\\| `([a-z]+)` \\|")
			.matcher(Files.readString(DOCUMENT))
			.results()
			.map((match) -> match.group(1))
			.collect(Collectors.toCollection(TreeSet::new));
		assertThat(explained).containsExactlyInAnyOrderElementsOf(Arrays.stream(RpcMeters.values())
			.flatMap((meter) -> meter.tags().stream())
			.collect(Collectors.toSet()));
	}

	@Test
	void operationsManual_namesOnlyExistingMeters() throws IOException {
		Set<String> names = Arrays.stream(RpcMeters.values()).map(RpcMeters::meterName).collect(Collectors.toSet());
		String manual = Files.readString(Path.of("..", "docs", "operations.md"));
		String chapter = manual.substring(manual.indexOf("\n## Meters"), manual.indexOf("\n## Alerts"));
		Set<String> named = Pattern.compile("`(rpc\\.(?:client|server|allocator|registry)\\.[a-z.]+[a-z])`")
			.matcher(chapter)
			.results()
			.map((MatchResult match) -> match.group(1))
			.collect(Collectors.toSet());
		assertThat(named).isNotEmpty().isSubsetOf(names);
	}

	@Test
	void meters_haveValidNameUnitAndDescription() {
		assertThat(RpcMeters.values()).allSatisfy((meter) -> {
			assertThat(meter.description()).matches("[A-Z0-9].*[^.]");
			assertThat(meter.baseUnit()).isNotEqualTo("");
			assertThat(meter.type() == Meter.Type.TIMER).isEqualTo("seconds".equals(meter.baseUnit())
					&& meter.type() != Meter.Type.GAUGE && meter.type() != Meter.Type.COUNTER);
		});
		assertThat(RpcMeters.values()).extracting(RpcMeters::meterName).doesNotHaveDuplicates();
	}

}
