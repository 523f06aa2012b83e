package io.rpcboot.evolution;

import java.util.List;
import java.util.stream.Stream;

/**
 * All changes of contracts that are tested, to be run with any transport.
 */
public final class EvolutionRows {

	private EvolutionRows() {
	}

	/**
	 * The table.
	 * @return one row a change
	 */
	public static List<EvolutionRow> all() {
		return Stream
			.of(FieldRows.rows(), TypeRows.rows(), ContainerRows.rows(), EnumRows.rows(), MethodRows.rows(),
					ExceptionRows.rows(), ArrayRows.rows(), PolymorphRows.rows())
			.flatMap(List::stream)
			.toList();
	}

}
