package io.rpcboot.engine.http;

import java.io.ByteArrayOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.Socket;
import java.net.SocketException;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;

/** Client of HTTP/1.1 that writes what a test says, and reads responses. */
final class HttpPeer implements AutoCloseable {

	private static final int MILLIS = 20_000;

	private final Socket socket;

	private final InputStream in;

	HttpPeer(int port) {
		try {
			this.socket = new Socket("127.0.0.1", port);
			this.socket.setSoTimeout(MILLIS);
			this.socket.setTcpNoDelay(true);
			this.in = this.socket.getInputStream();
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

	/** Response with a body of a known length. */
	record Response(int status, Map<String, String> fields, String body) {

		String field(String name) {
			return this.fields.get(name);
		}

	}

	HttpPeer send(String text) {
		return send(text.getBytes(StandardCharsets.UTF_8));
	}

	HttpPeer send(byte[] bytes) {
		try {
			this.socket.getOutputStream().write(bytes);
			this.socket.getOutputStream().flush();
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
		return this;
	}

	/** Sends a request with a body in JSON. */
	HttpPeer post(String path, String json, String... fields) {
		byte[] body = json.getBytes(StandardCharsets.UTF_8);
		return send(head(path, "application/json", body.length, fields)).send(body);
	}

	static String head(String path, String type, int length, String... fields) {
		StringBuilder head = new StringBuilder("POST " + path + " HTTP/1.1\r\nHost: localhost\r\n");
		for (String each : fields) {
			head.append(each).append("\r\n");
		}
		return head + "Content-Type: " + type + "\r\nContent-Length: " + length + "\r\n\r\n";
	}

	/** Reads a response. */
	Response read() {
		try {
			String[] first = line().split(" ", 3);
			Map<String, String> fields = new LinkedHashMap<>();
			for (String each = line(); !each.isEmpty(); each = line()) {
				int colon = each.indexOf(':');
				fields.put(each.substring(0, colon).toLowerCase(Locale.ROOT), each.substring(colon + 1).strip());
			}
			int length = Integer.parseInt(fields.getOrDefault("content-length", "0"));
			return new Response(Integer.parseInt(first[1]), fields,
					new String(this.in.readNBytes(length), StandardCharsets.UTF_8));
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

	private String line() throws IOException {
		ByteArrayOutputStream line = new ByteArrayOutputStream();
		for (int next = this.in.read(); next != '\n'; next = this.in.read()) {
			if (next < 0) {
				throw new EOFException("ends after " + line);
			}
			line.write(next);
		}
		String text = line.toString(StandardCharsets.US_ASCII);
		return text.endsWith("\r") ? text.substring(0, text.length() - 1) : text;
	}

	/** Returns true once the server has closed the connection without more bytes. */
	boolean isAtEnd() {
		try {
			return this.in.read() < 0;
		}
		catch (SocketException ex) {
			return true;
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

	@Override
	public void close() {
		try {
			this.socket.close();
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

}
