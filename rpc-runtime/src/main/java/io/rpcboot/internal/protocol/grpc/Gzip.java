package io.rpcboot.internal.protocol.grpc;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Arrays;
import java.util.zip.CRC32;
import java.util.zip.DataFormatException;
import java.util.zip.GZIPOutputStream;
import java.util.zip.Inflater;

import io.rpcboot.RpcStatus;
import io.rpcboot.Side;
import org.jspecify.annotations.Nullable;

/**
 * The encoding gzip of messages: one member (RFC 1952). Optional fields of its header,
 * such as the name of a file, are skipped.
 */
public final class Gzip {

	/**
	 * Value of {@code grpc-encoding}, and of {@code grpc-accept-encoding}, which the
	 * answer to another encoding must have.
	 */
	public static final String NAME = "gzip";

	private static final int HEADER = 10;

	/** Length of checksum and inflated length. */
	private static final int TRAILER = 8;

	/** Largest ratio of deflate. */
	private static final int MAX_RATIO = 1032;

	/** Magic number, method deflate. */
	private static final byte[] BEGIN = { 0x1f, (byte) 0x8b, 8 };

	/** Index of the flags in a header. */
	private static final int FLAGS = 3;

	/** Flags of optional fields, in the order of the fields. */
	private static final int EXTRA = 4;

	private static final int NAME_OF_FILE = 8;

	private static final int COMMENT = 16;

	private static final int CHECKSUM = 2;

	/** Flags without a meaning (RFC 1952, section 2.3.1). */
	private static final int RESERVED = 0xe0;

	private Gzip() {
	}

	/**
	 * Returns true if a value of {@code grpc-encoding} is gzip, false if it is identity.
	 * @throws GrpcException for others: UNIMPLEMENTED at the server, INTERNAL at the
	 * client
	 */
	public static boolean isEncoding(String value, Side receiver) {
		if (value.equals(NAME) || value.equals("identity")) {
			return value.equals(NAME);
		}
		throw new GrpcException((receiver == Side.SERVER) ? RpcStatus.UNIMPLEMENTED : RpcStatus.INTERNAL,
				"grpc-encoding: '%s' (expected: gzip or identity)".formatted(value));
	}

	/** Returns true if a value of {@code grpc-accept-encoding} has gzip. */
	public static boolean isAccepted(String value) {
		return Arrays.stream(value.split(",")).anyMatch((each) -> each.strip().equals(NAME));
	}

	/**
	 * Returns true if a message is compressed. A message of protobuf never begins as one
	 * of gzip: 0x1f would be a field of wire type 7, which does not exist.
	 */
	public static boolean isCompressed(byte[] message, int offset, int length) {
		return length > 0 && message[offset] == BEGIN[0];
	}

	/**
	 * Compresses a message in its place, unless that makes it longer.
	 * @return the length from now on
	 */
	public static int shorten(byte[] bytes, int length) {
		byte[] compressed = compress(bytes, 0, length);
		if (compressed.length >= length) {
			return length;
		}
		System.arraycopy(compressed, 0, bytes, 0, compressed.length);
		return compressed.length;
	}

