package io.rpcboot.internal.serialization.protobuf;

import java.lang.reflect.AnnotatedElement;
import java.lang.reflect.Parameter;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.Deque;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.UnaryOperator;

import io.protostuff.Tag;
import io.rpcboot.internal.serialization.protobuf.schema.EnumDeclaration.Constant;
import io.rpcboot.internal.serialization.protobuf.schema.EnumDeclaration;
import io.rpcboot.internal.serialization.protobuf.schema.FieldDeclaration.Label;
import io.rpcboot.internal.serialization.protobuf.schema.FieldDeclaration;
import io.rpcboot.internal.serialization.protobuf.schema.MessageDeclaration;
import io.rpcboot.internal.serialization.protobuf.schema.ProtoFile;
import io.rpcboot.internal.serialization.protobuf.schema.ProtoNames;
import io.rpcboot.internal.serialization.protobuf.schema.ServiceDeclaration;
import io.rpcboot.internal.serialization.protobuf.schema.TypeName;
import io.rpcboot.internal.serialization.protobuf.schema.WellKnownFile;
import io.rpcboot.internal.serialization.types.graph.Aliases;
import io.rpcboot.serialization.contract.Contract;
import io.rpcboot.serialization.contract.ContractMember;
import io.rpcboot.serialization.contract.ContractMethod;
import io.rpcboot.serialization.contract.ContractType.Kind;
import io.rpcboot.serialization.contract.ContractType;
import io.rpcboot.serialization.contract.TypeRef;
import org.jspecify.annotations.Nullable;

/**
 * Contract of the services of a file: its messages and enums with their numbers, so that
 * two versions can be compared.
 *
 * <pre>
 * protobuf/1
 * method Quotes(demo.QuotesRequest) stream&lt;demo.QuotesResponse&gt;
 * message demo.Quote
 *   1 symbol string
 *   2 price string aka amount
 * tagged demo.QuotesRequest
 *   1 symbol string
 * message demo.QuotesResponse
 *   1 value demo.Quote
 * </pre>
 */
public final class ProtoContract {

	/** Name and version of the layout of bytes. */
	public static final String FORMAT = "protobuf/1";

	private final ProtoFile file;

	/** Full names of the messages that the file declares. */
	private final Set<String> declared = new HashSet<>();

	private final List<ContractType> types = new ArrayList<>();

	private ProtoContract(ProtoFile file) {
		this.file = file;
		file.messages().forEach((each) -> this.declared.add(file.full(each.name())));
	}

	/**
	 * Returns the contract of the services of a file.
	 * @throws io.rpcboot.RpcConfigurationException if it is too large
	 */
	public static Contract of(ProtoFile file) {
		return new ProtoContract(file).describe();
	}

	/**
	 * Returns the part of a contract with the methods that have streams, and the types
	 * that they reach.
	 */
	public static Contract streamsOf(Contract all) {
		List<ContractMethod> methods = new ArrayList<>();
		Map<String, ContractType> reached = new TreeMap<>();
		for (ContractMethod each : all.methods()) {
			List<TypeRef> types = new ArrayList<>(each.parameters());
			types.add(each.result());
			if (types.stream().anyMatch(TypeRef::isStream)) {
				methods.add(new ContractMethod(methods.size(), each.name(), each.parameters(), each.result(),
						each.oneWay(), each.exceptions(), each.aliases()));
				types.addAll(each.exceptions());
				reach(all, types, reached);
			}
		}
		return Contract.of(all.format(), methods, reached.values());
	}

	private static void reach(Contract all, List<TypeRef> types, Map<String, ContractType> reached) {
		Deque<TypeRef> left = new ArrayDeque<>(types);
		for (TypeRef next = left.poll(); next != null; next = left.poll()) {
			left.addAll(next.arguments());
			ContractType type = all.type(next);
			if (type != null && reached.put(type.type().toString(), type) == null) {
				type.members().forEach((each) -> left.add(each.type()));
			}
		}
	}

