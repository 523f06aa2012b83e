package io.rpcboot.internal.protocol;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Set;

/** First words of HTTP/1 requests, and the answer to one that is not read any further. */
public final class Http1Text {

	/** First four characters of the methods of HTTP/1. */
	private static final Set<String> BEGINS = Set.of("GET ", "POST", "PUT ", "HEAD", "DELE", "OPTI", "PATC", "TRAC",
			"CONN");

	private Http1Text() {
	}

	/**
	 * Returns true if a client that sends these bytes first speaks HTTP/1.
	 * @param first the first four bytes, big-endian
	 */
	public static boolean begins(int first) {
		byte[] bytes = ByteBuffer.allocate(Integer.BYTES).putInt(first).array();
		return BEGINS.contains(new String(bytes, StandardCharsets.ISO_8859_1));
	}

	/**
	 * Returns a response after which the connection is closed.
	 * @param status status and its reason
	 * @param text reason for a person
	 */
	public static byte[] answer(String status, String text) {
		byte[] body = (text + "\n").getBytes(StandardCharsets.UTF_8);
		byte[] head = ("HTTP/1.1 " + status + "\r\ncontent-type: text/plain; charset=utf-8\r\ncontent-length: "
				+ body.length + "\r\nconnection: close\r\n\r\n")
			.getBytes(StandardCharsets.US_ASCII);
		return ByteBuffer.allocate(head.length + body.length).put(head).put(body).array();
	}

}
