package io.rpcboot.metrics.micrometer;

import java.util.concurrent.atomic.LongAdder;

import io.micrometer.core.instrument.Tags;

/** Elements of the streams of one method over one protocol. Any thread. */
final class StreamMeters {

	private final LongAdder arguments;

	private final LongAdder results;

	private final Samples first;

	StreamMeters(Meters meters, boolean client, Tags tags) {
		RpcMeters elements = client ? RpcMeters.CLIENT_STREAMS_ELEMENTS : RpcMeters.SERVER_STREAMS_ELEMENTS;
		this.arguments = meters.counter(elements, tags.and(RpcMeters.TAG_DIRECTION, "argument"), new LongAdder(),
				LongAdder::sum);
		this.results = meters.counter(elements, tags.and(RpcMeters.TAG_DIRECTION, "result"), new LongAdder(),
				LongAdder::sum);
		this.first = meters.timed(client ? RpcMeters.CLIENT_STREAMS_FIRST : RpcMeters.SERVER_STREAMS_FIRST, tags);
	}

	void passed(long arguments, long results) {
		this.arguments.add(arguments);
		this.results.add(results);
	}

	void first(long nanos) {
		this.first.add(nanos);
	}

}
