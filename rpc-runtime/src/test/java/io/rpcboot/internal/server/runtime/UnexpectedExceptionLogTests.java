package io.rpcboot.internal.server.runtime;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.LongAdder;

import io.rpcboot.LoggedLines;
import io.rpcboot.MethodDescriptor;
import io.rpcboot.RpcStatus;
import io.rpcboot.ServiceDescriptor;
import io.rpcboot.internal.logging.RateLimitedLogger;
import io.rpcboot.internal.server.scheduling.Bulkhead;
import io.rpcboot.internal.server.scheduling.Invocation;
import io.rpcboot.internal.server.scheduling.MinServiceTime;
import io.rpcboot.internal.server.scheduling.ResponseSizeEstimator;
import io.rpcboot.internal.server.scheduling.ServerMethod;
import io.rpcboot.internal.server.scheduling.ServiceQueue;
import io.rpcboot.metrics.CallRecorder;
import io.rpcboot.serialization.protostuff.ProtostuffSerializer;
import io.rpcboot.server.Dispatch;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

import static org.assertj.core.api.Assertions.assertThat;

/** Tests the log and the counter of implementations that fail. */
class UnexpectedExceptionLogTests {

	private static final long SECOND = 1_000_000_000L;

	private static final ServiceDescriptor SERVICE = ServiceDescriptor.of(Two.class);

	private static final String NAME = Two.class.getName();

	/** A contract. */
	public interface Two {

		void a();

		void b();

	}

	@RegisterExtension
	final LoggedLines lines = new LoggedLines(UnexpectedExceptionLogTests.class.getName());

	private long now;

	private final UnexpectedExceptionLog exceptions = new UnexpectedExceptionLog(
			new RateLimitedLogger(UnexpectedExceptionLogTests.class.getName(), () -> this.now));

	private final List<String> counted = new ArrayList<>();

	private final Invocation a = method(0, new CallRecorder() {

		@Override
		public void record(RpcStatus status, long nanos, String peer) {
			throw new AssertionError("its call has its own end");
		}

		@Override
		public void threw(String type) {
			UnexpectedExceptionLogTests.this.counted.add(type);
		}

	});

	private final Invocation b = method(1, null);

	private static Invocation method(int number, @Nullable CallRecorder recorder) {
		MethodDescriptor descriptor = SERVICE.methods().get(number);
		ServerMethod method = new ServerMethod(descriptor, false, Object::new, new LongAdder(),
				new ResponseSizeEstimator(true), new MinServiceTime(), Dispatch.POOL,
				new ServiceQueue(Bulkhead.of(1, false, 1, 1), false), null);
		return Invocation.of(method, new ProtostuffSerializer().codec(SERVICE).method(number), recorder);
	}

	@Test
	void frequentFailure_doesNotHideOtherMethod() {
		for (int i = 0; i < 20; i++) {
			this.exceptions.add(this.a, new IllegalStateException("noise"), "", null);
		}
		this.exceptions.add(this.b, new UnsupportedOperationException("rare and important"), "", null);
		assertThat(this.lines.messages()).containsExactly("Undeclared exception: " + NAME + ".a()",
				"Undeclared exception: " + NAME + ".b()");
		assertThat(this.lines.causes()).containsExactly("noise", "rare and important");
	}

	@Test
	void traceIdFromPeer_isSanitizedInLog() {
		this.exceptions.add(this.a, new IllegalStateException("one"), "", "4bf92f35");
		this.exceptions.add(this.b, new IllegalStateException("two"), "", "x\nERROR " + "y".repeat(9000));
		assertThat(this.lines.messages()).containsExactly("Undeclared exception: " + NAME + ".a() in trace 4bf92f35",
				"Undeclared exception: " + NAME + ".b() in trace x?ERROR?" + "y".repeat(56));
	}

	@Test
	void suppressedExceptions_areCountedByClass() {
		for (int i = 0; i < 20; i++) {
			this.exceptions.add(this.a, new IllegalStateException("noise"), "", null);
		}
		this.exceptions.add(this.a, new NullPointerException("bug"), "", null);
		this.exceptions.add(this.a, new NullPointerException("bug again"), "", null);
		this.now += SECOND;
		this.exceptions.add(this.a, new NullPointerException("still"), "", null);
		this.exceptions.add(this.a, new IllegalStateException("noise"), "", null);
		String line = "Undeclared exception: " + NAME + ".a()";
		assertThat(this.lines.messages()).containsExactly(line, line, line + " (1 more like it since the last line)",
				line + " (19 more like it since the last line)");
		assertThat(this.lines.causes()).containsExactly("noise", "bug", "still", "noise");
	}

	@Test
	void exceptionClasses_areBoundedByMethod() {
		List<Throwable> many = List.of(new NullPointerException(), new ClassCastException(),
				new IllegalStateException(), new IllegalArgumentException(), new ArithmeticException(),
				new IndexOutOfBoundsException(), new NegativeArraySizeException(), new ArrayStoreException(),
				new SecurityException("ninth"), new StackOverflowError("tenth"));
		many.forEach((each) -> this.exceptions.add(this.a, each, "", null));
		this.exceptions.add(this.b, new SecurityException("first of b"), "", null);
		assertThat(this.lines.causes()).hasSize(10).endsWith("ninth", "first of b");
		assertThat(this.lines.messages())
			.contains("Undeclared exception: " + NAME + ".a(), one of more than 8 classes");
	}

	@Test
	void callerAndTraceId_areLogged() {
		this.exceptions.add(this.a, new IllegalStateException("no"), "orders (10.0.0.5:4000)", "4bf92f35");
		assertThat(this.lines.messages()).containsExactly(
				"Undeclared exception: " + NAME + ".a() called by orders (10.0.0.5:4000) in trace 4bf92f35");
	}

	@Test
	void exceptions_areCountedByClass() {
		this.exceptions.add(this.a, new IllegalStateException("no"), "", null);
		this.exceptions.add(this.a, new NullPointerException(), "", null);
		this.exceptions.add(this.a, null, "", null);
		this.exceptions.log(this.a.method, new IllegalStateException("of something else"), "", null);
		assertThat(this.counted).containsExactly("java.lang.IllegalStateException", "java.lang.NullPointerException",
				"null");
	}

}
