package io.rpcboot.internal.serialization.protobuf.schema;

import java.lang.reflect.Field;
import java.util.List;

import org.jspecify.annotations.Nullable;

/**
 * Enum.
 *
 * @param name simple name
 * @param constants constants by rising number, the one with 0 first
 * @param reserved numbers that no constant may have
 */
public record EnumDeclaration(String name, List<Constant> constants, List<Integer> reserved) {

	/**
	 * Constant.
	 *
	 * @param name name in the file
	 * @param member constant in Java; null for the one that stands for null
	 */
	public record Constant(String name, int number, @Nullable Field member) {
	}

}
