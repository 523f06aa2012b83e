package io.rpcboot.internal.transport.frame;

import java.lang.ref.WeakReference;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

import io.rpcboot.internal.transport.fixture.TestFrame;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;

/** Tests that a frame keeps nothing of the queue that it has left. */
@Tag("races")
class MpscFrameQueueTests {

	private static final long LONGEST_NANOS = TimeUnit.SECONDS.toNanos(5);

	private final MpscFrameQueue queue = new MpscFrameQueue();

	@Test
	void frames_leaveInOrder() {
		List<OutboundFrame> pushed = new ArrayList<>();
		for (int i = 1; i <= 5; i++) {
			pushed.add(push(i));
		}
		List<OutboundFrame> polled = new ArrayList<>();
		for (OutboundFrame each = this.queue.poll(); each != null; each = this.queue.poll()) {
			polled.add(each);
		}
		assertThat(polled).isEqualTo(pushed);
		assertThat(this.queue.isEmpty()).isTrue();
	}

	@Test
	void polledFrame_hasNoLink() {
		push(1);
		push(2);
		OutboundFrame first = this.queue.poll();
		assertThat(first).isNotNull();
		assertThat(first.next).isNull();
		OutboundFrame last = this.queue.poll();
		assertThat(last).isNotNull();
		assertThat(last.next).isNull();
		assertThat(this.queue.poll()).isNull();
	}

	/** A long pending call must not keep the calls that came and went after it. */
	@ParameterizedTest
	@ValueSource(ints = { 1, 2, 100 })
	void polledFrame_doesNotRetainLaterFrames(int frames) {
		push(0);
		List<WeakReference<OutboundFrame>> later = pushWeakly(frames);
		OutboundFrame pending = this.queue.poll();
		pollAll();
		assertForgotten(later);
		assertThat(pending).isNotNull();
		assertThat(pending.callId).isZero();
	}

	/** The queue is empty between two frames: then its stub stands between them. */
	@Test
	void polledFrame_doesNotRetainLaterFrames_whenQueueWasEmpty() {
		push(0);
		OutboundFrame pending = this.queue.poll();
		List<WeakReference<OutboundFrame>> later = pushWeakly(10);
		pollAll();
		assertForgotten(later);
		assertThat(pending).isNotNull();
		assertThat(pending.callId).isZero();
	}

	/** A frame whose link was cleared can be pushed again. */
	@Test
	void frame_canBeEnqueuedAgain() {
		OutboundFrame frame = push(1);
		push(2);
		for (int i = 0; i < 100; i++) {
			OutboundFrame polled = this.queue.poll();
			assertThat(polled).isNotNull();
			this.queue.push(polled);
		}
		assertThat(this.queue.poll()).isSameAs(frame);
	}

	private OutboundFrame push(long id) {
		TestFrame frame = new TestFrame(id, 0);
		this.queue.push(frame);
		return frame;
	}

	private List<WeakReference<OutboundFrame>> pushWeakly(int frames) {
		List<WeakReference<OutboundFrame>> result = new ArrayList<>();
		for (int i = 1; i <= frames; i++) {
			result.add(new WeakReference<>(push(i)));
		}
		return result;
	}

	/** The stub is the last to leave, so nothing but it is left in the queue. */
	private void pollAll() {
		while (this.queue.poll() != null) {
			continue;
		}
		assertThat(this.queue.isEmpty()).isTrue();
	}

	private static void assertForgotten(List<WeakReference<OutboundFrame>> frames) {
		long deadline = System.nanoTime() + LONGEST_NANOS;
		while (frames.stream().anyMatch((each) -> each.get() != null) && System.nanoTime() < deadline) {
			System.gc();
			LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(10));
		}
		assertThat(frames.stream().filter((each) -> each.get() != null).count()).as("frames that are still reachable")
			.isZero();
	}

}
