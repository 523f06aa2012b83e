package io.rpcboot.internal.memory;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

@Timeout(60)
class ObjectHeapTests {

	/** All readers share 1,000 bytes. */
	private final ObjectHeap heap = new ObjectHeap(8000);

	private final Object first = new Object();

	private final Object second = new Object();

	@Test
	void readers_shareEighthOfHeap() {
		this.heap.enter(this.first, 600);
		this.heap.enter(this.second, 400);
		assertThat(this.heap.mostOfOne()).isEqualTo(2000);
	}

	@Test
	void oneReader_exceedsShare_andOthersWaitForIt() throws Exception {
		this.heap.enter(this.first, 900);
		this.heap.enter(this.first, 900);
		CompletableFuture<Void> other = CompletableFuture.runAsync(() -> {
			ObjectHeap.waitUntil(System.nanoTime() + TimeUnit.SECONDS.toNanos(50));
			this.heap.enter(this.second, 200);
		});
		this.heap.enter(this.first, 100);
		assertThat(other).isNotDone();
		this.heap.leave(this.first, 1900);
		other.get();
	}

	/** Otherwise two readers that each have a part would wait for each other. */
	@Test
	void reader_goesOn_whenOtherReadersHavePartsAndWait() throws Exception {
		this.heap.enter(this.first, 500);
		this.heap.enter(this.second, 500);
		CompletableFuture<Void> one = finish(this.first);
		CompletableFuture<Void> other = finish(this.second);
		one.get();
		other.get();
		this.heap.enter(new Object(), 1000);
	}

	private CompletableFuture<Void> finish(Object reader) {
		return CompletableFuture.runAsync(() -> {
			ObjectHeap.waitUntil(System.nanoTime() + TimeUnit.SECONDS.toNanos(50));
			for (int i = 0; i < 5; i++) {
				this.heap.enter(reader, 100);
			}
			this.heap.leave(reader, 1000);
		});
	}

	@Test
	void waitingReader_fails_atDeadline() {
		this.heap.enter(this.first, 1001);
		ObjectHeap.waitUntil(System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(20));
		assertThatExceptionOfType(MemoryShortageException.class).isThrownBy(() -> this.heap.enter(this.second, 1))
			.withMessage("the objects of messages that are read take all of 1000 bytes, an eighth of the heap (-Xmx)");
	}

	/** The caller has gone: its message is not read in the place of others. */
	@Test
	void waitingReader_givesUp_whenItsCallIsOver() throws Exception {
		this.heap.enter(this.first, 1001);
		AtomicBoolean over = new AtomicBoolean();
		CompletableFuture<Void> other = CompletableFuture.runAsync(() -> {
			ObjectHeap.waitUntil(System.nanoTime() + TimeUnit.SECONDS.toNanos(50), over::get);
			this.heap.enter(this.second, 1);
		});
		over.set(true);
		while (!other.isDone()) {
			this.heap.leave(new Object(), 0);
		}
		assertThat(other).isCompletedExceptionally();
	}

	@Test
	void eventLoop_failsAtOnce() {
		this.heap.enter(this.first, 1001);
		ObjectHeap.waitUntil(ObjectHeap.NO_WAIT);
		assertThatExceptionOfType(MemoryShortageException.class).isThrownBy(() -> this.heap.enter(this.second, 1));
		this.heap.leave(this.first, 1001);
		this.heap.enter(this.second, 1);
		ObjectHeap.waitUntil(0);
	}

	@Test
	void interruptedReader_failsAndStaysInterrupted() {
		this.heap.enter(this.first, 1001);
		Thread.currentThread().interrupt();
		assertThatExceptionOfType(MemoryShortageException.class).isThrownBy(() -> this.heap.enter(this.second, 1))
			.matches(MemoryShortageException::isInterrupted);
		assertThat(Thread.interrupted()).isTrue();
	}

}
