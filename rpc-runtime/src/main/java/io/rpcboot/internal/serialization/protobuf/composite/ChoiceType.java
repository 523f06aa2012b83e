package io.rpcboot.internal.serialization.protobuf.composite;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.IdentityHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Function;

import io.rpcboot.RpcSubtypes;
import io.rpcboot.internal.serialization.protobuf.scalar.MessageType;
import io.rpcboot.internal.serialization.protobuf.scalar.SingularType;
import io.rpcboot.internal.serialization.protobuf.schema.Declarations;
import io.rpcboot.internal.serialization.protobuf.schema.FieldDeclaration;
import io.rpcboot.internal.serialization.protobuf.schema.FieldDeclaration.Label;
import io.rpcboot.internal.serialization.protobuf.schema.LockLine;
import io.rpcboot.internal.serialization.protobuf.schema.NumberLock;
import io.rpcboot.internal.serialization.protobuf.schema.Numbering;
import io.rpcboot.internal.serialization.protobuf.schema.ProtoNames;
import io.rpcboot.internal.serialization.protobuf.schema.TypeName;
import io.rpcboot.internal.serialization.protobuf.wire.ChosenMember;
import io.rpcboot.internal.serialization.protobuf.wire.ProtobufInput;
import io.rpcboot.internal.serialization.protobuf.wire.ProtobufOutput;
import io.rpcboot.internal.serialization.types.graph.ChoiceNode;
import io.rpcboot.internal.serialization.types.graph.Node;
import io.rpcboot.internal.serialization.types.graph.Node.Option;
import io.rpcboot.serialization.PathException;
import io.rpcboot.serialization.contract.ContractMember;
import io.rpcboot.serialization.contract.TypeRef;
import org.jspecify.annotations.Nullable;

/**
 * Value of one of several types: a message with a {@code oneof}, whose fields are
 * numbered in the order in which the base names its subtypes. A message without a known
 * field is refused, because no value can stand for it. Linked to its types after it was
 * created, because they may lead back to it.
 */
public final class ChoiceType extends MessageType {

	private final ChoiceNode node;

	private final LockLine line;

	private final Map<Option, Slot> writers = new IdentityHashMap<>();

	private final Map<Integer, Slot> readers = new TreeMap<>();

	public ChoiceType(ChoiceNode node, Numbering numbering) {
		super(0);
		this.node = node;
		Set<Class<?>> order = new LinkedHashSet<>();
		collect(node.javaType(), order);
		List<Class<?>> places = List.copyOf(order);
		List<ContractMember> members = new ArrayList<>();
		node.options()
			.stream()
			.map(Option::javaType)
			.sorted(Comparator.comparing((type) -> places.contains(type) ? places.indexOf(type) : places.size()))
			.forEach((each) -> members.add(new ContractMember(members.size() + 1, each.getName(), TypeRef.VOID)));
		this.line = numbering.number(node.ref().name(), node.definition().aliases(), members, false);
	}

	/** Collects the classes that a base names, and those that they name. */
	private static void collect(Class<?> base, Set<Class<?>> order) {
		if (!order.add(base)) {
			return;
		}
		RpcSubtypes named = base.getAnnotation(RpcSubtypes.class);
		for (Class<?> each : base.isSealed() ? base.getPermittedSubclasses() : new Class<?>[0]) {
			collect(each, order);
		}
		for (Class<?> each : (named != null) ? named.value() : new Class<?>[0]) {
			collect(each, order);
		}
	}

	public void link(Function<Node, SingularType> types) {
		for (Option each : this.node.options()) {
			int number = Objects.requireNonNull(this.line.numbers().get(each.javaType().getName()));
			Slot slot = new Slot(number, 0, each.javaType().getSimpleName(), "",
					types.apply(Objects.requireNonNull(each.type())));
			this.writers.put(each, slot);
			this.readers.put(number, slot);
		}
	}

	@Override
	protected void writeFields(ProtobufOutput out, Object value) {
		Option option = this.node.choose(value);
		Slot slot = Objects.requireNonNull(this.writers.get(option));
		try {
			((SingularType) slot.type()).write(out, slot.number(), this.node.carried(option, value));
		}
		catch (RuntimeException ex) {
			throw (slot.type() instanceof StructType) ? ex : PathException.through(value, ex);
		}
	}

	@Override
	protected Object readPart(ProtobufInput in, @Nullable Object before) {
		ChosenMember chosen = (before != null) ? (ChosenMember) before : in.takeMember();
		while (in.hasMore()) {
			int tag = in.readTag();
			Slot slot = this.readers.get(tag >>> 3);
			if (slot == null) {
				chosen.unknown = tag >>> 3;
				in.skip(tag);
				continue;
			}
			chosen.state = slot.type().readField(in, tag, (slot == chosen.field) ? chosen.state : null);
			chosen.field = slot;
		}
		return chosen;
	}

	@Override
	protected @Nullable Object create(ProtobufInput in, Object state) {
		ChosenMember chosen = (ChosenMember) state;
		Slot slot = (Slot) chosen.field;
		if (slot == null) {
			String came = (chosen.unknown == 0) ? "no subtype of %s"
					: "number " + chosen.unknown + ", which is no subtype of %s that this side knows";
			throw new PathException(
					(came + " (expected: one of the numbers %s, which " + NumberLock.RESOURCE + " fixes)").formatted(
							this.node.ref().name().replace("+", ""),
							PathException.some(this.readers.keySet().stream())));
		}
		Object last = chosen.state;
		in.giveMember(chosen);
		return slot.type().finish(in, last);
	}

	@Override
	public TypeName name(Declarations file) {
		return file.message(this.node.ref(), () -> fields(file), this.line.reserved());
	}

	private List<FieldDeclaration> fields(Declarations file) {
		return this.writers.entrySet()
			.stream()
			.sorted(Comparator.comparing((each) -> each.getValue().number()))
			.map((each) -> new FieldDeclaration(ProtoNames.snake(each.getValue().name()), each.getValue().number(),
					Label.CHOICE, ((SingularType) each.getValue().type()).name(file), null, each.getKey().javaType()))
			.toList();
	}

}
