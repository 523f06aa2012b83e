package io.rpcboot.internal.protocol.http2;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import static io.rpcboot.internal.protocol.http2.ReaderFixture.REQUEST;
import static io.rpcboot.internal.protocol.http2.ReaderFixture.frame;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/** Peers that send more of something than anyone needs. */
class Http2FloodTests {

	private static final int SECOND = 1_000_000_000;

	/** SETTINGS at the begin of the connection are one of 20,000. */
	private static final int MOST = Http2FrameReader.MAX_CONTROL_FRAMES - 1;

	private static void receive(ReaderFixture fixture, String frame, int times) {
		byte[] one = ReaderFixture.bytes(frame);
		byte[] all = new byte[times * one.length];
		for (int i = 0; i < times; i++) {
			System.arraycopy(one, 0, all, i * one.length, one.length);
		}
		fixture.receive(all);
	}

	private static void assertCalmed(Runnable flood) {
		assertThatExceptionOfType(Http2Exception.class).isThrownBy(flood::run).satisfies((ex) -> {
			assertThat(ex.error()).isEqualTo(Http2Error.ENHANCE_YOUR_CALM);
			assertThat(ex.isConnectionError()).isTrue();
		});
	}

	/** Type, flags, stream id, payload. */
	@ParameterizedTest
	@CsvSource({ "4, 0, 0, ''", "4, 0, 0, 0004 00000001", "4, 1, 0, ''", "6, 0, 0, 0000000000000000",
			"6, 1, 0, 0000000000000000", "2, 0, 1, 00000003 10", "2, 0, 1, 00000001 10", "3, 0, 1, 00000008",
			"8, 0, 0, 00000001", "8, 0, 1, 00000001", "8, 0, 1, 00000000", "0, 0, 1, ''", "0, 8, 1, 01 00",
			"7, 0, 0, 0000000000000000", "77, 0, 0, ''", "16, 0, 0, 00000001" })
	void controlFrames_endTheConnection_over20000AtOnce(int type, int flags, int streamId, String payload) {
		String frame = frame(type, flags, streamId, payload);
		ReaderFixture fixture = ReaderFixture.open();
		receive(fixture, frame, MOST);
		assertCalmed(() -> receive(fixture, frame, 1));
	}

	@Test
	void controlFrames_areRead_upToTheirRate() {
		ReaderFixture fixture = ReaderFixture.open();
		for (int i = 1; i <= 5; i++) {
			receive(fixture, frame(6, 0, 0, "0000000000000000"), (i == 1) ? MOST : MOST + 1);
			fixture.nanos += SECOND;
		}
		assertThat(fixture.frames.events).hasSize(5 * Http2FrameReader.MAX_CONTROL_FRAMES - 1);
	}

	/** A peer saves up one second. */
	@Test
	void controlFrames_endTheConnection_overTheirRate() {
		ReaderFixture fixture = ReaderFixture.open();
		fixture.nanos = 60L * SECOND;
		receive(fixture, frame(6, 0, 0, "0000000000000000"), MOST + 1);
		fixture.nanos += SECOND / 2;
		receive(fixture, frame(6, 0, 0, "0000000000000000"), (MOST + 1) / 2);
		assertCalmed(() -> receive(fixture, frame(6, 0, 0, "0000000000000000"), 1));
	}

	/** Streams whose windows change, and SETTINGS at once. */
	@ParameterizedTest
	@CsvSource({ "0, 20000", "15, 20000", "16, 9999", "100, 2857", "4096, 77", "1000000000, 0" })
	void settings_countAsTheWindowsThatTheyChange(int streams, int most) {
		ReaderFixture fixture = ReaderFixture.open();
		fixture.frames.streams = streams;
		String frame = frame(4, 0, 0, "0004 00000001");
		receive(fixture, frame, (most == Http2FrameReader.MAX_CONTROL_FRAMES) ? MOST : most);
		assertCalmed(() -> receive(fixture, frame, 1));
	}

	@Test
	void kindsOfControlFrames_areCountedTogether() {
		ReaderFixture fixture = ReaderFixture.open();
		receive(fixture, frame(6, 0, 0, "0000000000000000"), MOST / 2);
		receive(fixture, frame(8, 0, 0, "00000001"), MOST - MOST / 2);
		assertCalmed(() -> receive(fixture, frame(77, 0, 0, ""), 1));
	}

	@ParameterizedTest
	@CsvSource({ "0, 0, 1, 01", "0, 1, 1, ''", "1, 4, 1, 838684" })
	void otherFrames_areNotCounted(int type, int flags, int streamId, String payload) {
		ReaderFixture fixture = ReaderFixture.open();
		receive(fixture, frame(type, flags, streamId, payload), 30_000);
		assertThat(fixture.frames.events).hasSize(30_000);
	}

	@Test
	void sixteenContinuations_areRead() {
		ReaderFixture fixture = ReaderFixture.open();
		fixture.receive(frame(1, 1, 1, REQUEST) + frame(9, 0, 1, "").repeat(15) + frame(9, 4, 1, ""));
		assertThat(fixture.frames.events).hasSize(1);
	}

	@ParameterizedTest
	@ValueSource(strings = { "", "00" })
	void seventeenContinuations_endTheConnection(String payload) {
		ReaderFixture fixture = ReaderFixture.open();
		fixture.receive(frame(1, 1, 1, REQUEST) + frame(9, 0, 1, payload).repeat(16));
		assertCalmed(() -> fixture.receive(frame(9, 4, 1, "")));
	}

	@Test
	void block_endsTheConnection_overTwiceTheLimitOfTheList() {
		String half = "00 01 61 7f e9 06" + "62".repeat(994 + 6);
		assertThat(half.replace(" ", "")).as("1,006 bytes").hasSize(2 * 1006);
		String block = half.replace(" ", "");
		ReaderFixture fixture = ReaderFixture.open();
		fixture.receive(frame(1, 0, 1, block.substring(0, 2 * 1000)));
		fixture.receive(frame(9, 0, 1, block.substring(2 * 1000) + REQUEST.repeat(331) + "84"));
		fixture.receive(frame(9, 4, 1, ""));
		assertThat(fixture.frames.events).containsExactly("HEADERS 1 [] too long");
		fixture.receive(frame(1, 0, 1, "84".repeat(2 * ReaderFixture.MAX_LIST)));
		assertCalmed(() -> fixture.receive(frame(9, 0, 1, "84")));
	}

	@Test
	void blockOfOneFrame_isRead_upToTheLengthOfAFrame() {
		ReaderFixture fixture = ReaderFixture.open();
		fixture.receive(frame(1, 4, 1, "84".repeat(16_384)));
		assertThat(fixture.frames.events.get(0)).endsWith("too long");
	}

	/** 2,730 entries, each of which would change the windows of all streams. */
	@Test
	void settings_areReportedOnce_forManyEntries() {
		ReaderFixture fixture = ReaderFixture.open();
		fixture.receive(frame(4, 0, 0, "0004 00000001 0004 00000002".repeat(1365)));
		assertThat(fixture.frames.events).containsExactly("SETTINGS {4=2}");
	}

}
