package io.rpcboot.serialization.protostuff;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

import io.rpcboot.serialization.contract.ContractType.Kind;
import io.rpcboot.serialization.contract.TypeRef;

/**
 * A class or interface where its subtypes may stand, numbered from 1 in the order of
 * their class names. In a contract its name ends with {@value #MARK}, which tells it from
 * the class alone: a class that has subtypes can be one of its own choices.
 */
final class BaseType extends ChoiceType {

	private static final String MARK = "+";

	private final ResolvedType type;

	private final Map<Class<?>, Choice> byClass = new HashMap<>();

	BaseType(ResolvedType type) {
		this.type = type;
	}

	/** What reads the one class that this side has from a peer that has subtypes. */
	static BaseType only(StructType struct) {
		BaseType base = new BaseType(struct.type());
		base.link(List.of(new Choice(1, struct.javaType(), struct)));
		return base;
	}

	@Override
	void link(List<Choice> choices) {
		super.link(choices);
		choices.forEach((each) -> this.byClass.put(each.javaType(), each));
	}

	@Override
	Choice choose(Object value) {
		Choice choice = this.byClass.get(Choice.classOf(value));
		if (choice == null) {
			String base = this.type.raw().getName();
			throw new PathException(
					"%s where %s is declared (expected: %s; more are declared by @RpcSubtypes on %s or by the property %s%s)"
						.formatted(value.getClass().getName(), base, expected(), base, Subtypes.PROPERTY, base));
		}
		return choice;
	}

	@Override
	String expected() {
		return choices().stream().map((each) -> each.javaType().getName()).collect(Collectors.joining(" or "));
	}

	@Override
	TypeRef ref() {
		TypeRef plain = this.type.ref();
		return new TypeRef(plain.name() + MARK, plain.arguments());
	}

	@Override
	Kind kind() {
		return Kind.BASE;
	}

	@Override
	List<String> aliases() {
		return Aliases.of(this.type.raw()).stream().map((each) -> each + MARK).toList();
	}

	@Override
	ValueType translate(TypeRef written, Translator translator) {
		if (translator.definition(written).kind() == Kind.BASE) {
			return super.translate(written, translator);
		}
		ValueType alone = find(written, translator);
		if (alone == null) {
			throw translator.unreadable(written, ref());
		}
		return alone.translate(written, translator);
	}

	@Override
	ChoiceType unlinked() {
		return new BaseType(this.type);
	}

}
