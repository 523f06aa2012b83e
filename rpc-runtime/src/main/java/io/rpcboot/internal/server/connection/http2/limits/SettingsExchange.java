package io.rpcboot.internal.server.connection.http2.limits;

import io.rpcboot.internal.protocol.http2.Http2Limits;
import io.rpcboot.internal.protocol.http2.Http2Settings;
import io.rpcboot.internal.transport.http2.Http2Output;

/**
 * SETTINGS of both sides, and the limit of streams, which changes while a connection is
 * open. Settings of this side apply at once: older values are still valid, so that their
 * acknowledgement is not awaited. Event loop only, except where a method says "Any
 * thread".
 */
public final class SettingsExchange {

	/** Attachments of responses, in bytes, that usual clients accept. */
	private static final int USUAL_ATTACHMENTS = 4096;

	private final Http2Output output;

	private final StreamLimit limit;

	/** Longest attachments of responses that this server sends, in bytes. */
	private final int longest;

	/** Number of SETTINGS that the client has not acknowledged. */
	private int unacknowledged;

	/** Written by the event loop. */
	private volatile int maxAttachments = USUAL_ATTACHMENTS;

	/**
	 * Creates the settings of a connection that is not open.
	 * @param longest longest attachments of responses that this server sends, in bytes
	 */
	public SettingsExchange(Http2Output output, StreamLimit limit, int longest) {
		this.output = output;
		this.limit = limit;
		this.longest = longest;
	}

	/** Sends the first SETTINGS. */
	public void open(int maxHeaderList) {
		this.limit.open();
		send(limits().set(Http2Settings.MAX_HEADER_LIST_SIZE, maxHeaderList)
			.set(Http2Settings.INITIAL_WINDOW_SIZE, Http2Limits.STREAM_WINDOW));
	}

	private void send(Http2Settings settings) {
		this.unacknowledged++;
		this.output.control((writer, out) -> writer.settings(out, settings));
	}

	private Http2Settings limits() {
		return new Http2Settings().set(Http2Settings.MAX_CONCURRENT_STREAMS, this.limit.limit());
	}

	/** Tells the client how many streams it may have open. */
	public void announceLimit() {
		send(limits());
	}

	/**
	 * Takes places of streams back that the client does not use.
	 * @param streams number of open streams of several messages
	 */
	public void shrinkLimit(int streams) {
		if (this.limit.shrink(streams)) {
			announceLimit();
		}
	}

	/** Adopts SETTINGS of the client. */
	public void onSettings(Http2Settings settings) {
		long list = settings.get(Http2Settings.MAX_HEADER_LIST_SIZE, -1);
		if (list >= 0) {
			this.maxAttachments = (int) Math.min(list / 2, this.longest);
		}
	}

	/** Notes that the client has adopted SETTINGS of this side. */
	public void onAck() {
		this.unacknowledged = Math.max(0, this.unacknowledged - 1);
	}

	/** Returns true if the client knows how many streams it may have open. */
	public boolean isLimitKnown() {
		return this.unacknowledged == 0;
	}

	/** Returns the bytes of attachments that the client accepts. Any thread. */
	public int maxAttachments() {
		return this.maxAttachments;
	}

}
