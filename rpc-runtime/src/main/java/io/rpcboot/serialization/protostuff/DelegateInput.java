package io.rpcboot.serialization.protostuff;

import java.io.IOException;
import java.nio.ByteBuffer;

import io.protostuff.ByteString;
import io.protostuff.Input;
import io.protostuff.Output;
import io.protostuff.Schema;
import io.protostuff.WireFormat;

import io.rpcboot.serialization.types.PathException;

import org.jspecify.annotations.Nullable;

/**
 * A {@link ProtostuffInput} as the delegates and schemas of users know it.
 */
final class DelegateInput implements Input {

	private final ProtostuffInput in;

	DelegateInput(ProtostuffInput in) {
		this.in = in;
	}

	@Override
	public <T> void handleUnknownField(int number, Schema<T> schema) {
		throw new PathException("unknown field number %d".formatted(number));
	}

	@Override
	public <T> int readFieldNumber(Schema<T> schema) {
		int tag = this.in.readTag();
		return (WireFormat.getTagWireType(tag) == WireFormat.WIRETYPE_END_GROUP) ? 0 : tag >>> 3;
	}

	@Override
	public <T> T mergeObject(@Nullable T value, Schema<T> schema) throws IOException {
		int end = Groups.enter(this.in);
		T message = (value != null) ? value : schema.newMessage();
		schema.mergeFrom(this, message);
		if (this.in.lastTag != end) {
			throw new PathException("group does not end where it should");
		}
		Groups.leave(this.in);
		return message;
	}

	@Override
	public int readInt32() {
		return NumberInput.readInt32(this.in);
	}

	@Override
	public int readUInt32() {
		return this.in.readUInt32();
	}

	@Override
	public int readSInt32() {
		return NumberInput.readSInt32(this.in);
	}

	@Override
	public int readFixed32() {
		return NumberInput.readFixed32(this.in);
	}

	@Override
	public int readSFixed32() {
		return NumberInput.readFixed32(this.in);
	}

	@Override
	public long readInt64() {
		return this.in.readInt64();
	}

	@Override
	public long readUInt64() {
		return this.in.readInt64();
	}

	@Override
	public long readSInt64() {
		return NumberInput.readSInt64(this.in);
	}

	@Override
	public long readFixed64() {
		return NumberInput.readFixed64(this.in);
	}

	@Override
	public long readSFixed64() {
		return NumberInput.readFixed64(this.in);
	}

	@Override
	public float readFloat() {
		return NumberInput.readFloat(this.in);
	}

	@Override
	public double readDouble() {
		return NumberInput.readDouble(this.in);
	}

	@Override
	public boolean readBool() {
		return NumberInput.readBool(this.in);
	}

	@Override
	public int readEnum() {
		return NumberInput.readInt32(this.in);
	}

	@Override
	public String readString() {
		return Text.read(this.in);
	}

	@Override
	public ByteString readBytes() {
		return ByteString.copyFrom(this.in.readByteArray());
	}

	@Override
	public void readBytes(ByteBuffer target) {
		byte[] bytes = this.in.readByteArray();
		if (bytes.length > target.remaining()) {
			throw new PathException("%d bytes (expected: at most %d)".formatted(bytes.length, target.remaining()));
		}
		target.put(bytes);
	}

	@Override
	public byte[] readByteArray() {
		return this.in.readByteArray();
	}

	@Override
	public ByteBuffer readByteBuffer() {
		return ByteBuffer.wrap(this.in.readByteArray());
	}

	@Override
	public void transferByteRangeTo(Output output, boolean utf8String, int number, boolean repeated)
			throws IOException {
		byte[] bytes = this.in.readByteArray();
		output.writeByteRange(utf8String, number, bytes, 0, bytes.length, repeated);
	}

}
