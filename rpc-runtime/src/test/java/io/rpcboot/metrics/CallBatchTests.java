package io.rpcboot.metrics;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

import org.junit.jupiter.api.Test;

import io.rpcboot.RpcStatus;

import static org.assertj.core.api.Assertions.assertThat;

class CallBatchTests {

	private final List<String> told = new ArrayList<>();

	private final CallRecorder one = new Told("one");

	private final CallRecorder other = new Told("other");

	private final CallBatch tally = new CallBatch("peer:1");

	@Test
	void consecutiveEqualOutcomes_areRecordedTogether() {
		this.tally.add(this.one, RpcStatus.OK, 1, EndedCall.AT_ONCE);
		this.tally.add(this.one, RpcStatus.OK, 2, EndedCall.AT_ONCE);
		assertThat(this.told).isEmpty();
		this.tally.add(this.one, RpcStatus.DECLARED, 3, EndedCall.AT_ONCE);
		this.tally.add(this.other, RpcStatus.DECLARED, 4, EndedCall.AT_ONCE);
		assertThat(this.told).containsExactly("one OK [1, 2] peer:1", "one DECLARED [3] peer:1");
		this.tally.publish();
		this.tally.publish();
		assertThat(this.told).hasSize(3).last().isEqualTo("other DECLARED [4] peer:1");
	}

	@Test
	void failedCall_isRecordedAtOnce_withItsDetails() {
		EndedCall failed = new EndedCall(7, "no", "java.io.IOException", "trace");
		this.tally.add(this.one, RpcStatus.OK, 1, EndedCall.AT_ONCE);
		this.tally.add(this.one, RpcStatus.APPLICATION, 9, failed);
		this.tally.add(null, RpcStatus.APPLICATION, 9, failed);
		this.tally.add(this.one, RpcStatus.OK, 2, EndedCall.AT_ONCE);
		this.tally.publish();
		assertThat(this.told).containsExactly("one OK [1] peer:1", "one APPLICATION 9 peer:1 " + failed,
				"one OK [2] peer:1");
	}

	@Test
	void longBatch_isRecordedInParts() {
		for (int i = 0; i < 70; i++) {
			this.tally.add(this.one, RpcStatus.OK, i, EndedCall.AT_ONCE);
		}
		this.tally.publish();
		assertThat(this.told).hasSize(3);
		assertThat(this.told.get(0)).startsWith("one OK [0, 1, ").endsWith(", 31] peer:1");
		assertThat(this.told.get(1)).startsWith("one OK [32, ").endsWith(", 63] peer:1");
		assertThat(this.told.get(2)).startsWith("one OK [64, ").endsWith(", 69] peer:1");
	}

	@Test
	void bytes_areSummedByRecorder() {
		this.tally.carried(this.one, 10, 1);
		this.tally.carried(this.one, 20, Integer.MAX_VALUE);
		this.tally.carried(this.one, 20, Integer.MAX_VALUE);
		this.tally.carried(this.other, 5, 0);
		this.tally.publish();
		this.tally.publish();
		assertThat(this.told).containsExactly("one carried 50 and 4294967295", "other carried 5 and 0");
	}

	@Test
	void unrecordedCalls_endBatch() {
		this.tally.add(this.one, RpcStatus.OK, 1, EndedCall.AT_ONCE);
		this.tally.add(null, RpcStatus.OK, 2, EndedCall.AT_ONCE);
		this.tally.carried(null, 1, 1);
		this.tally.add(this.one, RpcStatus.OK, 3, EndedCall.AT_ONCE);
		this.tally.publish();
		assertThat(this.told).containsExactly("one OK [1] peer:1", "one OK [3] peer:1");
	}

	@Test
	void recorderWithoutBatchSupport_receivesEachCall() {
		List<String> calls = new ArrayList<>();
		CallRecorder simple = (status, nanos, peer) -> calls.add(status + " " + nanos + " " + peer);
		this.tally.add(simple, RpcStatus.OK, 1, EndedCall.AT_ONCE);
		this.tally.add(simple, RpcStatus.OK, 2, EndedCall.AT_ONCE);
		this.tally.publish();
		assertThat(calls).containsExactly("OK 1 peer:1", "OK 2 peer:1");
	}

	private final class Told implements CallRecorder {

		private final String name;

		Told(String name) {
			this.name = name;
		}

		@Override
		public void record(RpcStatus status, long nanos, String peer) {
			throw new AssertionError("it takes batches");
		}

		@Override
		public void record(RpcStatus status, long nanos, String peer, CallDetails details) {
			CallBatchTests.this.told.add(this.name + " " + status + " " + nanos + " " + peer + " " + details);
		}

		@Override
		public void record(RpcStatus status, long[] nanos, long[] waited, int calls, String peer) {
			CallBatchTests.this.told
				.add(this.name + " " + status + " " + Arrays.toString(Arrays.copyOf(nanos, calls)) + " " + peer);
		}

		@Override
		public void carried(long argumentBytes, long resultBytes) {
			CallBatchTests.this.told.add(this.name + " carried " + argumentBytes + " and " + resultBytes);
		}

	}

}
