package io.rpcboot.internal.server.grpc;

import java.util.Arrays;
import java.util.List;
import java.util.Map;

import io.rpcboot.RpcException;
import io.rpcboot.RpcStatus;
import io.rpcboot.ServiceDescriptor;
import io.rpcboot.Side;
import io.rpcboot.internal.memory.Direction;
import io.rpcboot.internal.memory.MemoryBudget;
import io.rpcboot.internal.memory.MemoryShortageException;
import io.rpcboot.internal.protocol.grpc.Gzip;
import io.rpcboot.internal.protocol.grpc.GzipMessages;
import io.rpcboot.internal.server.scheduling.Invocation;
import io.rpcboot.serialization.OutputBuffer;
import io.rpcboot.serialization.SerializationException;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

class CompressedRequestsTests {

	private static final int LIMIT = 10_000;

	private final MemoryBudget budget = new MemoryBudget(100_000, 0);

	private final Invocation method = method(this.budget);

	public interface Notes {

		String append(String text);

	}

	private static Invocation method(MemoryBudget budget) {
		GrpcMethods methods = new GrpcMethods(
				OfferedServices.grpc(OfferedServices.of(ServiceDescriptor.of(Notes.class))), List.of(), Map.of(),
				new GzipMessages(Side.SERVER, LIMIT, budget), OfferedServices.JSON);
		Invocation plain = methods.find("/" + Notes.class.getName().replace('$', '.') + "/Append").only;
		Invocation compressed = methods.compressed(plain);
		assertThat(compressed.method).isSameAs(plain.method);
		return compressed;
	}

	/** Returns the compressed request with a text of zeros. */
	private byte[] request(int length) {
		OutputBuffer out = new OutputBuffer(new byte[1], 1 << 24);
		this.method.codec.serializeArguments(new Object[] { "0".repeat(length) }, out);
		byte[] plain = out.toByteArray();
		return Gzip.compress(plain, 0, plain.length);
	}

	private Object read(byte[] request) {
		byte[] within = new byte[request.length + 20];
		Arrays.fill(within, (byte) 0x7f);
		System.arraycopy(request, 0, within, 10, request.length);
		return this.method.codec.deserializeArguments(within, 10, request.length)[0];
	}

	@Test
	void compressedRequest_isRead_andItsMemoryGivenBack() {
		assertThat(read(request(9000))).isEqualTo("0".repeat(9000));
		assertThat(read(new byte[0])).isNull();
		assertThat(this.budget.used(Direction.INCOMING)).isZero();
	}

	@Test
	void longRequest_isRefused_byItsAnnouncement() {
		assertThatExceptionOfType(RpcException.class).isThrownBy(() -> read(request(LIMIT)))
			.withMessageContaining("rpc.server.max-frame-size")
			.satisfies((ex) -> assertThat(ex.status()).isEqualTo(RpcStatus.RESOURCE_EXHAUSTED));
		assertThat(this.budget.used(Direction.INCOMING)).isZero();
	}

	@Test
	void malformedRequest_isRefused() {
		byte[] request = request(1000);
		request[request.length / 2] ^= 1;
		assertThatExceptionOfType(RpcException.class).isThrownBy(() -> read(request))
			.satisfies((ex) -> assertThat(ex.status()).isEqualTo(RpcStatus.INTERNAL));
		assertThatExceptionOfType(RpcException.class).isThrownBy(() -> read(new byte[] { 1, 2, 3 }))
			.satisfies((ex) -> assertThat(ex.status()).isEqualTo(RpcStatus.INTERNAL));
		assertThat(this.budget.used(Direction.INCOMING)).isZero();
	}

	@Test
	void unreadableArguments_giveTheirMemoryBack() {
		byte[] garbage = { 10, 100, 1 };
		assertThatExceptionOfType(SerializationException.class)
			.isThrownBy(() -> read(Gzip.compress(garbage, 0, garbage.length)));
		assertThat(this.budget.used(Direction.INCOMING)).isZero();
	}

	@Test
	void request_isRefused_withoutMemory() {
		this.budget.overdraw(Direction.INCOMING, 100_000);
		assertThatExceptionOfType(SerializationException.class).isThrownBy(() -> read(request(9000)))
			.withCauseInstanceOf(MemoryShortageException.class);
		this.budget.release(Direction.INCOMING, 100_000);
		assertThat(read(request(9000))).isNotNull();
	}

}
