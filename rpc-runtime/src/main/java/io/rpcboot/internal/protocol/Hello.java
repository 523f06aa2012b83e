package io.rpcboot.internal.protocol;

import java.util.ArrayList;
import java.util.List;

/**
 * How a side introduces itself. Later versions may append fields; a reader ignores what
 * it does not know.
 *
 * <pre>
 * +-----------------+-------+-----------------------+--------------------+-------------+--------+
 * | max frame size  | count | so many serializers,  | application, text  | max         | takes  |
 * |                 |       | each a text           |                    | attachments | PLACE  |
 * +-----------------+-------+-----------------------+--------------------+-------------+--------+
 *   4                 1       2 + n each              2 + n                2             1
 * </pre>
 *
 * @param maxFrameSize largest body that this side accepts, in bytes
 * @param serializers names of the serializers that this side uses, at most
 * {@value #MAX_SERIALIZERS}
 * @param application name of the application, for logs
 * @param maxAttachments longest section of attachments that this side takes, in bytes; 0
 * for none, as of those that do not say
 * @param takesPlaces whether this side takes {@link FrameType#PLACE}, as those that do
 * not say do not
 */
public record Hello(int maxFrameSize, List<String> serializers, String application, int maxAttachments,
		boolean takesPlaces) {

	/** Most names of serializers. */
	static final int MAX_SERIALIZERS = 255;

	public Hello {
		serializers = List.copyOf(serializers);
	}

	/**
	 * To bytes.
	 * @return the body
	 */
	public byte[] encode() {
		BodyWriter out = new BodyWriter().integer(this.maxFrameSize).unsignedByte(this.serializers.size());
		this.serializers.forEach(out::text);
		return out.text(this.application)
			.unsignedShort(this.maxAttachments)
			.unsignedByte(this.takesPlaces ? 1 : 0)
			.toByteArray();
	}

	/**
	 * From bytes.
	 * @param body the body
	 * @return what it says
	 * @throws ProtocolException if it is truncated
	 */
	public static Hello decode(byte[] body) {
		BodyReader in = new BodyReader("HELLO", body);
		int maxFrameSize = in.positiveInt();
		List<String> serializers = new ArrayList<>();
		for (int i = in.unsignedByte(); i > 0; i--) {
			serializers.add(in.text());
		}
		String application = in.text();
		int maxAttachments = in.hasMore() ? in.unsignedShort() : 0;
		return new Hello(maxFrameSize, serializers, application, maxAttachments,
				in.hasMore() && in.unsignedByte() != 0);
	}

}
