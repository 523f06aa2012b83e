package io.rpcboot.internal.serialization.protobuf.schema;

import java.lang.reflect.AnnotatedElement;
import java.util.List;
import java.util.stream.Stream;

import org.jspecify.annotations.Nullable;

/**
 * Field of a message.
 *
 * @param name name in snake case
 * @param number number on the wire
 * @param label presence and number of values
 * @param type type of a value
 * @param key type of the keys of a map; null for any other field
 * @param member field, parameter or method in Java with the value, or class of the value;
 * null if there is none
 */
public record FieldDeclaration(String name, int number, Label label, TypeName type, @Nullable TypeName key,
		@Nullable AnnotatedElement member) {

	public FieldDeclaration(String name, int number, Label label, TypeName type, @Nullable TypeName key) {
		this(name, number, label, type, key, null);
	}

	/** Returns the name of the message of an entry of a map. */
	String entryName() {
		return ProtoNames.pascal(this.name) + "Entry";
	}

	/** Returns the forms of texts, for readers of the file. */
	public List<String> forms() {
		Stream<String> ofKey = (this.key != null && this.key.form() != null) ? Stream.of("key: " + this.key.form())
				: Stream.of();
		Stream<String> ofValue = (this.type.form() != null)
				? Stream.of(((this.key != null) ? "value: " : "") + this.type.form()) : Stream.of();
		return Stream.concat(ofKey, ofValue).toList();
	}

	FieldDeclaration withName(String other) {
		return new FieldDeclaration(other, this.number, this.label, this.type, this.key, this.member);
	}

	/** Returns the field with the member in Java that has its value. */
	public FieldDeclaration of(@Nullable AnnotatedElement value) {
		return new FieldDeclaration(this.name, this.number, this.label, this.type, this.key, value);
	}

	/** Presence and number of the values of a field. */
	public enum Label {

		/** One value, absent if it is zero. */
		IMPLICIT,

		/** One value or none. */
		OPTIONAL,

		/** Any number of values. */
		REPEATED,

		/** One of the fields of a choice. */
		CHOICE

	}

}
