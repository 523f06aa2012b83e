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

	/** Response; a body in chunks has one char for each byte. */
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

	/** Response whose body is not text. */
	record Raw(Map<String, String> fields, byte[] body) {

		String field(String name) {
			return this.fields.get(name);
		}

	}

	/** Reads a response whose body is not text. */
	Raw readRaw() {
		try {
			line();
			Map<String, String> fields = fields();
			return new Raw(fields, body(fields));
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

	/** Reads a response. */
	Response read() {
		try {
			String[] first = line().split(" ", 3);
			Map<String, String> fields = fields();
			boolean isChunked = "chunked".equals(fields.get("transfer-encoding"));
			byte[] body = isChunked ? chunks() : body(fields);
			return new Response(Integer.parseInt(first[1]), fields,
					new String(body, isChunked ? StandardCharsets.ISO_8859_1 : StandardCharsets.UTF_8));
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

	private Map<String, String> fields() throws IOException {
		Map<String, String> fields = new LinkedHashMap<>();
		for (String each = line(); !each.isEmpty(); each = line()) {
			int colon = each.indexOf(':');
			fields.put(each.substring(0, colon).toLowerCase(Locale.ROOT), each.substring(colon + 1).strip());
		}
		return fields;
	}

	private byte[] body(Map<String, String> fields) throws IOException {
		return this.in.readNBytes(Integer.parseInt(fields.getOrDefault("content-length", "0")));
	}

	private byte[] chunks() throws IOException {
		ByteArrayOutputStream body = new ByteArrayOutputStream();
		for (int size = size(); size > 0; size = size()) {
			body.write(this.in.readNBytes(size));
			line();
		}
		line();
		return body.toByteArray();
	}

	private int size() throws IOException {
		return Integer.parseInt(line(), 16);
	}

	/** Reads a part of a body in chunks. */
	byte[] readChunk() {
		try {
			byte[] chunk = this.in.readNBytes(size());
			line();
			return chunk;
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

	/** Reads the head of a response. */
	void readHead() {
		try {
			while (!line().isEmpty()) {
				// skips it
			}
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