	private Contract describe() {
		List<ContractMethod> methods = new ArrayList<>();
		for (ServiceDeclaration service : this.file.services()) {
			for (ServiceDeclaration.Method each : service.methods()) {
				TypeRef request = type(each.request());
				TypeRef response = type(each.response());
				methods.add(new ContractMethod(methods.size(), each.name(),
						List.of(each.streams().ofRequests() ? TypeRef.streamOf(request) : request),
						each.streams().ofResponses() ? TypeRef.streamOf(response) : response, false,
						each.exceptions().stream().map(this::type).toList(), List.of()));
			}
		}
		for (MessageDeclaration each : this.file.messages()) {
			this.types.add(type(each.name(), each.fields().stream().map(this::member).toList(),
					each.fields().stream().map(FieldDeclaration::member).toList()));
		}
		for (EnumDeclaration each : this.file.enums()) {
			List<Constant> constants = each.constants()
				.stream()
				.filter((constant) -> constant.member() != null)
				.sorted(Comparator.comparing(Constant::number))
				.toList();
			this.types.add(type(each.name(), constants.stream().map(ProtoContract::member).toList(),
					constants.stream().map(Constant::member).toList()));
		}
		return Contract.of(FORMAT, methods, this.types);
	}

	/**
	 * Returns the definition of a type. Numbers of parameters are their places, so that a
	 * parameter may be renamed.
	 * @param declared members in Java, null for those without one
	 */
	private ContractType type(String name, List<ContractMember> members,
			List<? extends @Nullable AnnotatedElement> declared) {
		boolean isFixed = declared.stream()
			.filter(Objects::nonNull)
			.anyMatch((each) -> each instanceof Parameter || each.isAnnotationPresent(Tag.class));
		return new ContractType(isFixed ? Kind.TAGGED : Kind.MESSAGE, TypeRef.of(this.file.full(name)),
				withoutCollisions(members), List.of());
	}

	private ContractMember member(FieldDeclaration field) {
		TypeRef value = type(field.type());
		TypeRef type = (field.key() != null) ? TypeRef.of("map", type(field.key()), value)
				: (field.label() == Label.REPEATED) ? TypeRef.of("repeated", value) : value;
		return new ContractMember(field.number(), field.name(), type, aliases(field.member(), ProtoContract::simple));
	}

	/** Returns the name of a field that had a name in Java, or of a class. */
	private static String simple(String former) {
		return ProtoNames.snake(former.substring(Math.max(former.lastIndexOf('.'), former.lastIndexOf('$')) + 1));
	}

	private static ContractMember member(Constant constant) {
		String name = Objects.requireNonNull(constant.member()).getName();
		return new ContractMember(constant.number(), name, TypeRef.VOID,
				aliases(constant.member(), UnaryOperator.identity()));
	}

	private static List<String> aliases(@Nullable AnnotatedElement member, UnaryOperator<String> name) {
		return (member != null) ? Aliases.of(member).stream().map(name).toList() : List.of();
	}

	/** Returns the members without aliases that other members have as their name. */
	private static List<ContractMember> withoutCollisions(List<ContractMember> members) {
		Set<String> names = new HashSet<>();
		members.forEach((each) -> names.add(each.name()));
		return members.stream()
			.map((each) -> new ContractMember(each.number(), each.name(), each.type(),
					each.aliases().stream().filter(names::add).toList()))
			.toList();
	}

	private TypeRef type(TypeName type) {
		if (type.isEnum()) {
			return TypeRef.of("enum", TypeRef.of(type.name()));
		}
		boolean isKnown = !type.isDeclared() || this.declared.contains(type.name())
				|| type.name().startsWith(WellKnownFile.PACKAGE);
		return isKnown ? TypeRef.of(type.name()) : TypeRef.generatedOf(type.name());
	}

}
