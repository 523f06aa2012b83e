package io.rpcboot.internal.serialization.protobuf.schema;

import java.util.List;

/**
 * Enum.
 *
 * @param name simple name
 * @param constants constants by rising number, the one with 0 first
 * @param reserved numbers that no constant may have
 */
record EnumDeclaration(String name, List<Constant> constants, List<Integer> reserved) {

	/** Constant with its number. */
	record Constant(String name, int number) {
	}

}
