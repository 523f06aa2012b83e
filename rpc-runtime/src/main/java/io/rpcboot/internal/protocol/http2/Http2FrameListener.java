package io.rpcboot.internal.protocol.http2;

/**
 * Receives the frames of a connection from its {@link Http2FrameReader}, in the order of
 * their arrival. One interface for both sides: a server connection and a client
 * connection implement it. Called on the event loop of the connection; must not block.
 * <p>
 * The reader has checked what a frame tells without the state of its stream: length,
 * padding, stream id 0 or not, bounds of values, order of a header block, rate of control
 * frames. The connection checks what the state of the stream tells:
 * <ul>
 * <li>id of a stream that is idle or closed, an even or an odd one: DATA, HEADERS,
 * RST_STREAM and WINDOW_UPDATE;
 * <li>flow control: DATA against the windows that it gave, and the sum of its own
 * windows;
 * <li>kind of a header block by {@link HeaderValidator}, and number of streams;
 * <li>rate of resets.
 * </ul>
 * <p>
 * A method may throw {@link Http2Exception}. In scope of a stream, it comes back by
 * {@link #onStreamError} and the reader continues with the next frame. In scope of the
 * connection, as any other exception, it ends the reader and leaves
 * {@link Http2FrameReader#read}. Exception to this rule: {@link #onHeadersBegin} and
 * {@link #onHeader} must not throw, because the rest of the block has to be decoded for
 * the header table.
 */
public interface Http2FrameListener {

	/**
	 * Called for a DATA frame. A stream of 10 bytes that ends may arrive as 10 bytes with
	 * the end, as single bytes, or as 10 bytes and then none with the end.
	 * @param streamId id of its stream, not 0
	 * @param bytes hold the data until this method returns
	 * @param offset index of the data
	 * @param length length of the data, 0 or more
	 * @param padding number of bytes around the data, its length included. The frame
	 * counts against the windows of connection and stream with length + padding.
	 * @param endStream true if nothing of the stream follows from the peer
	 */
	void onData(int streamId, byte[] bytes, int offset, int length, int padding, boolean endStream);

	/**
	 * Called when a header block has arrived completely, before its fields. The fields
	 * follow by {@link #onHeader}, then {@link #onHeadersEnd}; no other method is called
	 * in between.
	 * @param streamId id of its stream, not 0
	 */
	void onHeadersBegin(int streamId);

	/**
	 * Called for each field of a block, up to the limit of the list. Fields are not
	 * validated yet: none of them must have an effect before {@link #onHeadersEnd}. A
	 * field may come several times.
	 * @param field field, which may be kept
	 */
	void onHeader(HeaderField field);

	/**
	 * Called at the end of a header block: of a request, a response or trailers.
	 * <p>
	 * A block that is too long is a block of its stream as any other. Fields beyond the
	 * limit are missing. A server answers such a request with 431 (Request Header Fields
	 * Too Large); a client resets the stream.
	 * @param streamId id of its stream
	 * @param endStream true if nothing of the stream follows from the peer
	 * @param tooLong true if the list of fields is over its limit
	 * @param fields validates the fields of the block; to be used before this method
	 * returns, unless the block is too long
	 */
	void onHeadersEnd(int streamId, boolean endStream, boolean tooLong, HeaderValidator fields);

	/**
	 * Called for RST_STREAM.
	 * @param streamId id of the stream that the peer ended, not 0
	 * @param errorCode its reason, see {@link Http2Error#of}
	 */
	void onRstStream(int streamId, int errorCode);

	/**
	 * Called for SETTINGS of the peer. The connection gives them to
	 * {@link Http2FrameWriter#apply}, adopts windows and number of streams, and sends
	 * {@link Http2FrameWriter#settingsAck}. The first call follows the preface of the
	 * peer; no frame precedes it.
	 * @param settings valid values, the last one of each parameter
	 * @return number of streams whose window has changed, because that is work
	 */
	int onSettings(Http2Settings settings);

	/** Called when the peer has adopted SETTINGS of this side, the oldest ones first. */
	void onSettingsAck();

	/**
	 * Called for PING. The connection answers with {@link Http2FrameWriter#pingAck}.
	 * @param data eight bytes
	 */
	void onPing(long data);

	/**
	 * Called for the answer to a PING.
	 * @param data bytes of the PING, if the peer is honest
	 */
	void onPingAck(long data);

	/**
	 * Called for GOAWAY: the peer ignores streams of this side with a higher id. May come
	 * again, with a lower id.
	 * @param lastStreamId highest id of a stream that the peer may have processed
	 * @param errorCode its reason, see {@link Http2Error#of}
	 * @param bytes hold debug data until this method returns
	 * @param offset index of the debug data
	 * @param length its length, 0 for none
	 */
	void onGoAway(int lastStreamId, int errorCode, byte[] bytes, int offset, int length);

	/**
	 * Called for WINDOW_UPDATE.
	 * @param streamId id of the stream, 0 for the connection
	 * @param increment number of bytes that this side may send in addition, from 1
	 */
	void onWindowUpdate(int streamId, int increment);

	/**
	 * Called when a frame was not valid, or a method of this interface threw an exception
	 * in scope of a stream. The connection sends RST_STREAM. The stream may be of any
	 * state, and idle.
	 * @param error stream id, code for RST_STREAM and reason
	 */
	void onStreamError(Http2Exception error);

}
