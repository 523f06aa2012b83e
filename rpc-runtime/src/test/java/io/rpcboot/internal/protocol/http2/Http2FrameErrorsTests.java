package io.rpcboot.internal.protocol.http2;

import java.nio.charset.StandardCharsets;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import static io.rpcboot.internal.protocol.http2.ReaderFixture.PREFACE;
import static io.rpcboot.internal.protocol.http2.ReaderFixture.REQUEST;
import static io.rpcboot.internal.protocol.http2.ReaderFixture.SETTINGS;
import static io.rpcboot.internal.protocol.http2.ReaderFixture.frame;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/** Frames that violate RFC 9113, each with its code and its scope. */
class Http2FrameErrorsTests {

	private static void assertEnds(ReaderFixture fixture, String hex, Http2Error error) {
		assertThatExceptionOfType(Http2Exception.class).as(hex)
			.isThrownBy(() -> fixture.receive(hex))
			.satisfies((ex) -> {
				assertThat(ex.error()).isEqualTo(error);
				assertThat(ex.isConnectionError()).isTrue();
				assertThat(ex.getStackTrace()).isEmpty();
			});
		fixture.frames.events.clear();
		fixture.receive(frame(6, 0, 0, "0000000000000011"));
		assertThat(fixture.frames.events).as("nothing is read behind the error").isEmpty();
	}

	/** Type, flags, stream id, payload. */
	@ParameterizedTest
	@CsvSource({ "0, 0, 0, 01, PROTOCOL_ERROR", "0, 8, 1, '', FRAME_SIZE_ERROR", "0, 8, 1, 01, PROTOCOL_ERROR",
			"0, 8, 1, 03 0000, PROTOCOL_ERROR", "0, 8, 1, ff 00, PROTOCOL_ERROR", "1, 4, 0, 838684, PROTOCOL_ERROR",
			"1, 12, 1, '', FRAME_SIZE_ERROR", "1, 12, 1, 04 838684, PROTOCOL_ERROR",
			"1, 36, 1, 00000003, FRAME_SIZE_ERROR", "1, 44, 1, 01 00000000 10, FRAME_SIZE_ERROR",
			"1, 4, 1, 80, COMPRESSION_ERROR", "1, 4, 1, be, COMPRESSION_ERROR", "2, 0, 0, 00000001 10, PROTOCOL_ERROR",
			"3, 0, 0, 00000008, PROTOCOL_ERROR", "3, 0, 1, 000008, FRAME_SIZE_ERROR",
			"3, 0, 1, 0000000800, FRAME_SIZE_ERROR", "4, 0, 1, '', PROTOCOL_ERROR",
			"4, 1, 0, 0003 00000001, FRAME_SIZE_ERROR", "4, 0, 0, 000300, FRAME_SIZE_ERROR",
			"4, 0, 0, 0003 00000001 00, FRAME_SIZE_ERROR", "4, 0, 0, 0002 00000002, PROTOCOL_ERROR",
			"4, 0, 0, 0002 ffffffff, PROTOCOL_ERROR", "4, 0, 0, 0004 80000000, FLOW_CONTROL_ERROR",
			"4, 0, 0, 0005 00003fff, PROTOCOL_ERROR", "4, 0, 0, 0005 01000000, PROTOCOL_ERROR",
			"4, 0, 0, 0005 00000000 0005 00004000, PROTOCOL_ERROR", "5, 4, 1, 00000002 838684, PROTOCOL_ERROR",
			"5, 4, 0, '', PROTOCOL_ERROR", "6, 0, 1, 0000000000000000, PROTOCOL_ERROR",
			"6, 0, 0, 00000000000000, FRAME_SIZE_ERROR", "6, 1, 0, 000000000000000000, FRAME_SIZE_ERROR",
			"6, 1, 1, 0000000000000000, PROTOCOL_ERROR", "7, 0, 1, 0000000000000000, PROTOCOL_ERROR",
			"7, 0, 0, 00000000000000, FRAME_SIZE_ERROR", "8, 0, 0, 00000000, PROTOCOL_ERROR",
			"8, 0, 0, 80000000, PROTOCOL_ERROR", "8, 0, 0, 000001, FRAME_SIZE_ERROR",
			"8, 0, 1, 0000000100, FRAME_SIZE_ERROR", "9, 4, 1, 84, PROTOCOL_ERROR", "9, 4, 0, 84, PROTOCOL_ERROR" })
	void malformedFrame_endsTheConnection(int type, int flags, int streamId, String payload, Http2Error error) {
		assertEnds(ReaderFixture.open(), frame(type, flags, streamId, payload), error);
	}

	@ParameterizedTest
	@CsvSource({ "2, 3, 00000001, FRAME_SIZE_ERROR", "2, 3, 00000001 1000, FRAME_SIZE_ERROR",
			"2, 3, 00000003 10, PROTOCOL_ERROR", "2, 3, 80000003 10, PROTOCOL_ERROR", "8, 3, 00000000, PROTOCOL_ERROR",
			"8, 3, 80000000, PROTOCOL_ERROR" })
	void malformedFrame_endsItsStream(int type, int streamId, String payload, Http2Error error) {
		ReaderFixture fixture = ReaderFixture.open();
		fixture.receive(frame(type, 0, streamId, payload) + frame(0, 0, 1, "01"));
		assertThat(fixture.frames.events).containsExactly("error of stream %d: %s".formatted(streamId, error),
				"DATA 1 [01]");
		assertThat(fixture.frames.streamError.streamId()).isEqualTo(streamId);
	}

