package io.rpcboot.internal.serialization.protobuf.generated;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.stream.Collectors;

/**
 * Sources of services and types whose names collide in protobuf, by a seed.
 */
final class RandomGraph {

	private static final List<String> PACKAGES = List.of("app", "app.message.option", "acme.google.api", "rpc.stream");

	private static final List<String> RECORDS = List.of("Order", "Payment", "Choice", "Any", "Empty", "Timestamp",
			"Services", "Find", "FindRequest", "OrderEntry", "Message", "Item", "Line", "PageOfOrder");

	private static final List<String> ENUMS = List.of("OrderStatus", "PaymentMethod", "OrderStatusNew", "Kind",
			"PaymentMethodCard");

	private static final List<String> CONSTANTS = List.of("STATUS_NEW", "NEW", "DONE", "METHOD_CARD", "CARD",
			"UNSPECIFIED", "NEW_1", "NEW1", "lightBlue", "LIGHT_BLUE", "NEW_NEW", "CARD_NEW", "größe");

	private static final List<String> FIELDS = List.of("choice", "order", "orderEntry", "message", "optional", "oneof",
			"repeated", "google", "fooBar", "foo_bar", "FooBar", "value", "items", "reserved", "map", "string", "app",
			"größe", "rpc", "key", "choice_1");

	private static final List<String> SCALARS = List.of("int", "long", "Integer", "boolean", "String", "byte[]", "char",
			"java.math.BigDecimal", "java.time.LocalDate", "java.time.Instant", "java.time.Duration", "java.util.UUID");

	private static final List<String> METHODS = List.of("find", "order", "stream", "rpc", "returns", "get", "pay",
			"item");

	private final Random random;

	final String packageName;

	private final Map<String, String> sources = new LinkedHashMap<>();

	private final List<String> services = new ArrayList<>();

	private final List<String> types = new ArrayList<>();

	private final List<String> records;

	private final List<String> enums;

	RandomGraph(long seed) {
		this.random = new Random(seed);
		this.packageName = pick(PACKAGES);
		this.records = some(RECORDS, 4 + this.random.nextInt(5));
		this.enums = some(ENUMS, 2 + this.random.nextInt(3));
		this.types.addAll(this.records);
		this.types.addAll(this.enums);
		this.types.add("Shape");
		this.enums.forEach((each) -> add(each, "public enum %s { %s }".formatted(each,
				String.join(", ", some(CONSTANTS, 1 + this.random.nextInt(6))))));
		add("Shape", "public sealed interface Shape permits %s { }"
			.formatted(String.join(", ", this.records.subList(0, 2))));
		add("Refused",
				"public class Refused extends Exception { private static final long serialVersionUID = 1L; public Refused(String message) { super(message); } }");
		String nested = pick(this.records);
		for (String each : this.records) {
			String body = "";
			if (each.equals(nested)) {
				body = "public interface Service { %s }".formatted(methods(2));
				this.services.add(each + "$Service");
			}
			add(each, "public record %s(%s)%s { %s }".formatted(each, values(FIELDS, 6),
					this.records.indexOf(each) < 2 ? " implements Shape" : "", body));
		}
		for (String each : List.of("Shop", "Archive")) {
			add(each, "public interface %s { %s }".formatted(each, methods(4)));
			this.services.add(each);
		}
	}

	private void add(String name, String source) {
		this.sources.put(name, "package " + this.packageName + ";\nimport java.util.*;\n" + source);
	}

	private String methods(int most) {
		return some(METHODS, 1 + this.random.nextInt(most)).stream().map((each) -> {
			if (this.random.nextInt(4) == 0) {
				return "@io.rpcboot.RpcMethod(bare = true) %s %s(%s value);".formatted(pick(this.records), each,
						pick(this.records));
			}
			return "%s %s(%s)%s;".formatted((this.random.nextInt(5) == 0) ? "void" : type(), each, values(FIELDS, 4),
					(this.random.nextInt(3) == 0) ? " throws Refused" : "");
		}).collect(Collectors.joining(" "));
	}

	private String values(List<String> names, int most) {
		return some(names, this.random.nextInt(most)).stream()
			.map((each) -> type() + " " + each)
			.collect(Collectors.joining(", "));
	}

	private String type() {
		return switch (this.random.nextInt(8)) {
			case 0, 1 -> pick(SCALARS);
			case 2 -> "List<%s>".formatted(pick(this.types));
			case 3 -> "Map<String, %s>".formatted(pick(this.types));
			case 4 -> "Map<%s, List<String>>".formatted(pick(this.enums));
			case 5 -> "Optional<%s>".formatted(pick(this.types));
			default -> pick(this.types);
		};
	}

	private <T> T pick(List<T> values) {
		return values.get(this.random.nextInt(values.size()));
	}

	private List<String> some(List<String> values, int count) {
		List<String> rest = new ArrayList<>(values);
		java.util.Collections.shuffle(rest, this.random);
		return rest.subList(0, Math.min(count, rest.size()));
	}

	/** Returns the sources by the simple names of their classes. */
	Map<String, String> sources() {
		return this.sources;
	}

	/** Returns the binary names of the interfaces of services. */
	List<String> services() {
		return this.services.stream().map((each) -> this.packageName + "." + each).toList();
	}

}
