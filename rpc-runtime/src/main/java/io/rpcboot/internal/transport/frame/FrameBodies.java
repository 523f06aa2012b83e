package io.rpcboot.internal.transport.frame;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.Arrays;

import io.rpcboot.internal.memory.MemoryShortageException;
import io.rpcboot.serialization.DetachedBytes;
import io.rpcboot.serialization.OutputBuffer;
import org.jspecify.annotations.Nullable;

/**
 * What is done with the bodies of frames that are not small. Stands beside frame, which
 * has them.
 */
public final class FrameBodies {

	private FrameBodies() {
	}

	/**
	 * Take the array of a body away. Any thread; of several that do, one gets it.
	 * @param frame has {@link OutboundFrame#NOTHING} from now on
	 * @return the array, {@link OutboundFrame#NOTHING} for the others
	 */
	public static byte[] takeArray(OutboundFrame frame) {
		return (byte[]) Body.ARRAY.getAndSet(frame, OutboundFrame.NOTHING);
	}

	/**
	 * An array for a body.
	 * @param length of the body, in bytes
	 * @return an array of this length, or a longer one
	 */
	public static byte[] array(int length) {
		return (length > OutboundFrame.LARGE_BODY) ? ByteArrayPool.SHARED.take(length) : new byte[length];
	}

	/**
	 * Give the array of a body back.
	 * @param array not needed any more, by anybody
	 */
	public static void reuse(byte[] array) {
		if (array.length > OutboundFrame.LARGE_BODY) {
			ByteArrayPool.SHARED.give(array);
		}
	}

	/**
	 * A copy of a body, which may change meanwhile.
	 * @param frame has the body
	 * @return the copy, null if it is in no array
	 */
	public static byte @Nullable [] copyOf(OutboundFrame frame) {
		return (frame.large != null) ? null : Arrays.copyOf(frame.body, frame.length);
	}

	/**
	 * What of a body that came in is not in its array.
	 * @param frame has the body
	 * @return null if all of it is
	 */
	public static @Nullable DetachedBytes valueOf(OutboundFrame frame) {
		return frame.apart;
	}

	/**
	 * How many bytes of a body are in its array.
	 * @param frame has the body
	 * @return its length, without that of a value that is apart
	 */
	public static int lengthInArray(OutboundFrame frame) {
		return frame.length - ((frame.apart != null) ? frame.apart.bytes().length : 0);
	}

	/**
	 * Keep nothing of the array of a body that is not small. Any thread.
	 * @param frame may have {@link OutboundFrame#NOTHING} from now on
	 */
	public static void drop(OutboundFrame frame) {
		if (frame.length > OutboundFrame.SMALL_BODY && takeArray(frame) != OutboundFrame.NOTHING) {
			frame.apart = null; // who takes the array takes the value
		}
	}

	/**
	 * Put other bytes in place of the first ones. For who may write the frame, before it
	 * is written.
	 * @param frame has a body
	 * @param count how many bytes of it are not sent; of a large body those of its first
	 * chunk at most
	 * @param start what is sent instead, no more
	 */
	public static void replaceStart(OutboundFrame frame, int count, byte[] start) {
		int length = frame.length - count + start.length;
		if (frame.large != null) {
			frame.large.replaceStart(count, start);
		}
		else {
			byte[] body = Arrays.copyOf(start, length); // the other may be its caller's
			System.arraycopy(frame.body, count, body, start.length, frame.length - count);
			frame.body = body;
		}
		frame.length = length;
	}

	/**
	 * Append what is left of a large body.
	 * @param frame gets its length
	 * @param out holds what was not handed over
	 * @throws MemoryShortageException if there is no memory in time
	 */
	public static void complete(OutboundFrame frame, OutputBuffer out) {
		ChunkedBody body = frame.largeBody();
		body.write(out.array(), 0, out.position());
		body.complete();
		frame.body(OutboundFrame.NOTHING, out.length());
	}

	/**
	 * Why a large body could not be completed.
	 * @param frame that is not sent
	 * @return null if there was memory
	 */
	public static @Nullable MemoryShortageException shortageOf(OutboundFrame frame) {
		return (frame.large != null) ? frame.large.shortage() : null;
	}

	/** If there is no memory to make the handle, large bodies go on all the same. */
	private static final class Body {

		static final VarHandle ARRAY;

		static {
			try {
				ARRAY = MethodHandles.lookup().findVarHandle(OutboundFrame.class, "body", byte[].class);
			}
			catch (ReflectiveOperationException ex) {
				throw new ExceptionInInitializerError(ex);
			}
		}

	}

}
