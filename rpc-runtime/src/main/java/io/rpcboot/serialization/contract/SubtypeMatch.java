package io.rpcboot.serialization.contract;

import java.util.HashMap;
import java.util.List;
import java.util.Map;

import org.jspecify.annotations.Nullable;

/**
 * Which type of those that the writer lists is one that the reader lists: the same text
 * first, then the class name, then an alias of either side.
 */
final class SubtypeMatch {

	private final Contract reader;

	private final Map<String, TypeRef> texts = new HashMap<>();

	private final Map<String, TypeRef> names = new HashMap<>();

	private final Map<String, TypeRef> aliases = new HashMap<>();

	SubtypeMatch(Contract writer, ContractType written, Contract reader) {
		this.reader = reader;
		for (ContractMember each : written.members()) {
			this.texts.put(each.type().toString(), each.type());
			ContractType definition = writer.type(each.type());
			if (definition != null) {
				this.names.putIfAbsent(each.type().name(), each.type());
				definition.aliases().forEach((alias) -> this.aliases.putIfAbsent(alias, each.type()));
			}
		}
	}

	/** The writer's type; null if it lists none that is the same. */
	@Nullable TypeRef written(TypeRef read) {
		TypeRef found = this.texts.get(read.toString());
		ContractType definition = this.reader.type(read);
		if (found != null || definition == null) {
			return found;
		}
		found = this.names.get(read.name());
		List<String> former = definition.aliases();
		for (int i = 0; i < former.size() && found == null; i++) {
			found = this.names.get(former.get(i));
		}
		return (found != null) ? found : this.aliases.get(read.name());
	}

}
