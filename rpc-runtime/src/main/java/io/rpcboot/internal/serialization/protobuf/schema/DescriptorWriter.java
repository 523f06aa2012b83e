package io.rpcboot.internal.serialization.protobuf.schema;

import java.util.List;
import java.util.Objects;

import io.rpcboot.internal.serialization.protobuf.schema.FieldDeclaration.Label;
import io.rpcboot.internal.serialization.protobuf.wire.LengthGuess;
import io.rpcboot.internal.serialization.protobuf.wire.ProtobufOutput;
import io.rpcboot.serialization.OutputBuffer;

/**
 * Writes a file as {@code google.protobuf.FileDescriptorProto}. The numbers are those of
 * protobuf's {@code descriptor.proto}.
 */
final class DescriptorWriter {

	private static final int FIRST_SIZE = 4096;

	private static final int ONE = 1;

	private static final int REPEATED = 3;

	private static final int MESSAGE = 11;

	private static final int IDEMPOTENCY_LEVEL = 34;

	private static final int NO_SIDE_EFFECTS = 1;

	private final ProtoFile file;

	private final OutputBuffer buffer = new OutputBuffer(new byte[FIRST_SIZE], Integer.MAX_VALUE);

	private final LengthGuess guess = new LengthGuess();

	private final ProtobufOutput out = new ProtobufOutput(this.buffer);

	DescriptorWriter(ProtoFile file) {
		this.file = file;
	}

	byte[] write() {
		this.out.begin(true);
		this.out.writeString(1, this.file.name());
		if (!this.file.packageName().isEmpty()) {
			this.out.writeString(2, this.file.packageName());
		}
		this.file.imports().forEach((each) -> this.out.writeString(3, each.name()));
		this.file.messages().forEach((each) -> within(4, () -> message(each)));
		this.file.enums().forEach((each) -> within(5, () -> enumeration(each)));
		this.file.services().forEach((each) -> within(6, () -> service(each)));
		within(8, () -> {
			this.out.writeString(1, this.file.javaPackage());
			this.out.writeBool(10, true);
			if (this.file.goPackage() != null) {
				this.out.writeString(11, this.file.goPackage());
			}
		});
		this.out.writeString(12, "proto3");
		this.out.finish();
		return this.buffer.toByteArray();
	}

	private void within(int number, Runnable fields) {
		int start = this.out.startMessage(number, 1);
		fields.run();
		this.out.endMessage(start, 1, this.guess);
	}

	private void message(MessageDeclaration message) {
		this.out.writeString(1, message.name());
		int optional = 0;
		for (FieldDeclaration each : message.fields()) {
			int choice = (each.label() == Label.OPTIONAL) ? optional++ : 0;
			within(2, () -> field(each, message, choice));
		}
		message.fields().stream().filter((each) -> each.key() != null).forEach((each) -> within(3, () -> entry(each)));
		if (message.isChoice()) {
			within(8, () -> this.out.writeString(1, MessageDeclaration.CHOICE));
		}
		message.fields()
			.stream()
			.filter((each) -> each.label() == Label.OPTIONAL)
			.forEach((each) -> within(8, () -> this.out.writeString(1, "_" + each.name())));
		reserved(9, message.reserved(), 1);
	}

	private void field(FieldDeclaration field, MessageDeclaration message, int choice) {
		boolean isMap = field.key() != null;
		this.out.writeString(1, field.name());
		this.out.writeInt32(3, field.number());
		this.out.writeInt32(4, (isMap || field.label() == Label.REPEATED) ? REPEATED : ONE);
		this.out.writeInt32(5, isMap ? MESSAGE : field.type().code());
		if (isMap) {
			String prefix = this.file.packageName().isEmpty() ? "" : "." + this.file.packageName();
			this.out.writeString(6, prefix + "." + message.name() + "." + field.entryName());
		}
		else if (field.type().isDeclared()) {
			this.out.writeString(6, "." + field.type().name());
		}
		if (field.label() == Label.CHOICE || field.label() == Label.OPTIONAL) {
			this.out.writeInt32(9, choice);
		}
		if (field.label() == Label.OPTIONAL) {
			this.out.writeBool(17, true);
		}
	}

	private void entry(FieldDeclaration map) {
		FieldDeclaration key = new FieldDeclaration("key", 1, Label.IMPLICIT, Objects.requireNonNull(map.key()), null);
		FieldDeclaration value = new FieldDeclaration("value", 2, Label.IMPLICIT, map.type(), null);
		message(new MessageDeclaration(map.entryName(), List.of(key, value), List.of()));
		within(7, () -> this.out.writeBool(7, true));
	}

	private void enumeration(EnumDeclaration type) {
		this.out.writeString(1, type.name());
		type.constants().forEach((each) -> within(2, () -> {
			this.out.writeString(1, each.name());
			this.out.writeInt32(2, each.number());
		}));
		reserved(4, type.reserved(), 0);
	}

	/** Writes ranges of one number each, whose end is inclusive for enums only. */
	private void reserved(int field, List<Integer> numbers, int behind) {
		numbers.forEach((each) -> within(field, () -> {
			this.out.writeInt32(1, each);
			this.out.writeInt32(2, each + behind);
		}));
	}

	private void service(ServiceDeclaration service) {
		this.out.writeString(1, service.name());
		service.methods().forEach((each) -> within(2, () -> {
			this.out.writeString(1, each.name());
			this.out.writeString(2, "." + each.request().name());
			this.out.writeString(3, "." + each.response().name());
			if (each.isSafe()) {
				within(4, () -> this.out.writeInt32(IDEMPOTENCY_LEVEL, NO_SIDE_EFFECTS));
			}
			if (each.streams().ofRequests()) {
				this.out.writeBool(5, true);
			}
			if (each.streams().ofResponses()) {
				this.out.writeBool(6, true);
			}
		}));
	}

}
