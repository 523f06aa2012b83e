package io.rpcboot.internal.serialization.protobuf.json;

import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * Constants of an enum.
 *
 * @param name full name of the enum
 * @param numbers numbers by names
 * @param names names by numbers, the first one of aliases
 */
public record EnumNames(String name, Map<String, Integer> numbers, Map<Integer, String> names) {

	private static final String NULL_VALUE = "google.protobuf.NullValue";

	EnumNames(String name) {
		this(name, new LinkedHashMap<>(), new HashMap<>());
	}

	void add(String constant, int number) {
		this.numbers.put(constant, number);
		this.names.putIfAbsent(number, constant);
	}

	/** Returns true for the enum whose only constant is null in JSON. */
	public boolean isNull() {
		return this.name.equals(NULL_VALUE);
	}

}
