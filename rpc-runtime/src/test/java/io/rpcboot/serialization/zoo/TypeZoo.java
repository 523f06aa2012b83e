package io.rpcboot.serialization.zoo;

import java.util.List;
import java.util.stream.Stream;

/**
 * Every type that the default serializer promises to carry, one row a type.
 */
public final class TypeZoo {

	private static final List<ZooRow> ROWS = Stream
		.of(ScalarRows.rows(), TimeRows.rows(), ValueRows.rows(), NameRows.rows(), AtomicRows.rows(), ArrayRows.rows(),
				ClassRows.rows(), CollectionRows.rows(), QueueRows.rows(), MapRows.rows(), PolymorphRows.rows(),
				ZooForeign.rows())
		.flatMap((rows) -> rows)
		.toList();

	private static final ZooServices SERVICES = new ZooServices(ROWS);

	private TypeZoo() {
	}

	/** All rows. */
	public static Stream<ZooRow> rows() {
		return ROWS.stream();
	}

	/** The service of a row: the type as parameter and result of each method. */
	public static Class<?> service(ZooRow row) {
		return SERVICES.of(row);
	}

}
