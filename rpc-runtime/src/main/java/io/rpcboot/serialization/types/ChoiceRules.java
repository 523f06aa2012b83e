package io.rpcboot.serialization.types;

import java.util.List;
import java.util.stream.Collectors;

import io.rpcboot.serialization.contract.ContractMember;
import io.rpcboot.serialization.contract.ContractType.Kind;
import io.rpcboot.serialization.contract.TypeRef;
import io.rpcboot.serialization.types.Node.Option;

/**
 * Which own types can stand where a base or a type such as {@code Object} is declared.
 * For a base these are its subtypes, numbered from 1 in the order of their class names;
 * in a contract its name ends with {@value #MARK}, which tells it from the class alone: a
 * class that has subtypes can be one of its own choices. For {@code Object} and the like
 * they are the types of the service that can be assigned, which have one number in the
 * whole service; the key of a map takes only those whose hash code the closed world
 * computes.
 */
final class ChoiceRules {

	private static final String MARK = "+";

	private final Class<?> declared;

	private final TypeRef ref;

	private final Kind kind;

	private final boolean isKey;

	private AnyWorld world = AnyWorld.EMPTY;

	private ChoiceRules(Class<?> declared, TypeRef ref, Kind kind, boolean isKey) {
		this.declared = declared;
		this.ref = ref;
		this.kind = kind;
		this.isKey = isKey;
	}

	static ChoiceRules base(Class<?> declared, TypeRef plain) {
		return new ChoiceRules(declared, new TypeRef(plain.name() + MARK, plain.arguments()), Kind.BASE, false);
	}

	/** What reads the one class that this side has from a peer that has subtypes. */
	static ChoiceRules only(StructNode struct) {
		ChoiceRules rules = base(struct.javaType(), struct.ref());
		rules.link(AnyWorld.ofSubtypes(List.of(new Option(new ContractMember(1, ContractMember.NONE, struct.ref()),
				struct.javaType(), struct.javaType(), struct))));
		return rules;
	}

	static ChoiceRules any(Class<?> declared, boolean isKey) {
		return new ChoiceRules(declared, TypeRef.of(declared.getName()), Kind.ANY, isKey);
	}

	void link(AnyWorld world) {
		this.world = world;
	}

	/** By rising number. */
	List<Option> options() {
		return this.world.options().stream().filter(this::accepts).toList();
	}

	private boolean accepts(Option option) {
		return this.kind == Kind.BASE
				|| this.declared.isAssignableFrom(option.javaType()) && (!this.isKey || AnyWorld.isKey(option));
	}

	Option choose(Object value) {
		Option option = this.world.find(value);
		if (option == null || !accepts(option)) {
			throw refusal(value.getClass(), option != null);
		}
		return option;
	}

	private PathException refusal(Class<?> type, boolean isKnown) {
		String name = this.declared.getName();
		if (this.kind == Kind.BASE) {
			return new PathException(
					"%s where %s is declared (expected: %s; more are declared by @RpcSubtypes on %s or by the property %s%s)"
						.formatted(type.getName(), name, expected(), name, Subtypes.PROPERTY, name));
		}
		return new PathException("%s %s %s is declared (expected: %s)".formatted(type.getName(),
				(isKnown && this.isKey) ? "as a key where" : "where", name,
				isKnown ? expected() : this.world.remedy(type)));
	}

	/** What can stand here, for a message. */
	String expected() {
		if (this.kind == Kind.BASE) {
			return options().stream().map((each) -> each.javaType().getName()).collect(Collectors.joining(" or "));
		}
		return this.isKey ? "a value type, an enum or a record" : "a type of the service that is a " + this.ref;
	}

	Class<?> declared() {
		return this.declared;
	}

	TypeRef ref() {
		return this.ref;
	}

	Kind kind() {
		return this.kind;
	}

	List<String> aliases() {
		return (this.kind == Kind.ANY) ? List.of()
				: Aliases.of(this.declared).stream().map((each) -> each + MARK).toList();
	}

}
