package io.rpcboot.internal.serialization.protostuff.composite;

import java.util.HashMap;
import java.util.IdentityHashMap;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Function;

import io.protostuff.WireFormat;
import io.rpcboot.internal.serialization.protostuff.scalar.ValueType;
import io.rpcboot.internal.serialization.protostuff.wire.ProtostuffInput;
import io.rpcboot.internal.serialization.protostuff.wire.ProtostuffOutput;
import io.rpcboot.internal.serialization.types.graph.ChoiceNode;
import io.rpcboot.internal.serialization.types.graph.Node;
import io.rpcboot.internal.serialization.types.graph.Node.Option;
import io.rpcboot.serialization.PathException;
import org.jspecify.annotations.Nullable;

/**
 * Value of one of several types: a group with one field, whose number is the number of
 * the type in the contract. An unlisted number is refused before anything is read, so no
 * other type can arrive. Linked to its types after it was created, because they may lead
 * back to it.
 */
public final class ChoiceType extends ValueType {

	private final ChoiceNode node;

	private final Map<Option, ValueType> writers = new IdentityHashMap<>();

	/** Types by the writer's numbers. */
	private final Map<Integer, ValueType> readers = new HashMap<>();

	public ChoiceType(ChoiceNode node) {
		super(WireFormat.WIRETYPE_START_GROUP, 0);
		this.node = node;
	}

	public void link(Function<Node, ValueType> types) {
		for (Option each : this.node.options()) {
			if (each.type() != null) {
				ValueType type = types.apply(each.type());
				this.writers.put(each, type);
				this.readers.put(each.written().number(), type);
			}
		}
	}

	@Override
	public void write(ProtostuffOutput out, int number, Object value) {
		Option option = this.node.choose(value);
		ValueType type = Objects.requireNonNull(this.writers.get(option));
		out.startGroup(number);
		try {
			type.writeField(out, option.written().number(), this.node.carried(option, value));
		}
		catch (RuntimeException ex) {
			throw (type instanceof StructType) ? ex : PathException.through(value, ex);
		}
		out.endGroup(number);
	}

	@Override
	public @Nullable Object read(ProtostuffInput in) {
		int end = in.enterGroup();
		int start = in.position;
		int number = in.peekTag() >>> 3;
		ValueType type = this.readers.get(number);
		if (type == null) {
			throw unknown(number);
		}
		Object value = type.takeField(in, number);
		if (in.position == start) {
			throw new PathException("tag %d (expected: a %s)".formatted(in.peekTag(),
					find(number).map((each) -> each.written().type().toString()).orElse("value")));
		}
		in.leaveGroup(end);
		return value;
	}

	private Optional<Option> find(int number) {
		return this.node.options().stream().filter((each) -> each.written().number() == number).findFirst();
	}

	private PathException unknown(int number) {
		return find(number)
			.map((each) -> new PathException("%s, which the other side has for %s and this side has not (expected: %s)"
				.formatted(each.written().type(), this.node.ref(), this.node.expected())))
			.orElseGet(() -> new PathException("type number %d (expected: one that the contract lists for %s)"
				.formatted(number, this.node.ref())));
	}

}
