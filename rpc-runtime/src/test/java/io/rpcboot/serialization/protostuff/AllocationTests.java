package io.rpcboot.serialization.protostuff;

import java.lang.management.ManagementFactory;

import com.sun.management.ThreadMXBean;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import io.rpcboot.serialization.MethodCodec;
import io.rpcboot.serialization.OutputBuffer;
import io.rpcboot.workload.Page;
import io.rpcboot.workload.User;
import io.rpcboot.workload.UserServiceImpl;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Serialization into a buffer that is used again allocates nothing. Counted over many
 * calls after many more, because the interpreter boxes what compiled code does not.
 */
public class AllocationTests {

	private static final int WARM_UP = 30_000;

	private static final int CALLS = 10_000;

	private static final int ATTEMPTS = 20;

	private final ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();

	@ParameterizedTest
	@ValueSource(strings = { "user", "page" })
	void serialization_allocatesNothing_withReusedBuffer(String method) {
		MethodCodec codec = Codecs.method(Service.class, method);
		Object value = method.equals("user") ? new UserServiceImpl().getUser(1) : new UserServiceImpl().listUser(1);
		OutputBuffer buffer = new OutputBuffer(new byte[8192], 1 << 20);
		serialize(codec, value, buffer, WARM_UP);
		double least = Double.MAX_VALUE;
		for (int i = 0; i < ATTEMPTS && least >= 1; i++) {
			long before = this.threads.getCurrentThreadAllocatedBytes();
			serialize(codec, value, buffer, CALLS);
			long allocated = this.threads.getCurrentThreadAllocatedBytes() - before;
			least = Math.min(least, (double) allocated / CALLS);
		}
		assertThat(least).as("bytes allocated by one call").isLessThan(1.0);
		assertThat(codec.deserializeResult(buffer.array(), 0, buffer.length())).usingRecursiveComparison()
			.isEqualTo(value);
	}

	private static void serialize(MethodCodec codec, Object value, OutputBuffer buffer, int calls) {
		for (int i = 0; i < calls; i++) {
			buffer.position(0);
			codec.serializeResult(value, buffer);
		}
	}

	public interface Service {

		User user();

		Page<User> page();

	}

}
