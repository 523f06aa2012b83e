package io.rpcboot.hostile.attack;

import java.util.concurrent.atomic.AtomicLong;

import io.rpcboot.hostile.victim.Figures;

/** What an attack has done so far. Thread-safe. */
public final class AttackCounts {

	private final AtomicLong connections = new AtomicLong();

	private final AtomicLong cut = new AtomicLong();

	private final AtomicLong bytes = new AtomicLong();

	private final AtomicLong calls = new AtomicLong();

	/**
	 * What an attack has done.
	 *
	 * @param connections that were made
	 * @param cut those of them that the victim ended
	 * @param bytes that were sent
	 * @param calls that were sent, one-way calls included
	 */
	public record Total(long connections, long cut, long bytes, long calls) {

		static Total decode(String text) {
			String[] words = text.split(" ");
			return new Total(Long.parseLong(words[0]), Long.parseLong(words[1]), Long.parseLong(words[2]),
					Long.parseLong(words[3]));
		}

		String encode() {
			return "%d %d %d %d".formatted(this.connections, this.cut, this.bytes, this.calls);
		}

		@Override
		public String toString() {
			return "%d connections (%d cut), %s MB, %d calls".formatted(this.connections, this.cut,
					Figures.megabytes(this.bytes), this.calls);
		}

	}

	void connected() {
		this.connections.incrementAndGet();
	}

	void cut() {
		this.cut.incrementAndGet();
	}

	void sent(int count) {
		this.bytes.addAndGet(count);
	}

	void called() {
		this.calls.incrementAndGet();
	}

	public Total total() {
		return new Total(this.connections.get(), this.cut.get(), this.bytes.get(), this.calls.get());
	}

}
