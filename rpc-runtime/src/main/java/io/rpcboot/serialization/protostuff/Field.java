package io.rpcboot.serialization.protostuff;

import java.lang.invoke.MethodHandle;
import java.util.List;

import io.rpcboot.serialization.contract.ContractMember;
import io.rpcboot.serialization.contract.TypeRef;

/**
 * One field of a class, as method handles of exact types. A reader or taker asks whether
 * the next field is its own; when not, the field is absent: null or zero.
 *
 * @param member the field in the contract
 * @param writer {@code (ProtostuffOutput, Object)void}: from an instance to the wire
 * @param reader {@code (ProtostuffInput, Object)void}: from the wire into an instance
 * @param taker {@code (ProtostuffInput)Object}: from the wire, for a constructor
 * @param setter {@code (Object, Object)void}: what was taken into an instance
 * @param translation makes the same field for other bytes
 */
record Field(ContractMember member, MethodHandle writer, MethodHandle reader, MethodHandle taker, MethodHandle setter,
		Translation translation) {

	/** Makes a field that reads what another contract has in its place. */
	interface Translation {

		Field translate(int number, TypeRef written, Translator translator);

	}

	String name() {
		return this.member.name();
	}

	Field translate(ContractMember written, Translator translator) {
		return this.translation.translate(written.number(), written.type(), translator);
	}

	Field withAliases(List<String> aliases) {
		return new Field(new ContractMember(this.member.number(), this.member.name(), this.member.type(), aliases),
				this.writer, this.reader, this.taker, this.setter, this.translation);
	}

	@Override
	public String toString() {
		return "%d %s %s".formatted(this.member.number(), this.member.name(), this.member.type());
	}

}
