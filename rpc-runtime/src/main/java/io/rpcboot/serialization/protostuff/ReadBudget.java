package io.rpcboot.serialization.protostuff;

import java.util.Collection;

import io.rpcboot.serialization.SerializationException;

import org.jspecify.annotations.Nullable;

/**
 * What reading one message may take, for serializers with another layout: the bounds are
 * those of the default serializer. {@link ServiceClass}, {@link ServiceCollection},
 * {@link ServiceMap}, {@link ServiceHolder} and {@link ValueForm} charge what they make;
 * the serializer charges text, numbers and arrays. For one message and one thread.
 */
public final class ReadBudget {

	/** The header of an object, or an empty array, in bytes. */
	public static final int OBJECT = Groups.ARRAY;

	/** A boxed number, in bytes. */
	public static final int BOX = 24;

	/** Objects take about as many times the bytes that they are read from. */
	private static final int USUAL_FACTOR = 8;

	private final long allowed;

	private long charged;

	private long compared;

	/**
	 * Create a budget.
	 * @param length of the message, in bytes
	 */
	public ReadBudget(int length) {
		this.allowed = Groups.ALLOWED + (long) Groups.ALLOWED_FACTOR * length;
	}

	/**
	 * Charge the bytes that objects take. Before they are made, unless they are only in
	 * proportion to their own bytes.
	 * @param bytes as estimated, with references of four bytes
	 * @throws SerializationException if the objects of the message take more than 16
	 * times its bytes and 12 MiB
	 */
	public void charge(long bytes) {
		this.charged += bytes;
		if (this.charged > this.allowed) {
			throw ValueForm.failure(Groups.tooLarge());
		}
	}

	/**
	 * Charge a text.
	 * @param length in characters
	 * @throws SerializationException as for {@link #charge}
	 */
	public void chargeText(int length) {
		charge(Text.TEXT + (long) Character.BYTES * length);
	}

	/** What was read, and what comparing took in it: the size of keys is a difference. */
	long size() {
		return this.charged / USUAL_FACTOR + this.compared;
	}

	/** Count comparisons as {@link KeyHashes#compare} does. */
	void compare(long start, Collection<@Nullable Object> keys) {
		this.compared = KeyHashes.compare(this.compared, size() - start, keys);
	}

}
