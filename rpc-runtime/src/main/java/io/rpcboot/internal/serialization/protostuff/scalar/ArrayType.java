package io.rpcboot.internal.serialization.protostuff.scalar;

import java.lang.reflect.Array;
import java.util.Arrays;

import io.protostuff.WireFormat;
import io.protostuff.WireFormat.FieldType;
import io.rpcboot.internal.serialization.protostuff.wire.ProtostuffInput;
import io.rpcboot.internal.serialization.protostuff.wire.ProtostuffOutput;
import io.rpcboot.internal.serialization.types.graph.Node.ArrayNode;
import io.rpcboot.internal.serialization.types.value.Numbers;
import io.rpcboot.internal.serialization.types.value.ReadBudget;
import io.rpcboot.serialization.PathException;
import org.jspecify.annotations.Nullable;

/**
 * Array of objects, written as by protostuff-runtime: a group of the length (1) and the
 * elements (2). A null element, which protostuff-runtime cannot read back, is a marker as
 * in {@code CollectionType}.
 */
public final class ArrayType extends ValueType {

	static final int LENGTH = 1;

	static final int ELEMENT = 2;

	private static final int NULL = 1;

	private static final int NULL_TAG = WireFormat.makeTag(ELEMENT, WireFormat.WIRETYPE_REFERENCE);

	/** Minimum size of an element with its tag, in bytes. */
	private static final int LEAST_BYTES = 2;

	/**
	 * Maximum number of elements that are allocated before the first is read. Arrays
	 * nest, and each could announce an element for every two remaining bytes.
	 */
	private static final int FIRST_ROOM = 256;

	/**
	 * Size of a reference in an array and in the smaller arrays that it has outgrown, in
	 * bytes.
	 */
	private static final int SLOT = 8;

	private final ArrayNode node;

	private final ValueType element;

	public ArrayType(ArrayNode node, ValueType element) {
		super(WireFormat.WIRETYPE_START_GROUP, node.isAtomic() ? ReadBudget.BOX : 0);
		this.node = node;
		this.element = element;
	}

	@Override
	public void write(ProtostuffOutput out, int number, Object value) {
		@Nullable Object[] elements = (@Nullable Object[]) this.node.elements(value);
		out.startGroup(number);
		out.writeUInt32(LENGTH, elements.length);
		int index = 0;
		try {
			for (; index < elements.length; index++) {
				if (elements[index] != null) {
					this.element.write(out, ELEMENT, elements[index]);
				}
				else {
					out.writeMarker(ELEMENT, NULL);
				}
			}
		}
		catch (RuntimeException ex) {
			throw PathException.at("[" + index + "]", ex);
		}
		out.endGroup(number);
	}

	@Override
	public Object read(ProtostuffInput in) {
		return this.node.of(readElements(in));
	}

	/**
	 * Reads the elements. Where primitives are declared, an array of boxes without null.
	 */
	@Nullable Object[] readElements(ProtostuffInput in) {
		int end = in.enterGroup();
		int length = readLength(in);
		in.charge(ReadBudget.OBJECT);
		int tag = WireFormat.makeTag(ELEMENT, this.element.wireType());
		@Nullable Object[] elements = (@Nullable Object[]) Array.newInstance(Numbers.box(this.node.component()),
				Math.min(length, FIRST_ROOM));
		int index = 0;
		try {
			for (; index < length; index++) {
				if (index == elements.length) {
					elements = Arrays.copyOf(elements, (int) Math.min(length, index * 4L));
				}
				in.charge(SLOT + this.element.weight());
				elements[index] = readElement(in, tag);
			}
		}
		catch (RuntimeException ex) {
			throw PathException.at("[" + index + "]", ex);
		}
		in.leaveGroup(end);
		return elements;
	}

	private @Nullable Object readElement(ProtostuffInput in, int tag) {
		if (in.tryTag(tag)) {
			return this.element.read(in);
		}
		if (!in.tryTag(NULL_TAG)) {
			throw missing(in);
		}
		int marker = in.readUInt32();
		if (marker != NULL) {
			throw new PathException("marker %d (expected: %d for a null element)".formatted(marker, NULL));
		}
		if (this.node.component().isPrimitive()) {
			throw PathException.missing(this.node.element().ref());
		}
		return null;
	}

	static PathException missing(ProtostuffInput in) {
		return new PathException("tag %d (expected: an element)".formatted(in.readTag()));
	}

	/** Reads the length of an array, refused if the remaining bytes are too few. */
	static int readLength(ProtostuffInput in) {
		in.requireTag(LENGTH, FieldType.UINT32);
		int length = in.readUInt32();
		int most = (in.limit - in.position) / LEAST_BYTES;
		if (length < 0 || length > most) {
			throw new PathException("an array of %s elements (expected: at most %d in the bytes that remain)"
				.formatted(Integer.toUnsignedString(length), most));
		}
		return length;
	}

}
