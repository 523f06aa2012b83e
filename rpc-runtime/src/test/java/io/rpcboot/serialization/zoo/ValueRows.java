package io.rpcboot.serialization.zoo;

import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.stream.Stream;

import static io.rpcboot.serialization.zoo.ZooRow.row;

/**
 * Value types of the JDK.
 */
final class ValueRows {

	private ValueRows() {
	}

	static Stream<ZooRow> rows() {
		return Stream.of(row("UUID", new UUID(-1, 1), new UUID(0, 0), new UUID(0x0123456789ABCDEFL, 1L << 63)),
				row("Optional<String>", Optional.empty(), Optional.of(""), Optional.of("text")),
				row("List<Optional<List<Integer>>>", List.of(),
						Arrays.asList(Optional.empty(), null, Optional.of(List.of()), Optional.of(List.of(1)))));
	}

}
