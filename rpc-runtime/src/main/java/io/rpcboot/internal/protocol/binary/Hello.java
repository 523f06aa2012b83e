package io.rpcboot.internal.protocol.binary;

import java.util.ArrayList;
import java.util.List;

import io.rpcboot.internal.protocol.ProtocolException;
import io.rpcboot.internal.text.PrintableText;

/**
 * Body of a HELLO frame: the limits and the name of a side. Later versions may append
 * fields; a reader ignores unknown fields.
 *
 * <pre>
 * +-----------------+-------+-----------------------+--------------------+-------------+
 * | max frame size  | count | serializers,          | application, text  | max         |
 * |                 |       | each a text           |                    | attachments |
 * +-----------------+-------+-----------------------+--------------------+-------------+
 *   4                 1       2 + n each              2 + n                2
 * </pre>
 *
 * @param maxFrameSize largest body that this side accepts, in bytes
 * @param serializers names of the serializers that this side uses, at most
 * {@value #MAX_SERIALIZERS}
 * @param application name of the application, for logs
 * @param maxAttachments largest section of attachments that this side accepts, in bytes;
 * 0 for none, also if a peer does not send the field
 */
public record Hello(int maxFrameSize, List<String> serializers, String application, int maxAttachments) {

	/** Maximum number of serializers. */
	static final int MAX_SERIALIZERS = 255;

	/** Maximum length of a name from a peer, in characters. */
	private static final int MAX_NAME = 128;

	public Hello {
		serializers = List.copyOf(serializers);
	}

	/**
	 * Encodes the body.
	 * @return the body
	 */
	public byte[] encode() {
		BodyWriter out = new BodyWriter().integer(this.maxFrameSize).unsignedByte(this.serializers.size());
		this.serializers.forEach(out::text);
		return out.text(this.application).unsignedShort(this.maxAttachments).toByteArray();
	}

	/**
	 * Decodes a body.
	 * @param body the body
	 * @return the decoded body
	 * @throws ProtocolException if the body is truncated
	 */
	public static Hello decode(byte[] body) {
		BodyReader in = new BodyReader("HELLO", body);
		int maxFrameSize = in.positiveInt();
		List<String> serializers = new ArrayList<>();
		for (int i = in.unsignedByte(); i > 0; i--) {
			serializers.add(PrintableText.of(in.text(), MAX_NAME));
		}
		String application = PrintableText.of(in.text(), MAX_NAME);
		int maxAttachments = in.hasMore() ? in.unsignedShort() : 0;
		return new Hello(maxFrameSize, serializers, application, maxAttachments);
	}

}
