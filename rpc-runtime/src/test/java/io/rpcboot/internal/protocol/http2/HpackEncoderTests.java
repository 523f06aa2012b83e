package io.rpcboot.internal.protocol.http2;

import java.util.ArrayList;
import java.util.List;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufUtil;
import io.netty.buffer.Unpooled;
import io.rpcboot.internal.protocol.http2.HpackEncoder.Indexing;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;

class HpackEncoderTests {

	private final HpackEncoder encoder = new HpackEncoder();

	private final HpackDecoder decoder = new HpackDecoder(new RecordingResolver(), 1 << 20);

	private final List<String> decoded = new ArrayList<>();

	/** Encodes a block of one field, lets the decoder read it, and returns it in hex. */
	private String block(String name, String value, Indexing indexing) {
		ByteBuf out = Unpooled.buffer();
		this.encoder.beginBlock(out);
		this.encoder.encode(out, name, value, indexing);
		this.decoded.clear();
		this.decoder.decode(out.array(), 0, out.writerIndex(),
				(field) -> this.decoded.add(field.name() + ": " + field.value()));
		assertThat(this.decoded).containsExactly(name + ": " + value);
		return ByteBufUtil.hexDump(out);
	}

	private void tableSize(long... sizes) {
		Http2Settings settings = new Http2Settings();
		for (long size : sizes) {
			settings.set(Http2Settings.HEADER_TABLE_SIZE, size);
		}
		this.encoder.apply(settings);
	}

	@Test
	void field_isIndexed_whenItComesAgain() {
		assertThat(block("x-a", "b", Indexing.FIELD)).isEqualTo("4003782d610162");
		assertThat(block("x-a", "b", Indexing.FIELD)).isEqualTo("be");
		assertThat(block("x-a", "c", Indexing.FIELD)).as("the name of the first").isEqualTo("7e0163");
		assertThat(block("x-a", "b", Indexing.FIELD)).isEqualTo("bf");
		assertThat(block("x-a", "c", Indexing.FIELD)).isEqualTo("be");
	}

	@ParameterizedTest
	@CsvSource({ ":method, POST, 83", ":status, 200, 88", ":path, /, 84", "accept-encoding, 'gzip, deflate', 90",
			"www-authenticate, '', bd" })
	void staticField_isOneByte(String name, String value, String hex) {
		int generation = this.encoder.generation();
		assertThat(block(name, value, Indexing.FIELD)).isEqualTo(hex);
		assertThat(this.encoder.generation()).isEqualTo(generation);
	}

	@Test
	void varyingField_entersTheTableOnce_forItsName() {
		assertThat(block("grpc-timeout", "1S", Indexing.NAME)).startsWith("400c");
		int generation = this.encoder.generation();
		assertThat(block("grpc-timeout", "2S", Indexing.NAME)).isEqualTo("0f2f023253");
		assertThat(block("grpc-timeout", "999m", Indexing.NAME)).startsWith("0f2f");
		assertThat(block("grpc-timeout", "1S", Indexing.NAME)).isEqualTo("be");
		assertThat(block("content-length", "17", Indexing.NAME)).as("a static name").isEqualTo("0f0d023137");
		assertThat(this.encoder.generation()).isEqualTo(generation);
	}

	@Test
	void inventedField_entersNoTable() {
		int generation = this.encoder.generation();
		assertThat(block("x-a", "b", Indexing.NONE)).isEqualTo("0003782d610162");
		assertThat(block("x-a", "b", Indexing.NONE)).isEqualTo("0003782d610162");
		assertThat(this.encoder.generation()).isEqualTo(generation);
	}

	@Test
	void sensitiveField_isNeverIndexed_evenIfItIsInTheTable() {
		assertThat(block("authorization", "x", Indexing.NEVER)).isEqualTo("1f080178");
		assertThat(block("x-key", "x", Indexing.NEVER)).startsWith("1005");
		assertThat(block("x-key", "x", Indexing.FIELD)).startsWith("4005");
		assertThat(block("x-key", "x", Indexing.NEVER)).isEqualTo("1f2f0178");
	}

