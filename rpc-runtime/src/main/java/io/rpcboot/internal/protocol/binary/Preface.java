package io.rpcboot.internal.protocol.binary;

import java.nio.ByteBuffer;

import io.netty.buffer.ByteBuf;
import io.rpcboot.internal.protocol.ProtocolException;

/**
 * Preface of a connection: the first eight bytes of each side. The first byte tells this
 * protocol from HTTP/1, HTTP/2 and TLS on the same port.
 *
 * <pre>
 * +------+-----+-----+-----+---------+----------+
 * | 0x8f | 'R' | 'P' | 'C' | version | reserved |
 * +------+-----+-----+-----+---------+----------+
 *   1      1     1     1     2         2, zero
 * </pre>
 */
public final class Preface {

	/** Size in bytes. */
	public static final int LENGTH = 8;

	/** The version of the protocol. */
	static final int VERSION = 1;

	/** The first four bytes. */
	public static final int MAGIC = 0x8f525043;

	private static final int HTTP_2_SETTINGS = 4;

	private static final int HTTP_2_SETTING = 6;

	/** Bytes of 100 settings; servers send some of the six that there are. */
	private static final int MOST_SETTINGS = 100 * HTTP_2_SETTING;

	private Preface() {
	}

	/**
	 * Writes the preface.
	 * @param out target
	 */
	public static void write(ByteBuf out) {
		out.writeInt(MAGIC).writeShort(VERSION).writeShort(0);
	}

	/**
	 * Returns true if these are the first bytes of a preface.
	 * @param first four bytes, big-endian
	 */
	public static boolean begins(int first) {
		return first == MAGIC;
	}

	/**
	 * Returns true for the begin of SETTINGS, RFC 9113 section 6.5: a length of 6 bytes a
	 * setting, and the type. A server sends them first.
	 */
	private static boolean isHttp2(int first) {
		int length = first >>> Byte.SIZE;
		return (first & 0xff) == HTTP_2_SETTINGS && length % HTTP_2_SETTING == 0 && length <= MOST_SETTINGS;
	}

	/**
	 * Checks the preface of the peer.
	 * @param in array with at least {@link #LENGTH} bytes from the index
	 * @param index index of the first byte
	 * @throws ProtocolException if the peer uses another protocol or version
	 */
	public static void check(byte[] in, int index) {
		ByteBuffer first = ByteBuffer.wrap(in, index, LENGTH);
		int magic = first.getInt();
		if (isHttp2(magic)) {
			throw new ProtocolException(
					"the other side speaks HTTP/2, as gRPC does (expected: the RPC protocol). For a server of gRPC set"
							+ " protocol = \"grpc\" at @RpcReference, or rpc.client.references.<name>.protocol=grpc");
		}
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
