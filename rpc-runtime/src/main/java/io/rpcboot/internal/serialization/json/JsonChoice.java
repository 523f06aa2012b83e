package io.rpcboot.internal.serialization.json;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.BiFunction;
import java.util.function.Function;
import java.util.function.ToIntFunction;
import java.util.stream.Collectors;

import io.rpcboot.internal.serialization.types.graph.ChoiceNode;
import io.rpcboot.internal.serialization.types.graph.MethodNode;
import io.rpcboot.internal.serialization.types.graph.Node;
import io.rpcboot.internal.serialization.types.graph.Node.Option;
import io.rpcboot.serialization.PathException;
import io.rpcboot.serialization.UndeclaredException;
import io.rpcboot.serialization.contract.ContractType;
import io.rpcboot.serialization.contract.TypeRef;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JsonToken;

/**
 * Choice of several types of the contract, or of the exceptions of a throws clause. The
 * first property, {@value #TYPE}, names the type, which writes the other properties.
 */
final class JsonChoice implements JsonType {

	private static final String TYPE = "@type";

	private final ToIntFunction<Object> chooser;

	/** Returns the instance to write for a value, by the index of its type. */
	private final BiFunction<Integer, Object, Object> carried;

	/** Method of the throws clause, null for other choices. */
	private final @Nullable MethodNode method;

	/** The writer's names of the types: short names unless they are ambiguous. */
	private final List<String> names = new ArrayList<>();

	/** Indexes of {@link #types} by name. */
	private final Map<String, Integer> indexes = new HashMap<>();

	/** Types by index; null for a type that only the writer has. */
	private final List<@Nullable JsonType> types = new ArrayList<>();

	private JsonChoice(ToIntFunction<Object> chooser, BiFunction<Integer, Object, Object> carried,
			@Nullable MethodNode method, List<TypeRef> written) {
		this.chooser = chooser;
		this.carried = carried;
		this.method = method;
		Map<String, Long> simple = written.stream()
			.collect(Collectors.groupingBy(JsonChoice::simple, Collectors.counting()));
		for (TypeRef each : written) {
			String name = (Objects.requireNonNull(simple.get(simple(each))) == 1) ? simple(each) : each.toString();
			this.indexes.put(name, this.names.size());
			this.names.add(name);
		}
	}

	/** Creates a choice that is not linked yet. */
	static JsonChoice of(ChoiceNode node) {
		Map<Option, Integer> options = new IdentityHashMap<>();
		node.options().forEach((each) -> options.put(each, options.size()));
		return new JsonChoice((value) -> Objects.requireNonNull(options.get(node.choose(value))),
				(index, value) -> node.carried(node.options().get(index), value), null,
				node.options().stream().map((each) -> each.written().type()).toList());
	}

	void link(ChoiceNode node, Function<Node, JsonType> types) {
		node.options().forEach((each) -> add(each.type(), types));
	}

	private void add(@Nullable Node type, Function<Node, JsonType> types) {
		this.types.add((type != null) ? types.apply(type) : null);
	}

	/** Creates the choice of the exceptions of a throws clause. */
	static JsonChoice of(MethodNode method, Function<Node, JsonType> types) {
		JsonChoice choice = new JsonChoice((thrown) -> method.nearest((Throwable) thrown), (index, thrown) -> thrown,
				method, method.exceptions().stream().map((each) -> each.written().type()).toList());
		method.exceptions().forEach((each) -> choice.add(each.type(), types));
		return choice;
	}

	@Override
	public void write(JsonOutput out, Object value) {
		int index = this.chooser.applyAsInt(value);
		out.writeStartObject();
		out.writeName(TYPE);
		out.writeString(this.names.get(index));
		Objects.requireNonNull(this.types.get(index)).writeChosen(out, this.carried.apply(index, value));
		out.writeEndObject();
	}

	@Override
	public @Nullable Object read(JsonInput in) {
		in.require(JsonToken.START_OBJECT);
		in.nextProperty(TYPE);
		String name = in.string();
		Integer index = this.indexes.get(name);
		JsonType type = (index != null) ? this.types.get(index) : null;
		if (type != null) {
			return type.readChosen(in);
		}
		if (index != null && this.method != null) {
			return readUndeclared(in, this.method.exceptions().get(index).written());
		}
		throw new PathException("type '%s' (expected: one of the declared %s [%s])".formatted(name,
				(this.method != null) ? "exceptions" : "types", PathException.some(this.names.stream())));
	}

	private static String simple(TypeRef type) {
		String name = type.name();
		return name.substring(Math.max(name.lastIndexOf('.'), name.lastIndexOf('$')) + 1);
	}

	/** Reads an exception that only the writer declares: its name and its message. */
	private static UndeclaredException readUndeclared(JsonInput in, ContractType written) {
		String messageName = written.members().get(0).name();
		@Nullable String message = null;
		while (in.nextToken() == JsonToken.PROPERTY_NAME) {
			boolean isMessage = in.currentName().equals(messageName);
			if (in.nextToken() == JsonToken.VALUE_STRING && isMessage) {
				message = in.text();
			}
			in.skipChildren();
		}
		return new UndeclaredException(written.type().name(), message);
	}

}
