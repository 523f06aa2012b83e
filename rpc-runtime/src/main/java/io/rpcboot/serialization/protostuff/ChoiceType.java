package io.rpcboot.serialization.protostuff;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;

import io.protostuff.WireFormat;

import io.rpcboot.serialization.contract.ContractMember;
import io.rpcboot.serialization.contract.ContractType;
import io.rpcboot.serialization.contract.ContractType.Kind;
import io.rpcboot.serialization.contract.SubtypeMatch;
import io.rpcboot.serialization.contract.TypeRef;

import org.jspecify.annotations.Nullable;

/**
 * A value of one of several types: a group whose one field has the number of the type, as
 * the contract lists it. No other type can arrive, because a number that is not listed is
 * an error before anything is read. It is linked to its types after it was made, because
 * they may lead back to it.
 */
abstract class ChoiceType extends ValueType {

	private List<Choice> choices = List.of();

	/** What reads, by the writer's numbers. */
	private final Map<Integer, ValueType> readers = new HashMap<>();

	/** The types that only the writer has, by its numbers. */
	private final Map<Integer, TypeRef> unknown = new HashMap<>();

	ChoiceType() {
		super(WireFormat.WIRETYPE_START_GROUP, 0);
	}

	/** Link to the types that can stand here, by rising number. */
	void link(List<Choice> choices) {
		this.choices = List.copyOf(choices);
		choices.forEach((each) -> this.readers.put(each.number(), each.type()));
	}

	final List<Choice> choices() {
		return this.choices;
	}

	/** The type that carries a value; an error if none does. */
	abstract Choice choose(Object value);

	@Override
	final void write(ProtostuffOutput out, int number, Object value) {
		Choice choice = choose(value);
		Groups.start(out, number);
		try {
			choice.type().writeField(out, choice.number(), value);
		}
		catch (RuntimeException ex) {
			throw (choice.type() instanceof StructType) ? ex : PathException.through(value, ex);
		}
		Groups.end(out, number);
	}

	@Override
	final @Nullable Object read(ProtostuffInput in) {
		int end = Groups.enter(in);
		int start = in.position;
		int number = Groups.peekTag(in) >>> 3;
		ValueType type = this.readers.get(number);
		if (type == null) {
			throw unknown(number);
		}
		Object value = type.takeField(in, number);
		if (in.position == start) {
			throw new PathException("tag %d (expected: a %s)".formatted(Groups.peekTag(in), type));
		}
		Groups.leave(in, end);
		return value;
	}

	private PathException unknown(int number) {
		TypeRef name = this.unknown.get(number);
		if (name != null) {
			return new PathException("%s, which the other side has for %s and this side has not (expected: %s)"
				.formatted(name, this, expected()));
		}
		return new PathException(
				"type number %d (expected: one that the contract lists for %s)".formatted(number, this));
	}

	/** What can stand here, for a message. */
	abstract String expected();

	@Override
	final ContractType definition() {
		List<ContractMember> members = new ArrayList<>();
		for (Choice each : this.choices) {
			members.add(new ContractMember(each.number(), ContractMember.NONE, each.type().ref()));
		}
		return new ContractType(kind(), ref(), members, aliases());
	}

	abstract Kind kind();

	abstract List<String> aliases();

	@Override
	ValueType translate(TypeRef written, Translator translator) {
		return translator.once(this, written, (definition) -> translator.choice(this, definition));
	}

	/** The same type, to be linked to the numbers of another contract. */
	abstract ChoiceType unlinked();

	/** Link to what another contract lists, found by the names of the types. */
	final void linkForReading(ChoiceType own, ContractType written, Translator translator) {
		this.choices = own.choices;
		OwnTypes types = own.types();
		for (ContractMember member : written.members()) {
			ValueType type = types.find(member.type(), translator);
			if (type != null) {
				this.readers.put(member.number(), type.translate(member.type(), translator));
			}
			else {
				this.unknown.put(member.number(), member.type());
			}
		}
	}

	/** The own type that the peer means, by its name, else by an alias. */
	final @Nullable ValueType find(TypeRef written, Translator translator) {
		return types().find(written, translator);
	}

	private OwnTypes types() {
		Map<TypeRef, ValueType> types = new LinkedHashMap<>();
		this.choices.forEach((each) -> types.put(each.type().ref(), each.type()));
		return new OwnTypes(types, new SubtypeMatch(List.copyOf(types.keySet()),
				(each) -> Objects.requireNonNull(types.get(each)).definition()));
	}

	/** The own types, to be found by the peer's. */
	private record OwnTypes(Map<TypeRef, ValueType> types, SubtypeMatch match) {

		@Nullable ValueType find(TypeRef written, Translator translator) {
			TypeRef own = this.match.find(written, translator.find(written));
			return (own != null) ? this.types.get(own) : null;
		}

	}

}
