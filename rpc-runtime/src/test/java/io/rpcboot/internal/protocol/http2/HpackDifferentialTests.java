package io.rpcboot.internal.protocol.http2;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufUtil;
import io.netty.buffer.Unpooled;
import io.netty.handler.codec.http2.DefaultHttp2HeadersDecoder;
import io.netty.handler.codec.http2.DefaultHttp2HeadersEncoder;
import io.netty.handler.codec.http2.Http2Headers;
import io.rpcboot.internal.protocol.http2.HpackEncoder.Indexing;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchException;

/** HPACK of both sides against that of Netty, with random header lists. */
class HpackDifferentialTests {

	private static final int CONNECTIONS = 60;

	private static final int BLOCKS = 60;

	private final List<String> decoded = new ArrayList<>();

	private void field(HeaderField field) {
		assertThat(field.isNeverIndexed()).as(field.name()).isEqualTo(NettyHpack.isSensitive(field.name()));
		this.decoded.add(field.name() + ": " + field.value());
	}

	/**
	 * Huffman code from the shortest strings on, or never; tables of all sizes, which
	 * change between blocks.
	 */
	@ParameterizedTest
	@ValueSource(ints = { 0, Integer.MAX_VALUE })
	void decoder_readsBlocksOfNetty(int huffmanThreshold) throws Exception {
		for (int seed = 0; seed < CONNECTIONS; seed++) {
			Random random = new Random(seed);
			DefaultHttp2HeadersEncoder netty = new DefaultHttp2HeadersEncoder(
					(name, value) -> NettyHpack.isSensitive(name), true, 16, huffmanThreshold);
			HpackDecoder decoder = new HpackDecoder(new RecordingResolver(), 1 << 20);
			for (int i = 0; i < BLOCKS; i++) {
				if (random.nextInt(10) == 0) {
					netty.configuration().maxHeaderTableSize(random.nextInt(4097));
				}
				Http2Headers headers = NettyHpack.headers(NettyHpack.fields(random, seed % 2 == 0));
				ByteBuf out = Unpooled.buffer();
				netty.encodeHeaders(1, headers, out);
				byte[] block = ByteBufUtil.getBytes(out);
				this.decoded.clear();
				assertThat(decoder.decode(block, 0, block.length, this::field)).isTrue();
				assertThat(this.decoded).as("seed %d, block %d", seed, i).isEqualTo(NettyHpack.texts(headers));
			}
		}
	}

	@Test
	void blocksOfEncoder_areReadByNettyAndByTheDecoder() throws Exception {
		for (int seed = 0; seed < CONNECTIONS; seed++) {
			Random random = new Random(seed);
			HpackEncoder encoder = new HpackEncoder();
			DefaultHttp2HeadersDecoder netty = NettyHpack.decoder();
			HpackDecoder decoder = new HpackDecoder(new RecordingResolver(), 1 << 20);
			for (int i = 0; i < BLOCKS; i++) {
				changeSize(random, encoder, netty);
				List<String[]> fields = NettyHpack.fields(random, seed % 2 == 0);
				ByteBuf out = Unpooled.buffer();
				encoder.beginBlock(out);
				fields.forEach((field) -> encoder.encode(out, field[0], field[1],
						NettyHpack.isSensitive(field[0]) ? Indexing.NEVER : Indexing.values()[random.nextInt(3)]));
				byte[] block = ByteBufUtil.getBytes(out);
				List<String> expected = fields.stream().map((field) -> field[0] + ": " + field[1]).toList();
				this.decoded.clear();
				assertThat(decoder.decode(block, 0, block.length, this::field)).isTrue();
				assertThat(this.decoded).as("seed %d, block %d", seed, i).isEqualTo(expected);
				assertThat(NettyHpack.texts(netty.decodeHeaders(1, out))).as("seed %d, block %d", seed, i)
					.isEqualTo(expected);
			}
		}
	}

	/** SETTINGS of Netty's side: none, one size, or a small one and then another. */
	private static void changeSize(Random random, HpackEncoder encoder, DefaultHttp2HeadersDecoder netty)
			throws Exception {
		if (random.nextInt(8) > 0) {
			return;
		}
		Http2Settings settings = new Http2Settings();
		for (int i = 1 + random.nextInt(2); i > 0; i--) {
			long size = switch (random.nextInt(4)) {
				case 0 -> 0;
				case 1 -> 4096 + random.nextInt(9000);
				default -> random.nextInt(4096);
			};
			netty.configuration().maxHeaderTableSize(size);
			settings.set(Http2Settings.HEADER_TABLE_SIZE, size);
		}
		encoder.apply(settings);
	}

	/** Valid blocks with a few other bytes: both refuse them, or both read the same. */
	@Test
	void decoder_agreesWithNetty_onDamagedBlocks() throws Exception {
		int refused = 0;
		for (int seed = 0; seed < 20_000; seed++) {
			Random random = new Random(seed);
			DefaultHttp2HeadersEncoder encoder = new DefaultHttp2HeadersEncoder((name, value) -> false, true, 16,
					random.nextBoolean() ? 0 : 1000);
			ByteBuf out = Unpooled.buffer();
			encoder.encodeHeaders(1, NettyHpack.headers(NettyHpack.fields(random, true)), out);
			byte[] block = ByteBufUtil.getBytes(out);
			for (int i = random.nextInt(4); i >= 0; i--) {
				block[random.nextInt(Math.min(block.length, 40))] = (byte) random.nextInt();
			}
			List<String> own = new ArrayList<>();
			Exception failure = catchException(() -> new HpackDecoder(new RecordingResolver(), 1 << 20).decode(block, 0,
					block.length, (field) -> own.add(field.name() + ": " + field.value())));
			// Netty sorts pseudo-header fields, and knows only those of requests and
			// responses
			Http2Headers[] headers = new Http2Headers[1];
			Exception nettyFailure = catchException(
					() -> headers[0] = NettyHpack.decoder().decodeHeaders(1, Unpooled.wrappedBuffer(block)));
			assertThat(failure == null).as("seed %d: %s, Netty: %s", seed, failure, nettyFailure)
				.isEqualTo(nettyFailure == null);
			if (failure == null) {
				assertThat(own).as("seed %d", seed).containsExactlyInAnyOrderElementsOf(NettyHpack.texts(headers[0]));
			}
			else {
				refused++;
			}
		}
		assertThat(refused).isBetween(1000, 19_000);
	}

}
