package io.rpcboot.internal.serialization.protobuf.schema;

import java.util.ArrayList;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Predicate;

import io.rpcboot.internal.serialization.protobuf.schema.FieldDeclaration.Label;
import org.jspecify.annotations.Nullable;

/**
 * Message.
 *
 * @param name simple name
 * @param fields fields by rising number
 * @param reserved numbers that no field may have
 */
public record MessageDeclaration(String name, List<FieldDeclaration> fields, List<Integer> reserved) {

	/** Name of the {@code oneof} of a choice. */
	static final String CHOICE = "choice";

	/**
	 * Creates a message. Of fields whose names protobuf cannot tell apart one keeps its
	 * name, the others get their number behind it.
	 * @param earlier names by number in an earlier file, which stay
	 */
	static MessageDeclaration of(String name, List<FieldDeclaration> fields, Collection<Integer> reserved,
			Map<Integer, String> earlier) {
		Set<String> taken = new HashSet<>();
		if (fields.stream().anyMatch((each) -> each.label() == Label.CHOICE)) {
			taken.add(CHOICE);
		}
		Predicate<FieldDeclaration> isKept = (each) -> each.name().equals(earlier.get(each.number()))
				&& !each.name().equals(CHOICE);
		fields.stream().filter(isKept).forEach((each) -> taken.add(comparable(each.name())));
		List<FieldDeclaration> named = new ArrayList<>();
		for (FieldDeclaration each : fields) {
			String unique = each.name();
			while (!isKept.test(each) && !taken.add(comparable(unique))) {
				unique += "_" + each.number();
			}
			named.add(each.withName(unique));
		}
		return new MessageDeclaration(name, named, List.copyOf(reserved));
	}

	private static String comparable(String name) {
		return name.replace("_", "");
	}

	/** Returns the field with a number; null if there is none. */
	public @Nullable FieldDeclaration field(int number) {
		return this.fields.stream().filter((each) -> each.number() == number).findFirst().orElse(null);
	}

	/** Returns true for a message whose last fields, or all, are a choice. */
	public boolean isChoice() {
		return !this.fields.isEmpty() && this.fields.get(this.fields.size() - 1).label() == Label.CHOICE;
	}

}
