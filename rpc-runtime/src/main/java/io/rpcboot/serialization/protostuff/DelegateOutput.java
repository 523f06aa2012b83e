package io.rpcboot.serialization.protostuff;

import java.io.IOException;
import java.nio.ByteBuffer;

import io.protostuff.ByteString;
import io.protostuff.Output;
import io.protostuff.Schema;

/**
 * A {@link ProtostuffOutput} as the delegates and schemas of users know it.
 */
final class DelegateOutput implements Output {

	private final ProtostuffOutput out;

	DelegateOutput(ProtostuffOutput out) {
		this.out = out;
	}

	@Override
	public void writeInt32(int number, int value, boolean repeated) {
		this.out.writeInt32(number, value);
	}

	@Override
	public void writeUInt32(int number, int value, boolean repeated) {
		this.out.writeUInt32(number, value);
	}

	@Override
	public void writeSInt32(int number, int value, boolean repeated) {
		this.out.writeSInt32(number, value);
	}

	@Override
	public void writeInt64(int number, long value, boolean repeated) {
		this.out.writeInt64(number, value);
	}

	@Override
	public void writeUInt64(int number, long value, boolean repeated) {
		this.out.writeInt64(number, value);
	}

	@Override
	public void writeSInt64(int number, long value, boolean repeated) {
		this.out.writeSInt64(number, value);
	}

	@Override
	public void writeFixed32(int number, int value, boolean repeated) {
		this.out.writeFixed32(number, value);
	}

	@Override
	public void writeSFixed32(int number, int value, boolean repeated) {
		this.out.writeFixed32(number, value);
	}

	@Override
	public void writeFixed64(int number, long value, boolean repeated) {
		this.out.writeFixed64(number, value);
	}

	@Override
	public void writeSFixed64(int number, long value, boolean repeated) {
		this.out.writeFixed64(number, value);
	}

	@Override
	public void writeFloat(int number, float value, boolean repeated) {
		this.out.writeFloat(number, value);
	}

	@Override
	public void writeDouble(int number, double value, boolean repeated) {
		this.out.writeDouble(number, value);
	}

	@Override
	public void writeBool(int number, boolean value, boolean repeated) {
		this.out.writeBool(number, value);
	}

	@Override
	public void writeEnum(int number, int value, boolean repeated) {
		this.out.writeInt32(number, value);
	}

	@Override
	public void writeString(int number, CharSequence value, boolean repeated) {
		this.out.writeString(number, value.toString());
	}

	@Override
	public void writeBytes(int number, ByteString value, boolean repeated) {
		this.out.writeByteArray(number, value.toByteArray());
	}

	@Override
	public void writeByteArray(int number, byte[] value, boolean repeated) {
		this.out.writeByteArray(number, value);
	}

	@Override
	public void writeByteRange(boolean utf8String, int number, byte[] value, int offset, int length, boolean repeated) {
		this.out.writeByteRange(number, value, offset, length);
	}

	@Override
	public void writeBytes(int number, ByteBuffer value, boolean repeated) {
		byte[] bytes = new byte[value.remaining()];
		value.duplicate().get(bytes);
		this.out.writeByteArray(number, bytes);
	}

	@Override
	public <T> void writeObject(int number, T value, Schema<T> schema, boolean repeated) throws IOException {
		this.out.startGroup(number);
		schema.writeTo(this, value);
		this.out.endGroup(number);
	}

}
