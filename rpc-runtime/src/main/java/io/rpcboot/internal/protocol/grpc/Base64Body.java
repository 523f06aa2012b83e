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
			int taken = Math.min(to - at, GROUP - this.count);
			System.arraycopy(in, at, this.held, this.count, taken);
			this.count += taken;
			at += taken;
			if (this.count == GROUP) {
				byte[] group = Base64.getDecoder().decode(this.held);
				System.arraycopy(group, 0, out, length, group.length);
				length += group.length;
				this.count = 0;
			}
		}
		return (length < out.length) ? Arrays.copyOf(out, length) : out;
	}

	/** Returns true if no characters of an incomplete group are held. */
	public boolean isComplete() {
		return this.count == 0;
	}

}
