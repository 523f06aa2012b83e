package io.rpcboot.internal.protocol.grpc;

import java.util.Arrays;
import java.util.Base64;

/**
 * Body of gRPC-Web as text: Base64, of which each part may end with padding. The parts
 * arrive cut anywhere. For one thread.
 */
public final class Base64Body {

	private static final int GROUP = 4;

	private static final int BYTES = 3;

	/** Characters of a group that is not complete. */
	private final byte[] held = new byte[GROUP];

	private int count;

	/**
	 * Decodes characters that have arrived.
	 * @return the bytes of the groups that are complete now
	 * @throws IllegalArgumentException if they are no Base64
	 */
	public byte[] decode(byte[] in, int from, int to) {
		byte[] out = new byte[(this.count + to - from) / GROUP * BYTES];
		int length = 0;
		int at = from;
		while (at < to) {
			byte[] decoded = new byte[0];
			if (this.count == 0 && to - at >= GROUP) {
				int end = endOfPart(in, at, to);
				decoded = Base64.getDecoder().decode(Arrays.copyOfRange(in, at, end));
				at = end;
			}
			else {
				int taken = Math.min(to - at, GROUP - this.count);
				System.arraycopy(in, at, this.held, this.count, taken);
				this.count += taken;
				at += taken;
				if (this.count == GROUP) {
					decoded = Base64.getDecoder().decode(this.held);
					this.count = 0;
				}
			}
			System.arraycopy(decoded, 0, out, length, decoded.length);
			length += decoded.length;
		}
		return (length < out.length) ? Arrays.copyOf(out, length) : out;
	}

	/** Returns the index behind whole groups, of which the last may have padding. */
	private static int endOfPart(byte[] in, int from, int to) {
		int end = from + (to - from) / GROUP * GROUP;
		for (int i = from; i < end; i++) {
			if (in[i] == '=') {
				return from + ((i - from) / GROUP + 1) * GROUP;
			}
		}
		return end;
	}

	/** Returns true if no characters of an incomplete group are held. */
	public boolean isComplete() {
		return this.count == 0;
	}

}
