package io.rpcboot.internal.protocol.http2;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Random;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufUtil;
import io.netty.buffer.Unpooled;
import io.netty.handler.codec.http2.DefaultHttp2Headers;
import io.netty.handler.codec.http2.DefaultHttp2HeadersDecoder;
import io.netty.handler.codec.http2.DefaultHttp2HeadersEncoder;
import io.netty.handler.codec.http2.Http2Exception;
import io.netty.handler.codec.http2.Http2Headers;

/** Netty's HPACK: what another implementation makes of header fields, and random ones. */
final class NettyHpack {

	/** Names that random fields have: of the static table, of gRPC, and others. */
	private static final List<String> NAMES = List.of("te", "content-type", "user-agent", "grpc-timeout",
			"grpc-encoding", "authorization", "accept-encoding", "x-a", "x-trace", "cookie", "traceparent");

	private NettyHpack() {
	}

	/** A string in Huffman code. */
	static byte[] huffman(String text) {
		DefaultHttp2HeadersEncoder encoder = new DefaultHttp2HeadersEncoder((name, value) -> true, true, 16, 0);
		ByteBuf out = Unpooled.buffer();
		try {
			// 1,000 characters that are short make the whole shorter than without the
			// code
			encoder.encodeHeaders(1, new DefaultHttp2Headers(false).add("x", "0".repeat(8000) + text), out);
		}
		catch (Http2Exception ex) {
			throw new IllegalStateException(ex);
		}
		byte[] block = ByteBufUtil.getBytes(out);
		// 8,000 times five bits are 5,000 bytes: the code of the text begins with a byte
		int start = 3 + ((block[3] & 0xff) == 0xff ? 3 : 1) + 5000;
		return Arrays.copyOfRange(block, start, block.length);
	}

	/** Random header fields: some come again, some do not. */
	static List<String[]> fields(Random random, boolean request) {
		List<String[]> fields = new ArrayList<>();
		if (request) {
			fields.add(new String[] { ":method", random.nextBoolean() ? "POST" : "PUT" });
			fields.add(new String[] { ":scheme", "http" });
			fields.add(new String[] { ":path", "/com.example.Service" + random.nextInt(9) + "/Method" });
			fields.add(new String[] { ":authority", "localhost:" + random.nextInt(3) });
		}
		else {
			fields.add(new String[] { ":status", random.nextBoolean() ? "200" : "4" + random.nextInt(10, 99) });
		}
		for (int i = random.nextInt(8); i > 0; i--) {
			String name = NAMES.get(random.nextInt(NAMES.size())) + (random.nextInt(4) == 0 ? random.nextInt(50) : "");
			fields.add(new String[] { name, value(random) });
		}
		return fields;
	}

	private static String value(Random random) {
		return switch (random.nextInt(6)) {
			case 0 -> "";
			case 1 -> "application/grpc";
			case 2 -> random.nextInt(1000) + "m";
			case 3 -> "~".repeat(random.nextInt(300));
			case 4 -> {
				StringBuilder text = new StringBuilder();
				for (int i = random.nextInt(150); i > 0; i--) {
					text.append((char) random.nextInt(' ', 256));
				}
				yield text.toString();
			}
			default -> "value " + random.nextInt(5);
		};
	}

	static boolean isSensitive(CharSequence name) {
		return name.toString().startsWith("authorization") || name.toString().startsWith("cookie");
	}

	static Http2Headers headers(List<String[]> fields) {
		Http2Headers headers = new DefaultHttp2Headers(false);
		fields.forEach((field) -> headers.add(field[0], field[1]));
		return headers;
	}

	static List<String> texts(Http2Headers headers) {
		List<String> texts = new ArrayList<>();
		for (Map.Entry<CharSequence, CharSequence> field : headers) {
			texts.add(field.getKey() + ": " + field.getValue());
		}
		return texts;
	}

	static DefaultHttp2HeadersDecoder decoder() {
		return new DefaultHttp2HeadersDecoder(false, false, 1 << 20);
	}

}
