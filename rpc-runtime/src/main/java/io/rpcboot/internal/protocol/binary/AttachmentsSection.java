package io.rpcboot.internal.protocol.binary;

import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.CodingErrorAction;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.Map;

import io.rpcboot.context.Attachments;
import io.rpcboot.internal.protocol.ProtocolException;
import io.rpcboot.security.Credentials;

/**
 * Encodes and decodes the section of {@link FrameHeader#FLAG_ATTACHMENTS}: 2 bytes
 * length, then the entries.
 *
 * <pre>
 * +---------------+------------------+----------------+-------------------+
 * | name length   | name, ASCII      | value length   | value, UTF-8      |
 * +---------------+------------------+----------------+-------------------+
 *   1               1 to 64            2                0 to 65,535
 * </pre>
 */
public final class AttachmentsSection {

	/** Size of the length in front of a section, in bytes. */
	public static final int PREFIX_LENGTH = 2;

	/** Maximum size of a section without its length, in bytes. */
	static final int MAX_LENGTH = 0xffff;

	/** Maximum number of entries. An entry takes far more memory than its bytes. */
	static final int MAX_ENTRIES = 128;

	/** The character that a decoder puts in place of malformed bytes. */
	private static final char REPLACED = '\ufffd';

	private AttachmentsSection() {
	}

	/**
	 * Encodes a section.
	 * @param attachments names and values
	 * @return the section with its length in front
	 * @throws IllegalArgumentException if the attachments take more than
	 * {@link #MAX_LENGTH} bytes or are more than {@link #MAX_ENTRIES}
	 */
	static byte[] encode(Attachments attachments) {
		if (attachments.asMap().size() > MAX_ENTRIES) {
			throw new IllegalArgumentException(
					"%d attachments (expected: at most %d)".formatted(attachments.asMap().size(), MAX_ENTRIES));
		}
		byte[][] texts = new byte[attachments.asMap().size()][];
		int length = 0;
		int count = 0;
		for (Map.Entry<String, String> each : attachments.asMap().entrySet()) {
			byte[] text = each.getValue().getBytes(StandardCharsets.UTF_8);
			texts[count++] = text;
			length += 3 + each.getKey().length() + text.length;
			if (length > MAX_LENGTH) {
				throw new IllegalArgumentException(
						"the attachments take more than %d bytes; '%s' is the first that does not fit"
							.formatted(MAX_LENGTH, each.getKey()));
			}
		}
		ByteBuffer out = ByteBuffer.allocate(PREFIX_LENGTH + length).putShort((short) length);
		count = 0;
		for (String name : attachments.asMap().keySet()) {
			byte[] text = texts[count++];
			out.put((byte) name.length());
			for (int i = 0; i < name.length(); i++) {
				out.put((byte) name.charAt(i));
			}
			out.putShort((short) text.length).put(text);
		}
		return out.array();
	}

	/**
	 * Encodes a section for a peer with a limit.
	 * @param attachments names and values
	 * @param most limit of the peer: size without the length, in bytes
	 * @return the section with its length in front
	 * @throws IllegalArgumentException if the attachments take more; the message names
	 * the property that sets the limit. Also for the reasons of
	 * {@link #encode(Attachments)}
	 */
	public static byte[] encode(Attachments attachments, int most) {
		byte[] section = encode(attachments);
		int length = section.length - PREFIX_LENGTH;
		if (length > most) {
			throw new IllegalArgumentException(
					"max-attachments-size: the attachments %s take %d bytes (expected: at most %d)"
						.formatted(attachments, length, most));
		}
		return section;
	}

	/**
	 * Drops optional attachments that exceed a limit. Required attachments are counted
	 * first, then optional ones in their order; each that does not fit is dropped.
	 * @param attachments names and values
	 * @param most limit of the size without the length, in bytes
	 * @return the same instance if all fit or none is optional; the required attachments
	 * alone may exceed the limit
	 */
	public static Attachments fitting(Attachments attachments, int most) {
		Attachments required = attachments.required();
		if (required == attachments) {
			return attachments;
		}
		Attachments result = required.copy();
		int length = 0;
		for (Map.Entry<String, String> each : required.asMap().entrySet()) {
			length += lengthOf(each);
		}
		for (Map.Entry<String, String> each : attachments.asMap().entrySet()) {
			if (attachments.isOptional(each.getKey()) && length + lengthOf(each) <= most
					&& result.asMap().size() < MAX_ENTRIES) {
				length += lengthOf(each);
				result.putOptional(each.getKey(), each.getValue());
			}
		}
		return (result.asMap().size() == attachments.asMap().size()) ? attachments : result;
	}

