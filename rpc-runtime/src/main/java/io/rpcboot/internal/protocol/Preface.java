package io.rpcboot.internal.protocol;

import java.nio.ByteBuffer;

import io.netty.buffer.ByteBuf;

/**
 * The first eight bytes of each side. The first byte is no letter, so that a port can
 * tell this protocol from HTTP/1, HTTP/2 and TLS by it.
 *
 * <pre>
 * +------+-----+-----+-----+---------+----------+
 * | 0x8f | 'R' | 'P' | 'C' | version | reserved |
 * +------+-----+-----+-----+---------+----------+
 *   1      1     1     1     2         2, zero
 * </pre>
 */
public final class Preface {

	/** Length in bytes. */
	public static final int LENGTH = 8;

	/** The version that is spoken. */
	static final int VERSION = 1;

	private static final int MAGIC = 0x8f525043;

	private Preface() {
	}

	/**
	 * Write the preface.
	 * @param out where to
	 */
	public static void write(ByteBuf out) {
		out.writeInt(MAGIC).writeShort(VERSION).writeShort(0);
	}

	/**
	 * Check the other side's preface.
	 * @param in holds at least {@link #LENGTH} bytes from the index
	 * @param index of the first byte
	 * @throws ProtocolException if it is another protocol or version
	 */
	public static void check(byte[] in, int index) {
		ByteBuffer first = ByteBuffer.wrap(in, index, LENGTH);
		int magic = first.getInt();
		if (magic != MAGIC) {
			throw new ProtocolException("the other side speaks another protocol: first bytes 0x%08x (expected: 0x%08x)"
				.formatted(magic, MAGIC));
		}
		int version = first.getShort() & 0xffff;
		if (version != VERSION) {
			throw new ProtocolException("protocol version: %d (expected: %d)".formatted(version, VERSION));
		}
	}

}
