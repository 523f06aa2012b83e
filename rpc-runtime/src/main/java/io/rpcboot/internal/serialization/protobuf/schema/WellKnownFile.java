package io.rpcboot.internal.serialization.protobuf.schema;

import java.util.List;
import java.util.Locale;

import io.rpcboot.internal.serialization.protobuf.schema.FieldDeclaration.Label;
import io.rpcboot.serialization.ProtoDescriptor;

/** File of protobuf itself with one message, which files import. */
public enum WellKnownFile {

	ANY("Any", new FieldDeclaration("type_url", 1, Label.IMPLICIT, TypeName.STRING, null),
			new FieldDeclaration("value", 2, Label.IMPLICIT, TypeName.BYTES, null)),

	DURATION("Duration", seconds(), nanos()), EMPTY("Empty"), TIMESTAMP("Timestamp", seconds(), nanos());

	/** Package of the messages. */
	public static final String PACKAGE = "google.protobuf";

	private final MessageDeclaration message;

	WellKnownFile(String message, FieldDeclaration... fields) {
		this.message = new MessageDeclaration(message, List.of(fields), List.of());
	}

	private static FieldDeclaration seconds() {
		return new FieldDeclaration("seconds", 1, Label.IMPLICIT, TypeName.INT64, null);
	}

	private static FieldDeclaration nanos() {
		return new FieldDeclaration("nanos", 2, Label.IMPLICIT, TypeName.INT32, null);
	}

	TypeName type() {
		return TypeName.message(PACKAGE + "." + this.message.name());
	}

	String fileName() {
		return "google/protobuf/%s.proto".formatted(name().toLowerCase(Locale.ROOT));
	}

	/** Returns the file with the message, for reflection. */
	public ProtoDescriptor descriptor() {
		return new ProtoFile(fileName(), PACKAGE, List.of(), List.of(this.message), List.of(), List.of(), null)
			.descriptor();
	}

}
