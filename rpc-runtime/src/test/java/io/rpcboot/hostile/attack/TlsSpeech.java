package io.rpcboot.hostile.attack;

import java.nio.ByteBuffer;
import java.util.Arrays;
import java.security.GeneralSecurityException;

import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.SSLException;

import io.netty.handler.ssl.util.InsecureTrustManagerFactory;

/** Bytes of TLS that attackers send, and clients that complete handshakes. */
final class TlsSpeech {

	static final String TLS_1_3 = "TLSv1.3";

	static final String TLS_1_2 = "TLSv1.2";

	/** Bytes of the header of a record. */
	static final int HEADER = 5;

	private static final int HANDSHAKE = 0x16;

	/** A client that knows TLS 1.0 alone. */
	static final byte[] OLD_HELLO = record(new byte[] { 1, 0, 0, 0x2b, 3, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0,
			0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 4, 0, (byte) 0xff, 0, 0x2f, 1, 0 });

	private static final SSLContext CONTEXT = context();

	private static final byte[] HELLO = firstFlight();

	private TlsSpeech() {
	}

	private static SSLContext context() {
		try {
			SSLContext context = SSLContext.getInstance("TLS");
			context.init(null, InsecureTrustManagerFactory.INSTANCE.getTrustManagers(), null);
			return context;
		}
		catch (GeneralSecurityException ex) {
			throw new IllegalStateException(ex);
		}
	}

	/** A client that trusts every server. */
	static SSLEngine client(String protocol) {
		SSLEngine engine = CONTEXT.createSSLEngine();
		engine.setUseClientMode(true);
		engine.setEnabledProtocols(new String[] { protocol });
		return engine;
	}

	private static byte[] firstFlight() {
		try {
			ByteBuffer out = ByteBuffer.allocate(32 * 1024);
			client(TLS_1_3).wrap(ByteBuffer.allocate(0), out);
			byte[] bytes = new byte[out.flip().remaining()];
			out.get(bytes);
			return bytes;
		}
		catch (SSLException ex) {
			throw new IllegalStateException(ex);
		}
	}

	/** The record that begins a good handshake, always the same. */
	static byte[] hello() {
		return HELLO.clone();
	}

	/** A record of a handshake. */
	static byte[] record(byte... content) {
		return ByteBuffer.allocate(HEADER + content.length)
			.put((byte) HANDSHAKE)
			.putShort((short) 0x0301)
			.putShort((short) content.length)
			.put(content)
			.array();
	}

	/** The same hello with a record for each byte. */
	static byte[] helloInRecordsOfOneByte() {
		ByteBuffer out = ByteBuffer.allocate((HEADER + 1) * HELLO.length);
		for (int i = HEADER; i < HELLO.length; i++) {
			out.put(record(HELLO[i]));
		}
		byte[] bytes = new byte[out.flip().remaining()];
		out.get(bytes);
		return bytes;
	}

	/** Returns the longest record with a hello, without its last byte. */
	static byte[] openHello() {
		byte[] content = new byte[1 << 14];
		ByteBuffer.wrap(content).putInt(1 << 24 | content.length - 4).putShort((short) 0x303);
		byte[] whole = record(content);
		return Arrays.copyOf(whole, whole.length - 1);
	}

}
