package io.rpcboot.metrics;

import java.lang.reflect.InvocationHandler;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.lang.reflect.Proxy;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.LongSupplier;

import io.rpcboot.MethodDescriptor;
import io.rpcboot.RpcStatus;
import io.rpcboot.ServiceDescriptor;
import io.rpcboot.Side;
import io.rpcboot.metrics.RpcMetrics.Gauge;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

class CompositeMetricsTests {

	private final MethodDescriptor method = ServiceDescriptor.of(Runnable.class).methods().get(0);

	private final Told one = new Told();

	private final Told two = new Told();

	private final Told three = new Told();

	@Test
	void composite_isOmitted_withFewerThanTwoParts() {
		assertThat(RpcMetrics.all(List.of()).isNone()).isTrue();
		assertThat(RpcMetrics.all(List.of(RpcMetrics.none(), RpcMetrics.none())).isNone()).isTrue();
		assertThat(RpcMetrics.all(List.of(RpcMetrics.none(), this.one))).isSameAs(this.one);
		assertThat(RpcMetrics.all(List.of(this.one, this.two)).isNone()).isFalse();
	}

	@Test
	void parts_receiveEveryEvent() throws Exception {
		RpcMetrics all = RpcMetrics.all(List.of(this.one, this.two, this.three));
		tellAll(all.calls(Side.CLIENT, this.method), CallRecorder.class);
		tellAll(all.transport(Side.SERVER), TransportRecorder.class);
		all.gauge(Gauge.HELD, "subject", () -> 1).close();
		assertThat(this.one.heard).contains("record(OK, 0, )", "flushed(DRAINED, 0, 0)", "level HELD subject", "close")
			.hasSize(methods(CallRecorder.class).size() + methods(TransportRecorder.class).size() + 2);
		assertThat(this.two.heard).isEqualTo(this.one.heard);
		assertThat(this.three.heard).isEqualTo(this.one.heard);
	}

	@Test
	void failingPart_isLeftOut_fromThenOn() throws Exception {
		RpcMetrics all = RpcMetrics.all(List.of(this.one, this.two, this.three));
		CallRecorder calls = all.calls(Side.CLIENT, this.method);
		TransportRecorder transport = all.transport(Side.CLIENT);
		AutoCloseable level = all.gauge(Gauge.HELD, () -> 1);
		this.two.failure = new IllegalStateException("registry is closed");
		calls.record(RpcStatus.OK, 1, "");
		this.two.failure = null;
		calls.record(RpcStatus.OK, 2, "");
		transport.stalled();
		all.calls(Side.SERVER, this.method).record(RpcStatus.OK, 3, "");
		level.close();
		assertThat(this.two.heard).containsExactly("level HELD ", "record(OK, 1, )", "close");
		assertThat(this.one.heard).hasSize(6);
		assertThat(this.three.heard).isEqualTo(this.one.heard);
	}

	@Test
	void failingPart_isLeftOut_whenItFailsFirstCall() throws Exception {
		RpcMetrics broken = new RpcMetrics() {
			@Override
			public CallRecorder calls(Side side, MethodDescriptor described) {
				throw new NoClassDefFoundError("io/micrometer/Gone");
			}

			@Override
			public TransportRecorder transport(Side side) {
				throw new IllegalStateException();
			}

			@Override
			public AutoCloseable gauge(Gauge level, String subject, LongSupplier value) {
				throw new IllegalStateException();
			}
		};
		RpcMetrics all = RpcMetrics.all(List.of(broken, this.one));
		all.gauge(Gauge.HELD, () -> 1).close();
		all.calls(Side.CLIENT, this.method).record(RpcStatus.OK, 1, "");
		all.transport(Side.CLIENT).stalled();
		assertThat(this.one.heard).containsExactly("level HELD ", "close", "record(OK, 1, )", "stalled()");
	}

	@Test
	void stackOverflow_leavesPartInPlace() {
		RpcMetrics all = RpcMetrics.all(List.of(this.one, this.two));
		CallRecorder calls = all.calls(Side.CLIENT, this.method);
		this.one.failure = new StackOverflowError();
		assertThatThrownBy(() -> calls.record(RpcStatus.OK, 1, "")).isInstanceOf(StackOverflowError.class);
		this.one.failure = null;
		calls.record(RpcStatus.OK, 2, "");
		assertThat(this.one.heard).contains("record(OK, 2, )");
	}

	/** Interfaces may gain methods: the chain has to pass on each of them itself. */
	private static void tellAll(Object recorder, Class<?> type) throws ReflectiveOperationException {
		for (Method each : methods(type)) {
			Object[] arguments = Arrays.stream(each.getParameterTypes()).map(CompositeMetricsTests::some).toArray();
			each.invoke(recorder, arguments);
		}
	}

	private static List<Method> methods(Class<?> type) {
		return Arrays.stream(type.getMethods()).filter((each) -> !Modifier.isStatic(each.getModifiers())).toList();
	}

	private static Object some(Class<?> type) {
		if (type.isEnum()) {
			return type.getEnumConstants()[0];
		}
		if (type == int.class) {
			return 0;
		}
		if (type == StreamEnd.class) {
			return new StreamEnd(RpcStatus.OK, 1, "", 0, 0, 0, 0, -1, null);
		}
		if (type == long.class) {
			return 0L;
		}
		if (type == CallDetails.class) {
			return EndedCall.AT_ONCE;
		}
		return (type == long[].class) ? new long[1] : "";
	}

	/** Writes down what it is told. */
	private static final class Told implements RpcMetrics {

		private final List<String> heard = new ArrayList<>();

		private @Nullable Throwable failure;

		@Override
		public CallRecorder calls(Side side, MethodDescriptor method) {
			return recorder(CallRecorder.class);
		}

		@Override
		public TransportRecorder transport(Side side) {
			return recorder(TransportRecorder.class);
		}

		@Override
		public AutoCloseable gauge(Gauge level, String subject, LongSupplier value) {
			this.heard.add("level " + level + " " + subject);
			return () -> this.heard.add("close");
		}

		private <T> T recorder(Class<T> type) {
			InvocationHandler handler = (proxy, called, arguments) -> {
				List<Object> all = (arguments != null) ? Arrays.asList(arguments) : List.of();
				this.heard.add(called.getName()
						+ all.stream().map(Told::text).toList().toString().replace('[', '(').replace(']', ')'));
				if (this.failure != null) {
					throw this.failure;
				}
				return null;
			};
			return type.cast(Proxy.newProxyInstance(type.getClassLoader(), new Class<?>[] { type }, handler));
		}

		private static String text(Object argument) {
			return (argument instanceof long[] nanos) ? Arrays.toString(nanos) : argument.toString();
		}

	}

}
