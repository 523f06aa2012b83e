package io.rpcboot.internal.client.call;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.ObjectInputStream;
import java.io.ObjectOutputStream;
import java.util.concurrent.atomic.AtomicInteger;

import org.junit.jupiter.api.Test;

import io.rpcboot.RpcException;
import io.rpcboot.RpcStatus;
import io.rpcboot.context.Attachments;

import static org.assertj.core.api.Assertions.assertThat;

/** The failure of a call for which no thread waits: cheap until somebody looks at it. */
class LazyRpcExceptionTests {

	private final AtomicInteger made = new AtomicInteger();

	private final RpcException failure = new LazyRpcException(RpcStatus.DEADLINE_EXCEEDED, () -> {
		this.made.incrementAndGet();
		return "no reply; it may have executed";
	}, true, null, Attachments.none(), "demo.Stock.find()");

	@Test
	void message_isComputed_whenRead() {
		assertThat(this.failure.status()).isEqualTo(RpcStatus.DEADLINE_EXCEEDED);
		assertThat(this.failure.mayHaveExecuted()).isTrue();
		assertThat(this.made).hasValue(0);
		assertThat(this.failure).hasMessage("no reply; it may have executed")
			.hasToString("io.rpcboot.RpcException: no reply; it may have executed");
		assertThat(this.made).hasPositiveValue();
	}

	@Test
	void stackTrace_isEmpty() {
		assertThat(this.failure.getStackTrace()).isEmpty();
	}

	@Test
	void serializedException_keepsMessageAndStatus() throws Exception {
		ByteArrayOutputStream bytes = new ByteArrayOutputStream();
		try (ObjectOutputStream out = new ObjectOutputStream(bytes)) {
			out.writeObject(this.failure);
		}
		try (ObjectInputStream in = new ObjectInputStream(new ByteArrayInputStream(bytes.toByteArray()))) {
			assertThat(in.readObject()).isExactlyInstanceOf(RpcException.class)
				.hasToString(this.failure.toString())
				.extracting("status", "mayHaveExecuted", "calledMethod")
				.containsExactly(RpcStatus.DEADLINE_EXCEEDED, true, "demo.Stock.find()");
		}
	}

}
