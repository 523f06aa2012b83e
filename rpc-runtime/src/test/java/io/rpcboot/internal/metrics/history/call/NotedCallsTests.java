package io.rpcboot.internal.metrics.history.call;

import java.util.List;
import java.util.stream.LongStream;

import io.rpcboot.RpcStatus;
import io.rpcboot.Side;
import io.rpcboot.metrics.CallRecorder;
import io.rpcboot.metrics.EndedCall;
import io.rpcboot.metrics.history.ManualHistory;
import io.rpcboot.metrics.history.NotedCall;
import org.assertj.core.data.Percentage;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

class NotedCallsTests {

	private final ManualHistory manual = new ManualHistory();

	private final CallRecorder recorder = this.manual.client(0);

	@Test
	void notedCall_describesCall() {
		this.manual.server(1).record(RpcStatus.INTERNAL, 123, "10.0.0.1:5000");
		String method = ManualHistory.method(1).signature();
		NotedCall expected = new NotedCall(this.manual.now(), Side.SERVER, "app.Service0", method, "10.0.0.1:5000",
				RpcStatus.INTERNAL, 123, 0, false, null, null, null, null);
		assertThat(this.manual.history.failed()).containsExactly(expected);
		assertThat(this.manual.history.slowest()).containsExactly(expected);
	}

	@Test
	void notedCall_namesTruncatedTraceId() {
		this.recorder.record(RpcStatus.INTERNAL, 123, "",
				new EndedCall(0, null, null, "4bf92f3577b34da6a3ce929d0e0e4736"));
		assertThat(this.manual.history.failed()).extracting(NotedCall::traceId)
			.containsExactly("4bf92f3577b34da6a3ce929d0e0e4736");
		assertThat(this.manual.history.slowest()).extracting(NotedCall::traceId)
			.containsExactly("4bf92f3577b34da6a3ce929d0e0e4736");
		this.recorder.record(RpcStatus.INTERNAL, 124, "", new EndedCall(0, null, null, "x".repeat(100_000)));
		assertThat(this.manual.history.failed().get(0).traceId()).hasSize(64);
		this.manual.tick();
		assertThat(this.manual.history.methods(Side.CLIENT, "app.Service0")).singleElement()
			.matches((stats) -> stats.calls() == 2 && stats.errors() == 2);
	}

	@Test
	void notedCall_namesWaitMessageAndException() {
		this.recorder.record(RpcStatus.APPLICATION, 900, "10.0.0.1:9090",
				new EndedCall(700, "m".repeat(400), "java.io.IOException", null));
		assertThat(this.manual.history.failed()).singleElement().satisfies((call) -> {
			assertThat(call.waitedNanos()).isEqualTo(700);
			assertThat(call.message()).hasSize(300).endsWith("m...");
			assertThat(call.exceptionType()).isEqualTo("java.io.IOException");
		});
		this.recorder.record(RpcStatus.UNAVAILABLE, 5, "", new EndedCall(Long.MAX_VALUE, "no", null, null));
		assertThat(this.manual.history.failed().get(0).waitedNanos()).as("never written: all of it").isEqualTo(5);
	}

	@Test
	void notedCall_namesCaller_shortened() {
		this.recorder.record(RpcStatus.APPLICATION, 900, "", new EndedCall(0, null, null, null, "n".repeat(300)));
		assertThat(this.manual.history.failed()).singleElement()
			.satisfies((call) -> assertThat(call.caller()).hasSize(256));
	}

	@Test
	void method_hasMeansOfWaitAndRest() {
		long milli = 1_000_000;
		for (int i = 0; i < 100; i++) {
			this.recorder.record(RpcStatus.OK, 50 * milli, "",
					new EndedCall((i % 2 == 0) ? 40 * milli : 50_000, null, null, null));
		}
		this.recorder.record(RpcStatus.OK, new long[] { 50 * milli, 50 * milli }, new long[] { 40 * milli, 0 }, 2, "");
		this.manual.tick();
		assertThat(this.manual.history.methods(Side.CLIENT, "app.Service0")).singleElement().satisfies((stats) -> {
			assertThat(stats.waitedNanos()).isEqualTo(20 * milli);
			assertThat(stats.ranNanos()).isCloseTo(30 * milli, Percentage.withPercentage(6));
		});
	}

