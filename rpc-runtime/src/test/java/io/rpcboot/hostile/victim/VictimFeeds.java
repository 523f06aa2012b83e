package io.rpcboot.hostile.victim;

import java.util.concurrent.Flow;

/** A service with a stream, which gRPC alone carries. */
public interface VictimFeeds {

	/** Elements of a size without end. */
	Flow.Publisher<byte[]> feed(int size);

	/** Gives as many as it is asked for, on the thread that asks. */
	static Flow.Publisher<byte[]> endless(int size) {
		return (subscriber) -> subscriber.onSubscribe(new Flow.Subscription() {

			private long demand;

			private boolean sends;

			private volatile boolean cancelled;

			@Override
			public synchronized void request(long count) {
				this.demand += count;
				if (this.sends) {
					return; // asked for by an element
				}
				this.sends = true;
				while (this.demand > 0 && !this.cancelled) {
					this.demand--;
					subscriber.onNext(new byte[size]);
				}
				this.sends = false;
			}

			@Override
			public void cancel() {
				this.cancelled = true;
			}

		});
	}

}