	/** Compresses a message. */
	public static byte[] compress(byte[] bytes, int offset, int length) {
		ByteArrayOutputStream compressed = new ByteArrayOutputStream();
		try (GZIPOutputStream out = new GZIPOutputStream(compressed)) {
			out.write(bytes, offset, length);
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex); // an array has no failures
		}
		return compressed.toByteArray();
	}

	/**
	 * Compresses a message if it becomes shorter, or if it begins as a compressed one and
	 * would pass for it.
	 * @param least shortest message that is tried, in bytes
	 */
	public static byte[] shortened(byte[] message, int least) {
		boolean looksCompressed = isCompressed(message, 0, message.length);
		if (!looksCompressed && message.length < least) {
			return message;
		}
		byte[] compressed = compress(message, 0, message.length);
		return (looksCompressed || compressed.length < message.length) ? compressed : message;
	}

	/**
	 * Returns the length that a message announces for its inflated form.
	 * @param limit {@code max-frame-size} of the receiver
	 * @throws GrpcException with RESOURCE_EXHAUSTED if it exceeds the limit, with
	 * INTERNAL if the message is malformed
	 */
	public static int inflatedLength(byte[] bytes, int offset, int length, int limit, Side receiver) {
		if (length == 0) {
			return 0;
		}
		int trailer = offset + length - TRAILER;
		if (length < HEADER + TRAILER
				|| Arrays.mismatch(bytes, offset, offset + BEGIN.length, BEGIN, 0, BEGIN.length) >= 0
				|| (bytes[offset + FLAGS] & RESERVED) != 0) {
			throw malformed("no header");
		}
		long announced = number(bytes, trailer + Integer.BYTES);
		if (announced > (long) MAX_RATIO * length) {
			throw malformed("%d bytes in %d".formatted(announced, length));
		}
		if (announced > limit) {
			throw GrpcException.tooLong(String.valueOf(announced), limit, receiver);
		}
		return (int) announced;
	}

	/** Returns the index behind a header. */
	private static int endOfHeader(byte[] bytes, int offset, int trailer) {
		int flags = bytes[offset + FLAGS];
		int index = offset + HEADER;
		if ((flags & EXTRA) != 0) {
			index += Short.BYTES + (int) (number(bytes, index) & 0xffff); // the trailer
																			// is longer
		}
		if ((flags & NAME_OF_FILE) != 0) {
			index = endOfText(bytes, index, trailer);
		}
		if ((flags & COMMENT) != 0) {
			index = endOfText(bytes, index, trailer);
		}
		if ((flags & CHECKSUM) != 0) {
			index += Short.BYTES;
		}
		if (index > trailer) {
			throw malformed("no end of the header");
		}
		return index;
	}

	private static int endOfText(byte[] bytes, int begin, int limit) {
		int index = begin;
		while (index < limit && bytes[index] != 0) {
			index++;
		}
		return index + 1;
	}

	/**
	 * Inflates a message; no bytes are an empty one. It announces its length, so that a
	 * longer one costs neither time nor memory.
	 * @param limit {@code max-frame-size} of the receiver, here of the result
	 * @throws GrpcException with RESOURCE_EXHAUSTED if the result exceeds the limit, with
	 * INTERNAL if the message is malformed or truncated, or other bytes follow
	 */
	public static byte[] inflate(byte[] bytes, int offset, int length, int limit, Side receiver) {
		int announced = inflatedLength(bytes, offset, length, limit, receiver);
		byte[] message = new byte[announced];
		if (length == 0) {
			return message;
		}
		int begin = endOfHeader(bytes, offset, offset + length - TRAILER);
		Inflater inflater = new Inflater(true);
		try {
			inflater.setInput(bytes, begin, offset + length - begin);
			inflater.inflate(message);
			inflater.inflate(new byte[1]); // takes the end of the stream, or is one too
											// many
			if (!inflater.finished() || inflater.getBytesWritten() != announced || inflater.getRemaining() != TRAILER) {
				throw malformed("%d bytes announced, %d found, with %d behind them".formatted(announced,
						inflater.getBytesWritten(), inflater.getRemaining()));
			}
		}
		catch (DataFormatException ex) {
			throw malformed(ex.getMessage());
		}
		finally {
			inflater.end();
		}
		CRC32 checksum = new CRC32();
		checksum.update(message);
		if (checksum.getValue() != number(bytes, offset + length - TRAILER)) {
			throw malformed("another checksum");
		}
		return message;
	}

	private static long number(byte[] bytes, int index) {
		return ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN).getInt(index) & 0xffffffffL;
	}

	private static GrpcException malformed(@Nullable String what) {
		return new GrpcException(RpcStatus.INTERNAL,
				"compressed message: %s (expected: one member of gzip)".formatted(what));
	}

}
