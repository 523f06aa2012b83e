package io.rpcboot.hostile.attack;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Arrays;
import java.util.Locale;

import io.rpcboot.ServiceDescriptor;
import io.rpcboot.hostile.victim.VictimService;
import io.rpcboot.internal.protocol.binary.FrameType;
import io.rpcboot.serialization.OutputBuffer;
import io.rpcboot.serialization.ServiceCodec;
import io.rpcboot.serialization.protostuff.ProtostuffSerializer;

/**
 * The bytes that attackers send, put together by hand. Only the arguments and the text of
 * the contract come from the serializer.
 */
final class Speech {

	static final int HEADER = 16;

	static final int MAX_BODY = 8 * 1024 * 1024;

	/** What a server reads of a client without a grant of bytes. */
	static final int SHARE = 4096;

	static final int NEED = 15;

	static final int YIELD = 16;

	/** A flag of WINDOW: it answers NEED. */
	static final int ANSWERS_NEED = 64;

	static final int FLAG_LAST_GRANTED = 32;

	static final int TABLE = 1024 * 1024;

	private static final ServiceDescriptor SERVICE = ServiceDescriptor.of(VictimService.class);

	private static final ServiceCodec CODEC = new ProtostuffSerializer().codec(SERVICE);

	private static final byte[] PREFACE = { (byte) 0x8f, 'R', 'P', 'C', 0, 1, 0, 0 };

	private static final int BYTES_OF_A_TYPE = 34;

	private static final byte BEGIN_GROUP_1 = 0x0b;

	private static final byte END_GROUP_1 = 0x0c;

	private Speech() {
	}

	/**
	 * Whether the engine knows NEED and YIELD. One that does not ends the connection at
	 * the first of them. The property {@code hostile.need} says otherwise.
	 */
	static boolean knowsNeed() {
		String said = System.getProperty("hostile.need", "");
		if (!said.isEmpty()) {
			return Boolean.parseBoolean(said);
		}
		return Arrays.stream(FrameType.class.getFields()).anyMatch((each) -> each.getName().equals("NEED"));
	}

	static ByteBuffer preface() {
		return ByteBuffer.wrap(PREFACE);
	}

	static ByteBuffer header(int length, int type, int flags, int code, long callId) {
		return ByteBuffer.allocate(HEADER)
			.putInt(length)
			.put((byte) type)
			.put((byte) flags)
			.putShort((short) code)
			.putLong(callId)
			.flip();
	}

	static ByteBuffer frame(int type, int flags, int code, long callId, byte[] body) {
		return ByteBuffer.allocate(HEADER + body.length)
			.put(header(body.length, type, flags, code, callId))
			.put(body)
			.flip();
	}

	static ByteBuffer hello() {
		byte[] serializer = ascii("protostuff");
		byte[] application = ascii("hostile");
		ByteBuffer body = ByteBuffer.allocate(9 + serializer.length + application.length);
		body.putInt(MAX_BODY).put((byte) 1).putShort((short) serializer.length).put(serializer);
		body.putShort((short) application.length).put(application);
		return frame(FrameType.HELLO, 0, 0, 0, body.array());
	}

	/** The total of bytes of replies that this side takes. */
	static ByteBuffer window(long totalBytes) {
		return frame(FrameType.WINDOW, 0, 0, 0, ByteBuffer.allocate(Long.BYTES).putLong(totalBytes).array());
	}

	/** The victim's service under the victim's own contract. */
	static ByteBuffer bind(int first) {
		return bind(first, SERVICE.methods().size(), hash(CODEC.contract().text()), SERVICE.id().toString());
	}

	/** The victim's service under any contract. */
	static ByteBuffer bind(int first, byte[] hash) {
		return bind(first, SERVICE.methods().size(), hash, SERVICE.id().toString());
	}

	static ByteBuffer bind(int first, int methods, byte[] hash, String service) {
		byte[] name = ascii(service);
		byte[] serializer = ascii("protostuff");
		ByteBuffer body = ByteBuffer.allocate(7 + hash.length + name.length + serializer.length);
		body.putShort((short) methods).put(hash).put((byte) 0);
		body.putShort((short) name.length).put(name).putShort((short) serializer.length).put(serializer);
		return frame(FrameType.BIND, 0, first, 0, body.array());
	}

	/** The hash by which a table of this text is known. */
	static byte[] hash(String text) {
		try {
			byte[] digest = MessageDigest.getInstance("SHA-256").digest(text.getBytes(StandardCharsets.UTF_8));
			return Arrays.copyOf(digest, 16);
		}
		catch (NoSuchAlgorithmException ex) {
			throw new IllegalStateException(ex);
		}
	}

	/** A table of nearly this length that fits the victim, each number another. */
	static String table(int number, int size) {
		StringBuilder text = new StringBuilder(size).append(CODEC.contract().text());
		String name = String.format(Locale.ROOT, "x.T%06d", number);
		for (int i = 0; text.length() + BYTES_OF_A_TYPE < size; i++) {
			text.append("bean ").append(name).append(1_000_000 + i).append("\n  1 a int\n");
		}
		return text.toString();
	}

	/** An argument of the victim's count that has as many children, of two bytes each. */
	static byte[] group(int kids) {
		byte[] bytes = new byte[2 * kids + 2];
		for (int i = 0; i <= kids; i++) { // begin, begin, end, begin, end, ... end
			bytes[2 * i] = (i == 0) ? BEGIN_GROUP_1 : END_GROUP_1;
			bytes[2 * i + 1] = (i == kids) ? END_GROUP_1 : BEGIN_GROUP_1;
		}
		return bytes;
	}

	/** The number of a method, counted from that of the BIND. */
	static int number(String method) {
		return SERVICE.methods()
			.stream()
			.filter((each) -> each.name().equals(method))
			.findFirst()
			.orElseThrow()
			.number();
	}

	static byte[] arguments(String method, Object... arguments) {
		OutputBuffer out = new OutputBuffer.Pool(1024).acquire();
		CODEC.method(number(method)).serializeArguments(arguments, out);
		return out.toByteArray();
	}

	private static byte[] ascii(String text) {
		return text.getBytes(StandardCharsets.US_ASCII);
	}

}