	@Test
	void slowestCalls_areListedFirst() {
		for (int i = 1; i <= 10_000; i++) {
			this.recorder.record(RpcStatus.OK, (i * 7919L) % 10_000 * 1_000_000, "");
		}
		assertThat(this.manual.history.slowest()).hasSize(50)
			.extracting(NotedCall::nanos)
			.isSortedAccordingTo((a, b) -> Long.compare(b, a))
			.allSatisfy((nanos) -> assertThat(nanos).isGreaterThan((long) (9_950_000_000L / 1.07)));
	}

	@Test
	void burst_doesNotHideSlowCallsOfOtherMethods() {
		SlowCalls slow = new SlowCalls();
		for (int window = 0; window < 2; window++) {
			for (int i = 0; i < 50; i++) {
				slow.add(note(window * 50 + i, window * 180_000L, 0, 1_000_000_000L + i));
			}
			slow.rotate();
		}
		for (int i = 0; i < 20; i++) {
			slow.add(note(100 + i, 400_000, 1, 5_000_000L + i));
		}
		assertThat(slow.slowest()).hasSize(50)
			.isSortedAccordingTo((one, other) -> Long.compare(other.nanos(), one.nanos()))
			.filteredOn((note) -> note.method().equals(ManualHistory.method(1)))
			.as("the slowest of the other method, although each call of the bursts is slower")
			.hasSize(5)
			.allSatisfy((note) -> assertThat(note.nanos()).isGreaterThanOrEqualTo(5_000_015L));
	}

	private static Note note(long number, long at, int method, long nanos) {
		return new Note(number, at, Side.CLIENT, ManualHistory.method(method), "", RpcStatus.OK, nanos, 0, null, null,
				null, null);
	}

	@Test
	void risingDurations_admitBoundedNumberOfNotes() {
		SlowCalls slow = new SlowCalls();
		int admitted = 0;
		for (long nanos = 1_000_000; nanos < 1_000_000_000; nanos += 1_000) {
			if (slow.admits(Buckets.of(nanos))) {
				slow.add(new Note(admitted++, 0, Side.CLIENT, ManualHistory.method(0), "", RpcStatus.OK, nanos, 0, null,
						null, null, null));
			}
		}
		assertThat(admitted).isLessThan(50 + 10 * 16 * 50);
	}

	@Test
	void slowCall_isForgotten_after15Minutes() {
		this.recorder.record(RpcStatus.OK, 5_000, "");
		this.manual.ticks(143);
		assertThat(this.manual.history.slowest()).hasSize(1);
		this.manual.ticks(180 - 143);
		assertThat(this.manual.history.slowest()).isEmpty();
	}

	@Test
	void fastCall_isNoted_inNextWindow() {
		for (int i = 0; i < 60; i++) {
			this.recorder.record(RpcStatus.OK, 1_000_000_000, "");
		}
		this.manual.ticks(36);
		this.recorder.record(RpcStatus.OK, 1_000_000, "");
		this.manual.ticks(180 - 36);
		assertThat(this.manual.history.slowest()).singleElement().extracting(NotedCall::nanos).isEqualTo(1_000_000L);
	}

	@Test
	void latestFailures_areListedFirst() {
		for (int i = 0; i < 100; i++) {
			this.recorder.record(RpcStatus.UNAVAILABLE, i, "");
			this.manual.tick();
		}
		assertThat(this.manual.history.failed()).extracting(NotedCall::nanos)
			.containsExactlyElementsOf(LongStream.range(0, 50).mapToObj((i) -> 99 - i).toList());
	}

	@Test
	void declaredExceptions_areNotFailures() {
		this.recorder.record(RpcStatus.DECLARED, 1, "");
		this.recorder.record(RpcStatus.OK, 1, "");
		assertThat(this.manual.history.failed()).isEmpty();
	}

	@Test
	void frequentStatus_doesNotHideOtherStatus() {
		List<RpcStatus> rush = List.of(RpcStatus.RESOURCE_EXHAUSTED, RpcStatus.APPLICATION);
		for (RpcStatus status : rush) {
			for (int i = 0; i < 1_000; i++) {
				this.recorder.record(status, 1, "");
			}
		}
		assertThat(this.manual.history.failed()).hasSize(20)
			.extracting(NotedCall::status)
			.hasSameElementsAs(rush)
			.startsWith(RpcStatus.APPLICATION);
		this.manual.tick();
		this.recorder.record(RpcStatus.RESOURCE_EXHAUSTED, 2, "");
		assertThat(this.manual.history.failed()).hasSize(21).element(0).extracting(NotedCall::nanos).isEqualTo(2L);
	}

}
