package io.rpcboot.internal.logging;

import java.lang.reflect.Proxy;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import io.rpcboot.LoggedLines;
import io.rpcboot.MethodDescriptor;
import io.rpcboot.RpcStatus;
import io.rpcboot.ServiceDescriptor;
import io.rpcboot.Side;
import io.rpcboot.metrics.CallBatch;
import io.rpcboot.metrics.EndedCall;
import io.rpcboot.metrics.CallRecorder;
import io.rpcboot.metrics.RpcMetrics;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.slf4j.LoggerFactory;

import static org.assertj.core.api.Assertions.assertThat;

/** A line for each call, where it is wanted. */
class CallLoggingMetricsTests {

	/** A contract. */
	public interface Shop {

		void sell(String what);

	}

	private static final MethodDescriptor METHOD = ServiceDescriptor.of(Shop.class).methods().get(0);

	private static final String NAME = Shop.class.getName() + ".sell(java.lang.String)";

	@RegisterExtension
	final LoggedLines lines = new LoggedLines(CallLoggingMetrics.CLIENT, CallLoggingMetrics.SERVER);

	@ParameterizedTest
	@EnumSource
	void metrics_areUnwrapped_whenCallLoggingIsOff(Side side) {
		this.lines.level(Level.INFO);
		assertThat(CallLoggingMetrics.over(side, RpcMetrics.none())).isSameAs(RpcMetrics.none())
			.matches(RpcMetrics::isNone);
	}

	@Test
	void callLogging_inheritsLevelOfSide_unlessConfigured() {
		this.lines.level(null);
		Logger client = (Logger) LoggerFactory.getLogger("rpc.client");
		client.setLevel(Level.DEBUG);
		try {
			assertThat(CallLoggingMetrics.over(Side.CLIENT, RpcMetrics.none())).isNotSameAs(RpcMetrics.none());
			assertThat(CallLoggingMetrics.over(Side.SERVER, RpcMetrics.none())).isSameAs(RpcMetrics.none());
			this.lines.level(Level.INFO);
			assertThat(CallLoggingMetrics.over(Side.CLIENT, RpcMetrics.none())).isSameAs(RpcMetrics.none());
		}
		finally {
			client.setLevel(null);
		}
	}

	@Test
	void server_logsEachCall() {
		this.lines.level(Level.DEBUG);
		CallRecorder calls = CallLoggingMetrics.over(Side.SERVER, RpcMetrics.none()).calls(Side.SERVER, METHOD);
		calls.record(RpcStatus.OK, 1_234_567, "peer:1");
		calls.record(RpcStatus.APPLICATION, 2_000, "peer:1");
		assertThat(this.lines.messages()).containsExactly(NAME + ": OK after 1.235 ms",
				NAME + ": APPLICATION after 0.002 ms");
	}

	@Test
	void client_logsOnlyCallsWithResultOrDeclaredException() {
		this.lines.level(Level.DEBUG);
		CallRecorder calls = CallLoggingMetrics.over(Side.CLIENT, RpcMetrics.none()).calls(Side.CLIENT, METHOD);
		for (RpcStatus status : RpcStatus.values()) {
			calls.record(status, 1_000_000, "peer:1");
		}
		assertThat(this.lines.messages()).containsExactly(NAME + ": OK after 1.000 ms",
				NAME + ": DECLARED after 1.000 ms");
	}

	@Test
	void wrappedMetrics_receiveEveryCall() {
		this.lines.level(Level.DEBUG);
		List<String> told = new ArrayList<>();
		CallRecorder all = new CallRecorder() {

			@Override
			public void record(RpcStatus status, long nanos, String peer) {
				told.add(status + " " + nanos + " " + peer);
			}

			@Override
			public void record(RpcStatus status, long[] nanos, long[] waited, int calls, String peer) {
				told.add(status + " " + Arrays.toString(Arrays.copyOf(nanos, calls)) + " " + peer);
			}

			@Override
			public void carried(long argumentBytes, long resultBytes) {
				told.add(argumentBytes + " and " + resultBytes + " bytes");
			}

		};
		RpcMetrics metrics = (RpcMetrics) Proxy.newProxyInstance(getClass().getClassLoader(),
				new Class<?>[] { RpcMetrics.class },
				(proxy, method, arguments) -> method.getName().equals("isNone") ? false : all);
		CallBatch tally = new CallBatch("peer:1");
		CallRecorder calls = CallLoggingMetrics.over(Side.CLIENT, metrics).calls(Side.CLIENT, METHOD);
		tally.add(calls, RpcStatus.OK, 1, EndedCall.AT_ONCE);
		tally.carried(calls, 10, 20);
		tally.add(calls, RpcStatus.OK, 2, EndedCall.AT_ONCE);
		tally.publish();
		calls.record(RpcStatus.DECLARED, 7, "");
		assertThat(told).containsExactly("OK [1, 2] peer:1", "10 and 20 bytes", "DECLARED 7 ");
		assertThat(this.lines.messages()).hasSize(3);
		this.lines.level(Level.INFO);
		tally.add(calls, RpcStatus.OK, 3, EndedCall.AT_ONCE);
		tally.publish();
		assertThat(told).hasSize(4);
		assertThat(this.lines.messages()).as("off again").hasSize(3);
	}

}
