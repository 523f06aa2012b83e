package io.rpcboot.benchmarks.serialization;

import java.io.IOException;
import java.util.Arrays;

import com.google.protobuf.CodedOutputStream;
import com.google.protobuf.MessageLite;
import io.rpcboot.benchmarks.proto.PageMessage;
import io.rpcboot.benchmarks.proto.UserMessage;
import io.rpcboot.benchmarks.grpc.GrpcMessages;
import io.rpcboot.benchmarks.workload.Page;
import io.rpcboot.benchmarks.workload.User;

/**
 * The code that protoc generates, with the mapping that an application writes.
 */
final class ProtobufCandidate implements Candidate {

	private final boolean user;

	private byte[] array = new byte[8192];

	private int length;

	ProtobufCandidate(Sample sample) {
		this.user = sample == Sample.USER;
	}

	@Override
	public int serialize(Object value) throws IOException {
		MessageLite message = this.user ? GrpcMessages.toMessage((User) value) : toMessage(value);
		this.length = message.getSerializedSize();
		if (this.length > this.array.length) {
			this.array = new byte[this.length];
		}
		message.writeTo(CodedOutputStream.newInstance(this.array, 0, this.length));
		return this.length;
	}

	@SuppressWarnings("unchecked")
	private static MessageLite toMessage(Object page) {
		return GrpcMessages.toMessage((Page<User>) page);
	}

	@Override
	public byte[] bytes() {
		return Arrays.copyOf(this.array, this.length);
	}

	@Override
	public Object deserialize(byte[] bytes) throws IOException {
		return this.user ? GrpcMessages.toUser(UserMessage.parseFrom(bytes))
				: GrpcMessages.toPage(PageMessage.parseFrom(bytes));
	}

}
