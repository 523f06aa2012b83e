package io.rpcboot.internal.transport.frame;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;

import io.netty.buffer.ByteBuf;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

class CallTableTests {

	private final CallTable<Entry> table = new CallTable<>();

	@Test
	void table_findsOnlyStoredCalls() {
		Entry first = put(1);
		Entry sameSlot = put(1 + (1L << 32));
		assertThat(this.table.get(1)).isSameAs(first);
		assertThat(this.table.get(1 + (1L << 32))).isSameAs(sameSlot);
		assertThat(this.table.get(1 + (1L << 33))).isNull();
		assertThat(this.table.remove(2)).isNull();
		assertThat(this.table.size()).isEqualTo(2);
	}

	@Test
	void removal_keepsOtherCallsOfSlot() {
		for (long removed = 0; removed < 3; removed++) {
			CallTable<Entry> fresh = new CallTable<>();
			for (long i = 0; i < 3; i++) {
				fresh.put(new Entry(i << 40));
			}
			assertThat(fresh.remove(removed << 40)).isNotNull();
			for (long i = 0; i < 3; i++) {
				assertThat(fresh.get(i << 40) != null).isEqualTo(i != removed);
			}
			assertThat(fresh.size()).isEqualTo(2);
		}
	}

	@Test
	void table_agreesWithMap_whileItGrowsAndShrinks() {
		Random random = new Random(17);
		Map<Long, Entry> expected = new HashMap<>();
		long id = 0;
		for (int i = 0; i < 50_000; i++) {
			id += 1 + random.nextInt(random.nextInt(100) == 0 ? 100_000 : 3);
			expected.put(id, put(id));
			long other = id - random.nextInt(3000);
			if (random.nextInt(10) < 8) {
				assertThat(this.table.remove(other)).isSameAs(expected.remove(other));
			}
			assertThat(this.table.get(other)).isSameAs(expected.get(other));
		}
		assertThat(this.table.size()).isEqualTo(expected.size());
		List<Entry> seen = new ArrayList<>();
		this.table.forEach(seen::add);
		assertThat(seen).hasSameSizeAs(expected.values());
		assertThat(new HashSet<>(seen)).isEqualTo(new HashSet<>(expected.values()));
	}

	/** As calls of an instance that stands still do, which another event loop writes. */
	@Test
	void removedCalls_mayEnterOtherTable_duringRemoval() {
		CallTable<Entry> other = new CallTable<>();
		for (long i = 0; i < 1000; i++) {
			put(i);
		}
		this.table.removeIf((entry) -> {
			if (entry.callId % 2 == 0) {
				return false;
			}
			entry.callId += 10_000_000;
			other.put(entry);
			return true;
		});
		assertThat(this.table.size()).isEqualTo(500);
		assertThat(other.size()).isEqualTo(500);
		for (long i = 0; i < 1000; i++) {
			boolean moved = i % 2 == 1;
			assertThat(this.table.get(i) != null).as("%d here", i).isEqualTo(!moved);
			assertThat(other.get(i + 10_000_000) != null).as("%d there", i).isEqualTo(moved);
		}
	}

	@Test
	void failingPredicate_losesNoCall() {
		for (long i = 0; i < 100; i++) {
			put(i);
		}
		assertThatIllegalStateException().isThrownBy(() -> this.table.removeIf((entry) -> {
			if (entry.callId == 50) {
				throw new IllegalStateException("on purpose");
			}
			return false;
		}));
		assertThat(this.table.size()).isEqualTo(100);
		for (long i = 0; i < 100; i++) {
			assertThat(this.table.get(i)).isNotNull();
		}
	}

	@Test
	void removeIf_removesMatchingCalls() {
		for (long i = 0; i < 1000; i++) {
			put(i);
		}
		assertThat(this.table.removeIf((entry) -> entry.callId >= 990)).extracting((entry) -> entry.callId)
			.containsExactlyInAnyOrder(990L, 991L, 992L, 993L, 994L, 995L, 996L, 997L, 998L, 999L);
		assertThat(this.table.removeIf((entry) -> true)).hasSize(990);
		assertThat(this.table.size()).isZero();
		assertThat(this.table.get(5)).isNull();
	}

	private Entry put(long id) {
		Entry entry = new Entry(id);
		this.table.put(entry);
		return entry;
	}

	private static final class Entry extends OutboundFrame {

		Entry(long id) {
			super(new byte[0]);
			this.callId = id;
		}

		@Override
		public int headerLength() {
			throw new IllegalStateException("not written here");
		}

		@Override
		public void writeHeader(ByteBuf out) {
			throw new IllegalStateException("not written here");
		}

		@Override
		public WriteDecision beforeWrite(boolean writable) {
			throw new IllegalStateException("not written here");
		}

		@Override
		public void onRejected() {
			throw new IllegalStateException("not queued here");
		}

	}

}