	@Test
	void table_isNeverEvicted_whenItIsFull() {
		int entered = 0;
		for (int i = 0; i < 200; i++) {
			int before = this.encoder.generation();
			block("n", "%03d".formatted(i), Indexing.FIELD);
			entered += (this.encoder.generation() != before) ? 1 : 0;
		}
		assertThat(entered).isEqualTo(4096 / 36);
		int generation = this.encoder.generation();
		for (int i = 0; i < 200; i++) {
			boolean indexed = i < entered;
			assertThat(block("n", "%03d".formatted(i), Indexing.FIELD).length() <= 4).as("field %d", i)
				.isEqualTo(indexed);
		}
		assertThat(this.encoder.generation()).as("a full table stays as it is").isEqualTo(generation);
	}

	@Test
	void block_staysTheSame_whileTheGenerationDoes() {
		block(":path", "/A", Indexing.FIELD);
		int generation = this.encoder.generation();
		String template = block(":path", "/A", Indexing.FIELD);
		assertThat(this.encoder.generation()).isEqualTo(generation);
		block(":path", "/B", Indexing.FIELD);
		assertThat(this.encoder.generation()).isNotEqualTo(generation);
		assertThat(block(":path", "/A", Indexing.FIELD)).isNotEqualTo(template);
	}

	@ParameterizedTest
	@CsvSource({ "0, 20", "1, 2021", "30, 203e", "31, 203f00", "158, 203f7f", "159, 203f8001", "4095, 203fe01f" })
	void smallerTable_isEmptiedAndAnnounced(long size, String update) {
		block("x-a", "b", Indexing.FIELD);
		int generation = this.encoder.generation();
		tableSize(size);
		assertThat(this.encoder.generation()).isNotEqualTo(generation);
		int changed = this.encoder.generation();
		assertThat(block("x-a", "b", Indexing.NONE)).isEqualTo(update + "0003782d610162");
		assertThat(this.encoder.generation()).as("a block with an update is no template").isNotEqualTo(changed);
		assertThat(block("x-a", "b", Indexing.NONE)).as("once").isEqualTo("0003782d610162");
	}

	@ParameterizedTest
	@ValueSource(longs = { 4096, 4097, 0xffffffffL })
	void largerTable_isNotUsed(long size) {
		block("x-a", "b", Indexing.FIELD);
		int generation = this.encoder.generation();
		tableSize(size);
		assertThat(this.encoder.generation()).isEqualTo(generation);
		assertThat(block("x-a", "b", Indexing.FIELD)).isEqualTo("be");
	}

	@Test
	void smallestOfSeveralSizes_isAnnounced_thenTheLast() {
		block("x-a", "b", Indexing.FIELD);
		tableSize(10, 5000);
		assertThat(block("x-a", "b", Indexing.FIELD)).isEqualTo("203fe11f4003782d610162");
		tableSize(100);
		tableSize(50);
		assertThat(block(":method", "GET", Indexing.FIELD)).isEqualTo("203f1382");
	}

	@Test
	void fieldLargerThanTheTable_doesNotEnter() {
		tableSize(40);
		assertThat(block("x-a", "b".repeat(6), Indexing.FIELD)).startsWith("203f0900");
		assertThat(block("x-a", "b".repeat(5), Indexing.FIELD)).startsWith("40");
		assertThat(block("x-a", "b".repeat(5), Indexing.FIELD)).isEqualTo("be");
	}

	@ParameterizedTest
	@EnumSource
	void value_isOneByteForEachChar(Indexing indexing) {
		ByteBuf out = Unpooled.buffer();
		this.encoder.encode(out, "x", "a\u00e9\u010a\ud83d\ude00", indexing);
		assertThat(ByteBufUtil.hexDump(out)).endsWith("0178" + "05" + "61e93f3f3f");
	}

	@Test
	void longStrings_areEncoded() {
		for (int length : new int[] { 126, 127, 128, 254, 255, 256, 16_000, 100_000 }) {
			block("x".repeat(length), "y".repeat(length), Indexing.FIELD);
		}
	}

}
