package io.rpcboot.serialization.protostuff;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.function.Function;
import java.util.function.Supplier;

import io.rpcboot.serialization.contract.Contract;
import io.rpcboot.serialization.contract.ContractException;
import io.rpcboot.serialization.contract.ContractMember;
import io.rpcboot.serialization.contract.ContractType;
import io.rpcboot.serialization.contract.MemberMatch;
import io.rpcboot.serialization.contract.TypeRef;

import org.jspecify.annotations.Nullable;

/**
 * Builds the types that read what a peer with another contract writes: the same classes
 * of types, linked to fields that have the peer's numbers and order. How much it builds
 * and how deep it calls itself is decided by the own types, never by the peer's table.
 * Thread-safe.
 */
final class Translator {

	/** Far more than any service has; a peer's aliases can make pairs without number. */
	private static final int MAX_TYPES = 10_000;

	private final Contract peer;

	/** By the own type and the peer's. */
	private final Map<ValueType, Map<ContractType, ValueType>> types = new IdentityHashMap<>();

	private final Queue<Runnable> links = new ArrayDeque<>();

	private int count;

	private @Nullable RuntimeException failure;

	Translator(Contract peer) {
		this.peer = peer;
	}

	/**
	 * Build with {@link ValueType#translate} and link all that was begun.
	 * @throws PathException if the contracts do not fit, then and ever after
	 */
	synchronized <T> T build(Supplier<T> translation) {
		if (this.failure != null) {
			throw this.failure;
		}
		try {
			T result = translation.get();
			for (Runnable link = this.links.poll(); link != null; link = this.links.poll()) {
				link.run();
			}
			return result;
		}
		catch (RuntimeException ex) {
			this.failure = new PathException("the other side's contract does not fit: " + ex.getMessage(), ex);
			throw this.failure;
		}
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

	/**
	 * The translation of an own type from a type that the peer defines, made once.
	 * @param translation makes it; it must leave to {@link #later} what may lead back
	 */
	ValueType once(ValueType own, TypeRef written, Function<ContractType, ValueType> translation) {
		ContractType definition = definition(written);
		Map<ContractType, ValueType> known = this.types.computeIfAbsent(own, (key) -> new IdentityHashMap<>());
		ValueType translated = known.get(definition);
		if (translated == null) {
			if (++this.count > MAX_TYPES) {
				throw new ContractException("contract", written.toString(), "at most %d types".formatted(MAX_TYPES));
			}
			translated = translation.apply(definition);
			known.put(definition, translated);
		}
		return translated;
	}

	/** Do something when the types that were begun are known. */
	void later(Runnable link) {
		this.links.add(link);
	}

	/** A class, whose fields may lead back to it. */
	StructType struct(StructType own, TypeRef written) {
		return (StructType) once(own, written, (definition) -> {
			StructType translated = own.unlinked();
			later(() -> translated.linkForReading(fields(own, definition)));
			return translated;
		});
	}

	/** One of several types, which may lead back to it. */
	ChoiceType choice(ChoiceType own, ContractType written) {
		ChoiceType translated = own.unlinked();
		later(() -> translated.linkForReading(own, written, this));
		return translated;
	}

	/** The peer's definition of a type; null if it needs none. */
	@Nullable ContractType find(TypeRef written) {
		return this.peer.type(written);
	}

	/** The peer's fields; those that follow each other and are not known are one. */
	private List<Field> fields(StructType own, ContractType definition) {
		MemberMatch match = MemberMatch.ofFields(definition, own.definition());
		List<Field> fields = new ArrayList<>();
		int firstUnknown = 0;
		int lastUnknown = 0;
		for (ContractMember member : definition.members()) {
			ContractMember known = match.reader(member);
			if (known == null) {
				firstUnknown = (firstUnknown == 0) ? member.number() : firstUnknown;
				lastUnknown = member.number();
				continue;
			}
			if (firstUnknown > 0) {
				fields.add(Fields.skipped(firstUnknown, lastUnknown));
				firstUnknown = 0;
			}
			fields.add(own.field(known.number()).translate(member, this));
		}
		if (firstUnknown > 0) {
			fields.add(Fields.skipped(firstUnknown, lastUnknown));
		}
		return fields;
	}

	ContractException unreadable(TypeRef written, TypeRef read) {
		return new ContractException("type", written.toString(), "a type that can be read as " + read);
	}

}
