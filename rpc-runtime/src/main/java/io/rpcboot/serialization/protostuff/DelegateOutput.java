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
		NumberOutput.writeInt32(this.out, number, value);
	}

	@Override
	public void writeUInt32(int number, int value, boolean repeated) {
		NumberOutput.writeUInt32(this.out, number, value);
	}

	@Override
	public void writeSInt32(int number, int value, boolean repeated) {
		NumberOutput.writeSInt32(this.out, number, value);
	}

	@Override
	public void writeInt64(int number, long value, boolean repeated) {
		NumberOutput.writeInt64(this.out, number, value);
	}

	@Override
	public void writeUInt64(int number, long value, boolean repeated) {
		NumberOutput.writeInt64(this.out, number, value);
	}

	@Override
	public void writeSInt64(int number, long value, boolean repeated) {
		NumberOutput.writeSInt64(this.out, number, value);
	}

	@Override
	public void writeFixed32(int number, int value, boolean repeated) {
		NumberOutput.writeFixed32(this.out, number, value);
	}

	@Override
	public void writeSFixed32(int number, int value, boolean repeated) {
		NumberOutput.writeFixed32(this.out, number, value);
	}

	@Override
	public void writeFixed64(int number, long value, boolean repeated) {
		NumberOutput.writeFixed64(this.out, number, value);
	}

	@Override
	public void writeSFixed64(int number, long value, boolean repeated) {
		NumberOutput.writeFixed64(this.out, number, value);
	}

	@Override
	public void writeFloat(int number, float value, boolean repeated) {
		NumberOutput.writeFloat(this.out, number, value);
	}

	@Override
	public void writeDouble(int number, double value, boolean repeated) {
		NumberOutput.writeDouble(this.out, number, value);
	}

	@Override
	public void writeBool(int number, boolean value, boolean repeated) {
		NumberOutput.writeBool(this.out, number, value);
	}

	@Override
	public void writeEnum(int number, int value, boolean repeated) {
		NumberOutput.writeInt32(this.out, number, value);
	}

	@Override
	public void writeString(int number, CharSequence value, boolean repeated) {
		Text.write(this.out, number, value.toString());
	}

	@Override
	public void writeBytes(int number, ByteString value, boolean repeated) throws IOException {
		ByteString.writeTo(this, value, number, repeated);
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
		this.out.writeBuffer(number, value);
	}

	@Override
	public <T> void writeObject(int number, T value, Schema<T> schema, boolean repeated) throws IOException {
		Groups.start(this.out, number);
		schema.writeTo(this, value);
		Groups.end(this.out, number);
	}

}
