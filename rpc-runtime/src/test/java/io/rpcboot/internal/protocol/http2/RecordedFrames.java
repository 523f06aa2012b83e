package io.rpcboot.internal.protocol.http2;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.TreeMap;
import java.util.function.Consumer;

/** Writes down the frames that arrive, a line of text each. */
public final class RecordedFrames implements Http2FrameListener {

	/** Events in the order of arrival. */
	public final List<String> events = new ArrayList<>();

	/** The fields of the last block. */
	public final List<HeaderField> fields = new ArrayList<>();

	/** The last error of a stream. */
	Http2Exception streamError;

	/** Rule that each block is validated by. */
	public Consumer<HeaderValidator> validation = (validator) -> {
	};

	/** Thrown for each field, unless it is null. */
	Http2Exception fieldFailure;

	/** Called before an event is written down. */
	Runnable before = () -> {
	};

	static String data(int streamId, byte[] data, int padding, boolean end) {
		String text = (data.length > 64) ? data.length + " bytes, hash " + Arrays.hashCode(data)
				: HexFormat.of().formatHex(data);
		return "DATA %d [%s]%s%s".formatted(streamId, text, (padding > 0) ? " padding " + padding : "",
				end ? " end" : "");
	}

	static String headers(int streamId, List<String> fields, boolean end) {
		return "HEADERS %d %s%s".formatted(streamId, fields, end ? " end" : "");
	}

	static String settings(Http2Settings settings) {
		TreeMap<Integer, Long> values = new TreeMap<>();
		for (int i = 1; i <= Http2Settings.MAX_HEADER_LIST_SIZE; i++) {
			long value = settings.get(i, -1);
			if (value >= 0) {
				values.put(i, value);
			}
		}
		return "SETTINGS " + values;
	}

	static String goAway(int lastStreamId, long errorCode, byte[] debug) {
		return "GOAWAY %d %d [%s]".formatted(lastStreamId, errorCode, HexFormat.of().formatHex(debug));
	}

	/** Streams whose window changes with SETTINGS. */
	int streams;

	@Override
	public void onData(int streamId, byte[] bytes, int offset, int length, int padding, boolean endStream) {
		add(data(streamId, Arrays.copyOfRange(bytes, offset, offset + length), padding, endStream));
	}

	@Override
	public void onHeadersBegin(int streamId) {
		this.fields.clear();
	}

	@Override
	public void onHeader(HeaderField field) {
		this.fields.add(field);
		if (this.fieldFailure != null) {
			throw this.fieldFailure;
		}
	}

	@Override
	public void onHeadersEnd(int streamId, boolean endStream, boolean tooLong, HeaderValidator validator) {
		List<String> texts = this.fields.stream()
			.map((field) -> field.name() + ": " + field.value() + (field.isNeverIndexed() ? " (sensitive)" : ""))
			.toList();
		add(headers(streamId, texts, endStream) + (tooLong ? " too long" : ""));
		this.validation.accept(validator);
	}

	@Override
	public void onRstStream(int streamId, int errorCode) {
		add("RST_STREAM %d %d".formatted(streamId, Integer.toUnsignedLong(errorCode)));
	}

	@Override
	public int onSettings(Http2Settings settings) {
		add(settings(settings));
		return this.streams;
	}

	@Override
	public void onSettingsAck() {
		add("SETTINGS ACK");
	}

	@Override
	public void onPing(long data) {
		add("PING " + data);
	}

	@Override
	public void onPingAck(long data) {
		add("PING ACK " + data);
	}

	@Override
	public void onGoAway(int lastStreamId, int errorCode, byte[] bytes, int offset, int length) {
		add(goAway(lastStreamId, Integer.toUnsignedLong(errorCode),
				Arrays.copyOfRange(bytes, offset, offset + length)));
	}

	@Override
	public void onWindowUpdate(int streamId, int increment) {
		add("WINDOW_UPDATE %d %d".formatted(streamId, increment));
	}

	@Override
	public void onStreamError(Http2Exception error) {
		this.streamError = error;
		add("error of stream %d: %s".formatted(error.streamId(), error.error()));
	}

	private void add(String event) {
		this.before.run();
		this.events.add(event);
	}

}
