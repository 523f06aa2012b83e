package io.rpcboot.internal.serialization.protobuf.schema;

import java.util.ArrayList;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

import io.rpcboot.internal.serialization.protobuf.schema.FieldDeclaration.Label;

/**
 * Message.
 *
 * @param name simple name
 * @param fields fields by rising number
 * @param reserved numbers that no field may have
 */
record MessageDeclaration(String name, List<FieldDeclaration> fields, List<Integer> reserved) {

	/** Name of the {@code oneof} of a choice. */
	static final String CHOICE = "choice";

	/**
	 * Creates a message. Fields whose names protobuf cannot tell apart get their number
	 * behind the name.
	 */
	static MessageDeclaration of(String name, List<FieldDeclaration> fields, Collection<Integer> reserved) {
		Set<String> taken = new HashSet<>(Set.of(CHOICE));
		List<FieldDeclaration> named = new ArrayList<>();
		for (FieldDeclaration each : fields) {
			String unique = each.name();
			while (!taken.add(unique.replace("_", ""))) {
				unique += "_" + each.number();
			}
			named.add(new FieldDeclaration(unique, each.number(), each.label(), each.type(), each.key()));
		}
		return new MessageDeclaration(name, named, List.copyOf(reserved));
	}

	boolean isChoice() {
		return !this.fields.isEmpty() && this.fields.get(0).label() == Label.CHOICE;
	}

}
