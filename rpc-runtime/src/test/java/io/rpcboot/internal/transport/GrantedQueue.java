package io.rpcboot.internal.transport;

import java.util.ArrayList;
import java.util.List;

import io.netty.channel.Channel;
import io.netty.channel.ChannelInitializer;
import io.netty.channel.embedded.EmbeddedChannel;

import io.rpcboot.internal.protocol.FrameType;
import io.rpcboot.transport.BatchingOptions;

/** A write queue whose frames need a grant of bytes, on a channel without a socket. */
final class GrantedQueue implements AutoCloseable {

	final EmbeddedChannel channel;

	final WriteQueue queue;

	final OutgoingGrant grant;

	private long lastId;

	GrantedQueue() {
		WriteQueue[] queues = new WriteQueue[1];
		this.channel = new EmbeddedChannel(new ChannelInitializer<>() {
			@Override
			protected void initChannel(Channel channel) {
				queues[0] = Connection
					.install(channel, "test", new FlushPolicy(BatchingOptions.defaults()), null, 1024,
							(connection) -> new RecordingHandler())
					.queue();
			}
		});
		this.channel.flush();
		Wire.flushed(this.channel);
		this.queue = queues[0];
		this.grant = new OutgoingGrant(this.queue);
		this.queue.afterBatch(this.grant::settle);
	}

	/** A frame with a body of this size, which goes when it is granted. */
	TestFrame enqueue(int size) {
		TestFrame frame = new TestFrame(++this.lastId, size);
		frame.admitted((writable) -> decide(frame, size, writable));
		this.queue.enqueue(frame);
		return frame;
	}

	/** A frame of the protocol itself, which others do not pass. */
	void enqueueInOrder(int size) {
		this.queue.enqueue(new GrantedFrame(this.grant, FrameType.CONTRACT, 0, ++this.lastId, new byte[size]));
	}

	private Admission decide(TestFrame frame, int size, boolean writable) {
		if (frame.abandoned) {
			return Admission.SKIP;
		}
		if (!writable) {
			return Admission.HOLD;
		}
		Admission admission = this.grant.admit(frame, size);
		if (admission == Admission.WRITE) {
			this.grant.sent(size);
		}
		return admission;
	}

	/** The other side grants so much in total. */
	void window(long total) {
		window(total, false);
	}

	/** The same, with what was asked for. */
	void answer(long total) {
		window(total, true);
	}

	void window(long total, boolean answersNeed) {
		this.grant.raise(total, answersNeed);
		this.queue.resume();
	}

	/** A frame is no longer wanted. */
	void giveUp(TestFrame frame) {
		frame.abandoned = true;
		this.queue.giveUp(frame);
	}

	/** What has gone out since the last time. */
	List<Wire.Frame> sent() {
		this.channel.runPendingTasks();
		return Wire.parse(Wire.flushed(this.channel));
	}

	/** The same in words: {@code 1} for a frame, {@code NEED 10}, {@code YIELD 10}. */
	List<String> said() {
		List<String> all = new ArrayList<>();
		for (Wire.Frame frame : sent()) {
			all.add(switch (frame.type()) {
				case FrameType.NEED -> "NEED " + frame.callId();
				case FrameType.YIELD -> "YIELD " + frame.callId();
				default -> String.valueOf(frame.callId());
			});
		}
		return all;
	}

	@Override
	public void close() {
		this.channel.finishAndReleaseAll();
	}

}
