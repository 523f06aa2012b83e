package io.rpcboot.internal.serialization.types.graph;

import java.util.List;
import java.util.stream.Collectors;

import io.rpcboot.serialization.PathException;
import io.rpcboot.serialization.contract.ContractType;
import io.rpcboot.serialization.contract.ContractType.Kind;
import io.rpcboot.serialization.contract.TypeRef;

/**
 * One of several types, where a base or a type such as {@code Object} is declared. For a
 * base these are its subtypes, numbered from 1 in the order of their class names; in a
 * contract its name ends with {@value #MARK}, which tells it from the class alone: a
 * class that has subtypes can be one of its own choices. For {@code Object} and the like
 * they are the types of the service that can be assigned, which have one number in the
 * whole service; the key of a map takes only those whose hash code the closed world
 * computes.
 */
public final class ChoiceNode implements Node {

	private static final String MARK = "+";

	private final Class<?> declared;

	private final TypeRef ref;

	private final Kind kind;

	private final boolean isKey;

	/** What declares more of them, for messages. */
	private final String option;

	/** What this side can choose from. */
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

	/** What reads the one class that this side has from a peer that has subtypes. */
	public static ChoiceNode only(StructNode struct) {
		ChoiceNode choice = base(struct.javaType(), struct.ref(), "");
		choice.link(ObjectTypes.ofSubtypes(List.of(Option.of(1, struct.javaType(), struct.javaType(), struct))));
		return choice;
	}

	public static ChoiceNode any(Class<?> declared, boolean isKey, String option) {
		return new ChoiceNode(declared, TypeRef.of(declared.getName()), Kind.ANY, isKey, option);
	}

	/** The same where a peer writes, not linked to what the peer has. */
	public ChoiceNode ofPeer() {
		ChoiceNode choice = new ChoiceNode(this.declared, this.ref, this.kind, this.isKey, this.option);
		choice.world = this.world;
		return choice;
	}

	/** Link to the own types, which may lead back to this. */
	public void link(ObjectTypes world) {
		this.world = world;
		this.options = own();
	}

	/** Link to the types of a peer. */
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

	/** The types of the writer that can stand here, by rising number. */
	public List<Option> options() {
		return this.options;
	}

	/** The own type that carries a value; refuses a value that none does. */
	public Option choose(Object value) {
		Option option = this.world.find(value);
		if (option == null || !accepts(option)) {
			throw refusal(value.getClass(), option != null);
		}
		return option;
	}

	private PathException refusal(Class<?> type, boolean isKnown) {
		String name = this.declared.getTypeName();
		if (this.kind == Kind.BASE) {
			return new PathException(
					"%s where %s is declared (expected: %s; more are declared by @RpcSubtypes on %s or by %s)"
						.formatted(type.getTypeName(), name, expected(), name, this.option));
		}
		return new PathException("%s %s %s is declared (expected: %s)".formatted(type.getTypeName(),
				(isKnown && this.isKey) ? "as a key where" : "where", name,
				isKnown ? expected() : this.world.remedy(type, this.option)));
	}

	/** What can stand here, for a message. */
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

	/** Of an own choice. */
	@Override
	public ContractType definition() {
		List<String> aliases = (this.kind == Kind.ANY) ? List.of()
				: Aliases.of(this.declared).stream().map((each) -> each + MARK).toList();
		return new ContractType(this.kind, this.ref, this.options.stream().map(Option::written).toList(), aliases);
	}

}
