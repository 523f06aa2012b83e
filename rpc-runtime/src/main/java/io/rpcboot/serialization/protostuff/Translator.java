package io.rpcboot.serialization.protostuff;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

import io.rpcboot.serialization.contract.Contract;
import io.rpcboot.serialization.contract.ContractException;
import io.rpcboot.serialization.contract.ContractMember;
import io.rpcboot.serialization.contract.ContractType;
import io.rpcboot.serialization.contract.TypeRef;

/**
 * Builds the types that read what a peer with another contract writes: the same classes
 * of types, linked to fields that have the peer's numbers and order. For one thread at a
 * time.
 */
final class Translator {

	private final Contract peer;

	private final Map<List<Object>, StructType> structs = new HashMap<>();

	private final Map<List<Object>, ChoiceType> choices = new HashMap<>();

	Translator(Contract peer) {
		this.peer = peer;
	}

	/** The peer's definition of a type. */
	ContractType definition(TypeRef written) {
		ContractType definition = this.peer.type(written);
		if (definition == null) {
			throw new ContractException("type", written.toString(), "a type that the contract defines");
		}
		return definition;
	}

	TypeRef argument(TypeRef written, int index) {
		if (index >= written.arguments().size()) {
			throw new ContractException("type", written.toString(), "%d type arguments".formatted(index + 1));
		}
		return written.arguments().get(index);
	}

	/** A class, whose fields may lead back to it. */
	StructType struct(StructType own, TypeRef written) {
		List<Object> key = List.of(own, written);
		StructType known = this.structs.get(key);
		if (known != null) {
			return known;
		}
		StructType translated = own.unlinked();
		this.structs.put(key, translated);
		List<Field> fields = new ArrayList<>();
		for (ContractMember member : definition(written).members()) {
			fields.add(field(own, member));
		}
		translated.linkForReading(fields);
		return translated;
	}

	/** One of several types, which may lead back to it. */
	ChoiceType choice(ChoiceType own, TypeRef written) {
		List<Object> key = List.of(own, written);
		ChoiceType known = this.choices.get(key);
		if (known != null) {
			return known;
		}
		ChoiceType translated = own.unlinked();
		this.choices.put(key, translated);
		translated.linkForReading(own, definition(written), this);
		return translated;
	}

	/** Whether the peer means the own type, by name or alias where there are any. */
	boolean isSame(ValueType own, TypeRef written) {
		ContractType definition = own.definition();
		ContractType peerDefinition = this.peer.type(written);
		return (definition != null && peerDefinition != null) ? definition.matches(peerDefinition)
				: own.ref().equals(written);
	}

	private Field field(StructType own, ContractMember member) {
		Field field = own.find(member);
		return (field != null) ? field.translate(member, this) : Fields.skipped(member.number());
	}

	ContractException unreadable(TypeRef written, TypeRef read) {
		return new ContractException("type", written.toString(), "a type that can be read as " + read);
	}

}
