package io.rpcboot.internal.serialization.protobuf.schema;

import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;

import io.rpcboot.internal.serialization.protobuf.schema.EnumDeclaration.Constant;

/**
 * Names of the constants of all enums of a package. A constant has the name of its enum
 * in front, because constants are members of the package: {@code COLOUR_RED}. If two
 * constants have one name, the one that had it in the earlier file keeps it, else that of
 * the first enum by name; the others get their number behind.
 */
final class ConstantNames {

	private final ProtoNames names;

	private final ProtoSource earlier;

	private final Set<String> taken = new HashSet<>();

	private final Map<String, String> kept = new HashMap<>();

	ConstantNames(ProtoNames names, ProtoSource earlier) {
		this.names = names;
		this.earlier = earlier;
	}

	/** Returns enums with the final names of their constants. */
	List<EnumDeclaration> name(Collection<EnumDeclaration> enums) {
		enums.forEach(this::keep);
		return enums.stream().map(this::name).toList();
	}

	/** Takes the names that constants have in the earlier file. */
	private void keep(EnumDeclaration type) {
		for (Constant each : type.constants()) {
			String wanted = wanted(type, each);
			String before = this.earlier.constant(this.names.full(type.name()), each.number());
			if (before != null && (before.equals(wanted) || before.startsWith(wanted + "_" + each.number()))
					&& this.taken.add(before)) {
				this.kept.put(key(type, each), before);
			}
		}
	}

	private EnumDeclaration name(EnumDeclaration type) {
		Set<String> own = new HashSet<>();
		type.constants().forEach((each) -> own.add(comparable(this.kept.getOrDefault(key(type, each), ""))));
		List<Constant> named = new ArrayList<>();
		for (Constant each : type.constants()) {
			String name = this.kept.get(key(type, each));
			if (name == null) {
				name = wanted(type, each);
				while (own.contains(comparable(name)) || this.names.isTaken(name) || this.taken.contains(name)) {
					name += "_" + each.number();
				}
				own.add(comparable(name));
				this.taken.add(name);
			}
			named.add(new Constant(name, each.number(), each.member()));
		}
		return new EnumDeclaration(type.name(), named, type.reserved());
	}

	private static String key(EnumDeclaration type, Constant constant) {
		return type.name() + "." + constant.number();
	}

	/** Returns a name without what protobuf does not tell apart within an enum. */
	private static String comparable(String name) {
		return name.replace("_", "");
	}

	private static String wanted(EnumDeclaration type, Constant constant) {
		return (ProtoNames.snake(type.name()) + "_" + ProtoNames.snake(constant.name())).toUpperCase(Locale.ROOT);
	}

}