	/**
	 * Returns the size of a section as limits of calls count it: without the credentials
	 * of the call, which have a limit of their own.
	 * @param bytes array that holds the section
	 * @param offset index of the section, with its length
	 * @param end index behind the section, from {@link #skip}
	 * @return the size without the length, in bytes
	 * @throws ProtocolException as for {@link #decode}
	 */
	public static int counted(byte[] bytes, int offset, int end) {
		return end - offset - PREFIX_LENGTH - credentials(decode(bytes, offset, end));
	}

	/** Returns the size of the credentials in attachments that limits do not count. */
	public static int credentials(Attachments attachments) {
		String header = attachments.get(Credentials.ATTACHMENT);
		return (header != null && header.length() <= Credentials.MAX_LENGTH)
				? lengthOf(Map.entry(Credentials.ATTACHMENT, header)) : 0;
	}

	private static int lengthOf(Map.Entry<String, String> entry) {
		return 3 + entry.getKey().length() + entry.getValue().getBytes(StandardCharsets.UTF_8).length;
	}

	/**
	 * Returns the end of a section.
	 * @param bytes array that holds the body of a frame with the flag
	 * @param offset index of the section
	 * @param end index behind the body
	 * @return index behind the section
	 * @throws ProtocolException if the section is longer than the body
	 */
	public static int skip(byte[] bytes, int offset, int end) {
		if (end - offset < PREFIX_LENGTH) {
			throw new ProtocolException("truncated attachments");
		}
		int next = offset + PREFIX_LENGTH + (((bytes[offset] & 0xff) << 8) | (bytes[offset + 1] & 0xff));
		if (next > end) {
			throw new ProtocolException("truncated attachments");
		}
		return next;
	}

	/**
	 * Returns the end of a section of a limited length.
	 * @param bytes array that holds the body of a frame with the flag
	 * @param offset index of the section
	 * @param end index behind the body
	 * @param most largest length in bytes
	 * @return index behind the section
	 * @throws ProtocolException if the section is longer than the body or the limit
	 */
	public static int skip(byte[] bytes, int offset, int end, int most) {
		int next = skip(bytes, offset, end);
		if (next - offset - PREFIX_LENGTH > most) {
			throw new ProtocolException("max-attachments-size: the attachments take %d bytes (expected: at most %d)"
				.formatted(next - offset - PREFIX_LENGTH, most));
		}
		return next;
	}

	/**
	 * Decodes a section.
	 * @param bytes array that holds the section
	 * @param offset index of the section, with its length
	 * @param end index behind the section, from {@link #skip}
	 * @return unmodifiable attachments, in the order of the section
	 * @throws ProtocolException if an entry is truncated, its name is malformed or a
	 * duplicate, or its value is not UTF-8
	 */
	public static Attachments decode(byte[] bytes, int offset, int end) {
		Map<String, String> values = new LinkedHashMap<>();
		ByteBuffer in = ByteBuffer.wrap(bytes, offset + PREFIX_LENGTH, end - offset - PREFIX_LENGTH);
		while (in.hasRemaining()) {
			int nameLength = in.get() & 0xff;
			int nameAt = take(in, nameLength);
			String name = new String(bytes, nameAt, nameLength, StandardCharsets.ISO_8859_1);
			if (!Attachments.isName(name)) {
				throw new ProtocolException("attachments: a name that may not be: '%s'".formatted(printable(name)));
			}
			if (in.remaining() < 2) {
				throw new ProtocolException("attachments: an entry is cut off");
			}
			int valueLength = in.getShort() & 0xffff;
			int valueAt = take(in, valueLength);
			String value = new String(bytes, valueAt, valueLength, StandardCharsets.UTF_8);
			if (value.indexOf(REPLACED) >= 0) {
				requireText(name, ByteBuffer.wrap(bytes, valueAt, valueLength));
			}
			if (values.put(name, value) != null) {
				throw new ProtocolException("attachments: '%s' twice".formatted(name));
			}
			if (values.size() > MAX_ENTRIES) {
				throw new ProtocolException("attachments: more than %d entries".formatted(MAX_ENTRIES));
			}
		}
		return Attachments.of(values);
	}

	/** Skips bytes. Returns the index of the first one. */
	private static int take(ByteBuffer in, int length) {
		int at = in.position();
		if (in.remaining() < length) {
			throw new ProtocolException("attachments: an entry is cut off");
		}
		in.position(at + length);
		return at;
	}

	/**
	 * Refuses a value that is not UTF-8. A valid value may contain the replacement
	 * character itself.
	 */
	private static void requireText(String name, ByteBuffer utf8) {
		try {
			StandardCharsets.UTF_8.newDecoder().onMalformedInput(CodingErrorAction.REPORT).decode(utf8);
		}
		catch (CharacterCodingException ex) {
			throw new ProtocolException("attachments: the value of '%s' is not UTF-8".formatted(name));
		}
	}

	/** Replaces characters that must not reach a log. */
	private static String printable(String name) {
		return name.replaceAll("[^\\x21-\\x7e]", "?");
	}

}
