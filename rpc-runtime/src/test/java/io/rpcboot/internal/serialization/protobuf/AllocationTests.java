package io.rpcboot.internal.serialization.protobuf;

import java.lang.management.ManagementFactory;

import com.sun.management.ThreadMXBean;
import io.rpcboot.serialization.MethodCodec;
import io.rpcboot.serialization.OutputBuffer;
import io.rpcboot.workload.Page;
import io.rpcboot.workload.User;
import io.rpcboot.workload.UserServiceImpl;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests that a message takes no memory if it is written into a buffer that is used again.
 */
public class AllocationTests {

	private static final int WARM_UP = 30_000;

	private static final int CALLS = 10_000;

	private static final int ATTEMPTS = 20;

	private final ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();

	@ParameterizedTest
	@ValueSource(strings = { "numbers", "tree", "user", "page" })
	void serialization_allocatesNothing_withReusedBuffer(String method) {
		Object value = switch (method) {
			case "numbers" -> new Numbers(1, 1L << 40, true, 2.5, "text", new byte[] { 1 }, null);
			case "tree" -> tree();
			case "user" -> new UserServiceImpl().getUser(1);
			default -> new UserServiceImpl().listUser(1);
		};
		assertThat(allocated(Codecs.method(Service.class, method), value)).as("bytes allocated by one call")
			.isLessThan(1.0);
	}

	private double allocated(MethodCodec codec, Object value) {
		OutputBuffer buffer = new OutputBuffer(new byte[16_384], 1 << 20);
		serialize(codec, value, buffer, WARM_UP);
		double least = Double.MAX_VALUE;
		for (int i = 0; i < ATTEMPTS && least >= 1; i++) {
			long before = this.threads.getCurrentThreadAllocatedBytes();
			serialize(codec, value, buffer, CALLS);
			long allocated = this.threads.getCurrentThreadAllocatedBytes() - before;
			least = Math.min(least, (double) allocated / CALLS);
		}
		assertThat(codec.deserializeResult(buffer.array(), 0, buffer.length())).usingRecursiveComparison()
			.isEqualTo(value);
		return least;
	}

	/**
	 * A member of a oneof has no state of its own, and neither has a message in one part.
	 */
	@Test
	void oneofInOnePart_allocatesNoMore_thanItsMemberAlone() {
		Leaf leaf = new Leaf(1_000, "text");
		double chosen = allocatedByReading("chosen", new Chosen(leaf));
		assertThat(chosen).isLessThan(allocatedByReading("held", new Held(leaf)) + 8);
	}

	private double allocatedByReading(String method, Object value) {
		MethodCodec codec = Codecs.method(Service.class, method);
		byte[] bytes = Codecs.result(codec, value);
		read(codec, bytes, WARM_UP);
		double least = Double.MAX_VALUE;
		for (int i = 0; i < ATTEMPTS; i++) {
			long before = this.threads.getCurrentThreadAllocatedBytes();
			read(codec, bytes, CALLS);
			least = Math.min(least, (double) (this.threads.getCurrentThreadAllocatedBytes() - before) / CALLS);
		}
		assertThat(codec.deserializeResult(bytes, 0, bytes.length)).isEqualTo(value);
		return least;
	}

	private static void read(MethodCodec codec, byte[] bytes, int calls) {
		for (int i = 0; i < calls; i++) {
			codec.deserializeResult(bytes, 0, bytes.length);
		}
	}

	private static void serialize(MethodCodec codec, Object value, OutputBuffer buffer, int calls) {
		for (int i = 0; i < calls; i++) {
			buffer.position(0);
			codec.serializeResult(value, buffer);
		}
	}

	private static Numbers tree() {
		Numbers tree = null;
		for (int i = 0; i < 8; i++) {
			tree = new Numbers(i, i, true, i, "level " + i, new byte[i], tree);
		}
		return tree;
	}

	/** Values without a text form. */
	public record Numbers(int number, long large, boolean flag, double real, String text, byte[] bytes, Numbers next) {
	}

	/** A choice. */
	public sealed interface Choice permits Leaf {

	}

	/** Its member. */
	public record Leaf(int number, String text) implements Choice {
	}

	/** A message with a choice. */
	public record Chosen(Choice choice) {
	}

	/** The same without a choice. */
	public record Held(Leaf leaf) {
	}

	/** The methods. */
	public interface Service {

		User user();

		Page<User> page();

		Numbers numbers();

		Numbers tree();

		Chosen chosen();

		Held held();

	}

}
