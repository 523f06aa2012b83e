package io.rpcboot.metrics.history;

import java.lang.reflect.Method;
import java.time.Duration;
import java.time.Instant;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;

import io.rpcboot.MethodDescriptor;
import io.rpcboot.RpcStatus;
import io.rpcboot.ServiceId;
import io.rpcboot.Side;
import io.rpcboot.metrics.CallRecorder;

/** A history whose clocks stand still until a test moves them. */
public final class ManualHistory {

	static final long START = 1_700_000_000_000L;

	private static final List<Method> METHODS = Arrays.stream(List.class.getMethods())
		.sorted(Comparator.comparing(Method::toString))
		.limit(20)
		.toList();

	private long nanos = -5;

	private long millis = START;

	public final RpcHistory history = RpcHistory.builder()
		.clock(() -> this.nanos, () -> Instant.ofEpochMilli(this.millis))
		.build();

	/** Method {@code number % 20} of service {@code number / 20}. */
	public static MethodDescriptor method(int number) {
		return new MethodDescriptor(new ServiceId("app.Service" + number / 20, "", ""), number % 20,
				METHODS.get(number % 20), MethodDescriptor.Style.BLOCKING, List.of(), null, false);
	}

	/** One call of ten milliseconds. */
	public static void call(CallRecorder recorder) {
		recorder.record(RpcStatus.OK, 10_000_000, "peer:1");
	}

	public static void calls(CallRecorder recorder, int count) {
		for (int i = 0; i < count; i++) {
			call(recorder);
		}
	}

	public CallRecorder client(int number) {
		return this.history.calls(Side.CLIENT, method(number));
	}

	public CallRecorder server(int number) {
		return this.history.calls(Side.SERVER, method(number));
	}

	public void tick() {
		pass(Duration.ofSeconds(5));
		this.history.tick();
	}

	public void ticks(int count) {
		for (int i = 0; i < count; i++) {
			tick();
		}
	}

	void pass(Duration time) {
		this.nanos += time.toNanos();
		this.millis += time.toMillis();
	}

	void setWallClock(Duration by) {
		this.millis += by.toMillis();
	}

	public long now() {
		return this.millis;
	}

	public double last(HistoryValue value) {
		return last(value.key());
	}

	double last(String key) {
		double[] all = this.history.values(0).values().get(key);
		return (all != null) ? all[all.length - 1] : Double.NaN;
	}

	public MethodStats stats(Side side, int number) {
		MethodDescriptor method = method(number);
		return this.history.methods(side, method.service().toString())
			.stream()
			.filter((each) -> each.method().equals(method.signature()))
			.findFirst()
			.orElseThrow();
	}

	public MethodSeries series(Side side, int number) {
		MethodDescriptor method = method(number);
		return this.history.method(side, method.service().toString(), method.signature(), 0).orElseThrow();
	}

}