	@ParameterizedTest
	@ValueSource(ints = { 0, 1, 2, 4, 6, 7, 9, 77 })
	void tooLongFrame_endsTheConnection_beforeItArrives(int type) {
		assertEnds(ReaderFixture.open(), "004001 %02x 00 00000001".formatted(type), Http2Error.FRAME_SIZE_ERROR);
		ReaderFixture fixture = ReaderFixture.open();
		fixture.receive("0040");
		assertEnds(fixture, "01 %02x 00 00000001".formatted(type), Http2Error.FRAME_SIZE_ERROR);
	}

	@ParameterizedTest
	@ValueSource(ints = { 0, 1, 2, 3, 4, 5, 6, 7, 8, 77 })
	void frameWithinABlock_endsTheConnection(int type) {
		ReaderFixture fixture = ReaderFixture.open();
		fixture.receive(frame(1, 0, 1, "83"));
		assertEnds(fixture, frame(type, 4, 1, "84"), Http2Error.PROTOCOL_ERROR);
	}

	@Test
	void continuationOfAnotherStream_endsTheConnection() {
		ReaderFixture fixture = ReaderFixture.open();
		fixture.receive(frame(1, 0, 1, "83"));
		assertEnds(fixture, frame(9, 4, 3, "84"), Http2Error.PROTOCOL_ERROR);
	}

	@Test
	void continuationBehindTheEnd_endsTheConnection() {
		ReaderFixture fixture = ReaderFixture.open();
		fixture.receive(frame(1, 0, 1, "83") + frame(9, 4, 1, "84"));
		assertEnds(fixture, frame(9, 4, 1, "84"), Http2Error.PROTOCOL_ERROR);
	}

	@ParameterizedTest
	@ValueSource(strings = { "000000 04 01 00000000", "000003 01 04 00000001 838684", "000004 08 00 00000000 00000001",
			"000000 77 00 00000000", "000008 06 00 00000000 0000000000000000" })
	void firstFrame_endsTheConnection_ifItIsNotSettings(String frame) {
		ReaderFixture server = ReaderFixture.server();
		server.receive(PREFACE);
		assertEnds(server, frame, Http2Error.PROTOCOL_ERROR);
		assertEnds(ReaderFixture.client(), frame, Http2Error.PROTOCOL_ERROR);
	}

	@Test
	void wrongPreface_endsTheConnection_withItsFirstWrongByte() {
		byte[] preface = ReaderFixture.bytes(PREFACE);
		for (int i = 0; i < preface.length; i++) {
			ReaderFixture fixture = ReaderFixture.server();
			fixture.receive(preface, 0, i);
			assertEnds(fixture, "%02x".formatted(preface[i] ^ 1), Http2Error.PROTOCOL_ERROR);
		}
	}

	@ParameterizedTest
	@ValueSource(strings = { "GET / HTTP/1.1\r\n\r\n", "PRI * HTTP/1.1\r\n\r\nSM\r\n\r\n",
			"PRI * HTTP/2.0\r\n\r\nSM\r\n\n\n", "\u0016\u0003\u0001" })
	void otherProtocol_endsTheConnection(String text) {
		assertThatExceptionOfType(Http2Exception.class)
			.isThrownBy(() -> ReaderFixture.server().receive(text.getBytes(StandardCharsets.ISO_8859_1)));
	}

	@Test
	void enabledPushOfAServer_endsTheConnection() {
		assertEnds(ReaderFixture.client(), frame(4, 0, 0, "0002 00000001"), Http2Error.PROTOCOL_ERROR);
		ReaderFixture client = ReaderFixture.client();
		client.receive(frame(4, 0, 0, "0002 00000000"));
		assertThat(client.frames.events).containsExactly("SETTINGS {2=0}");
	}

	@Test
	void pushPromise_endsTheConnection_ofAClient() {
		ReaderFixture client = ReaderFixture.client();
		client.receive(SETTINGS);
		assertEnds(client, frame(5, 4, 1, "00000002 838684"), Http2Error.PROTOCOL_ERROR);
	}

	/** A fault of the listener within a block: the table is lost. */
	@Test
	void exceptionWithinABlock_endsTheConnection_whateverItsScope() {
		ReaderFixture fixture = ReaderFixture.open();
		fixture.frames.fieldFailure = Http2Exception.stream(1, Http2Error.CANCEL, "too early");
		assertThatExceptionOfType(Http2Exception.class).isThrownBy(() -> fixture.receive(frame(1, 4, 1, REQUEST)));
		fixture.receive(frame(0, 0, 1, "01"));
		assertThat(fixture.frames.events).isEmpty();
	}

	@Test
	void unknownCode_isAnInternalError() {
		assertThat(Http2Error.of(14)).isEqualTo(Http2Error.INTERNAL_ERROR);
		assertThat(Http2Error.of(-1)).isEqualTo(Http2Error.INTERNAL_ERROR);
		assertThat(Http2Error.of(13)).isEqualTo(Http2Error.HTTP_1_1_REQUIRED);
		assertThat(Http2Error.ENHANCE_YOUR_CALM.code()).isEqualTo(11);
	}

}
