package io.rpcboot.internal.serialization.types.graph;

import java.util.List;
import java.util.stream.Collectors;

import io.rpcboot.internal.serialization.types.kind.Proxies;
import io.rpcboot.serialization.PathException;
import io.rpcboot.serialization.contract.ContractType;
import io.rpcboot.serialization.contract.ContractType.Kind;
import io.rpcboot.serialization.contract.TypeRef;

/**
 * Choice of several types, where a base or a type such as {@code Object} is declared. The
 * options of a base are its subtypes, numbered from 1 in the order of their class names.
 * The name of a base ends with {@value #MARK} in a contract, because a class with
 * subtypes can be one of its own options. The options of {@code Object} and the like are
 * the assignable types of the service, which have one number in the whole service. The
 * key of a map accepts only types whose hash code the closed world computes.
 */
public final class ChoiceNode implements Node {

	private static final String MARK = "+";

	private final Class<?> declared;

	private final TypeRef ref;

	private final Kind kind;

	private final boolean isKey;

	/** Name of the option that declares more types, for messages. */
	private final String option;

	/** Own types, from which a writer chooses. */
	private ObjectTypes world = ObjectTypes.EMPTY;

	private List<Option> options = List.of();

	private ChoiceNode(Class<?> declared, TypeRef ref, Kind kind, boolean isKey, String option) {
		this.declared = declared;
		this.ref = ref;
		this.kind = kind;
		this.isKey = isKey;
		this.option = option;
	}

	public static ChoiceNode base(Class<?> declared, TypeRef plain, String option) {
		return new ChoiceNode(declared, new TypeRef(plain.name() + MARK, plain.arguments()), Kind.BASE, false, option);
	}

	/**
	 * Creates a choice that reads the one class that this side has from a peer that has
	 * subtypes.
	 */
	public static ChoiceNode only(StructNode struct) {
		ChoiceNode choice = base(struct.javaType(), struct.ref(), "");
		choice.link(ObjectTypes.ofSubtypes(List.of(Option.of(1, struct.javaType(), struct.javaType(), struct))));
		return choice;
	}

	public static ChoiceNode any(Class<?> declared, boolean isKey, String option) {
		return new ChoiceNode(declared, TypeRef.of(declared.getName()), Kind.ANY, isKey, option);
	}

	/** Returns a copy for a peer's values, not linked to the peer's types yet. */
	public ChoiceNode ofPeer() {
		ChoiceNode choice = new ChoiceNode(this.declared, this.ref, this.kind, this.isKey, this.option);
		choice.world = this.world;
		return choice;
	}

	/** Links to the own types, which may lead back to this node. */
	public void link(ObjectTypes world) {
		this.world = world;
		this.options = own();
	}

	/** Links to the types of a peer. */
	public void link(List<Option> options) {
		this.options = List.copyOf(options);
	}

	private List<Option> own() {
		return this.world.options().stream().filter(this::accepts).toList();
	}

	private boolean accepts(Option option) {
		return this.kind == Kind.BASE
				|| this.declared.isAssignableFrom(option.javaType()) && (!this.isKey || ObjectTypes.isKey(option));
	}

	/** Returns the options of the writer, by rising number. */
	public List<Option> options() {
		return this.options;
	}

	/** Returns the own option of a value. Refuses a value without one. */
	public Option choose(Object value) {
		Option option = this.world.find(textOf(value));
		if (option == null || !accepts(option)) {
			throw refusal(value.getClass(), option != null);
		}
		return option;
	}

	/**
	 * Returns the instance that the chosen option carries for a value: the text of a
	 * {@code CharSequence}, the entity of a proxy, any other value itself.
	 */
	public Object carried(Option option, Object value) {
		if (option.type() instanceof StructNode struct) {
			return struct.type().exact(value);
		}
		return textOf(value);
	}

	private Object textOf(Object value) {
		return (this.declared == CharSequence.class && value instanceof CharSequence) ? value.toString() : value;
	}

	private PathException refusal(Class<?> type, boolean isKnown) {
		String name = this.declared.getTypeName();
		String remedy = Proxies.remedy(type, name);
		if (remedy != null) {
			return new PathException("%s where %s is declared: %s".formatted(type.getTypeName(), name, remedy));
		}
		if (this.kind == Kind.BASE) {
			return new PathException(
					"%s where %s is declared (expected: %s; more are declared by @RpcSubtypes on %s or by %s)"
						.formatted(type.getTypeName(), name, expected(), name, this.option));
		}
		return new PathException("%s %s %s is declared (expected: %s)".formatted(type.getTypeName(),
				(isKnown && this.isKey) ? "as a key where" : "where", name,
				isKnown ? expected() : this.world.remedy(type, this.option)));
	}

	/** Returns the accepted types, for a message. */
	public String expected() {
		if (this.kind == Kind.BASE) {
			return own().stream().map((each) -> each.javaType().getTypeName()).collect(Collectors.joining(" or "));
		}
		return this.isKey ? "a value type, an enum or a record" : "a type of the service that is a " + this.ref;
	}

	public Kind kind() {
		return this.kind;
	}

	@Override
	public TypeRef ref() {
		return this.ref;
	}

	@Override
	public Class<?> javaType() {
		return this.declared;
	}

	/** Returns the definition of an own choice. */
	@Override
	public ContractType definition() {
		List<String> aliases = (this.kind == Kind.ANY) ? List.of()
				: Aliases.of(this.declared).stream().map((each) -> each + MARK).toList();
		return new ContractType(this.kind, this.ref, this.options.stream().map(Option::written).toList(), aliases);
	}

}
