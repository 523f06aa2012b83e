package io.rpcboot.serialization.contract;

import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.function.Supplier;

import io.rpcboot.RpcConfigurationException;
import io.rpcboot.serialization.contract.ContractType.Kind;

import org.jspecify.annotations.Nullable;

/**
 * Rules of a contract: its text can be parsed again, and no name or alias has two
 * meanings. The rules hold for the own contract at start-up and for a contract that
 * arrives.
 */
final class ContractRules {

	/** Maximum number of parameters, and of exceptions: the JVM's limit of parameters. */
	private static final int MAX_PARAMETERS = 255;

	private static final int MAX_ALIASES = 16;

	/** Maximum field number of the wire format. */
	private static final int MAX_NUMBER = (1 << 29) - 1;

	private static final String SPLIT = "Split the service into several.";

	private static final String CORRECT_ALIAS = "Correct the names in @RpcAlias: each can stand for one thing only.";

	private static final String RENAME = "Rename it: a name that Java does not allow may have no place in a contract.";

	private static final String EXPECTED_NAME = ": a name that cannot be sent (expected: at most %d characters, no blanks and none of ,<>()[])"
		.formatted(Names.MAX_LENGTH);

	private final Contract contract;

	/** Texts of types that were checked; most types occur several times. */
	private final Set<String> wellFormed = new HashSet<>();

	private ContractRules(Contract contract) {
		this.contract = contract;
	}

	static void check(Contract contract) {
		ContractRules rules = new ContractRules(contract);
		require(Names.isWord(contract.format()), () -> "format '%s' (expected: one word)".formatted(contract.format()),
				"Correct the format that the serializer gives.");
		rules.checkMethods();
		contract.types().forEach(rules::checkType);
		rules.checkClassNames();
		int length = contract.text().length();
		require(length <= Contract.MAX_LENGTH,
				() -> "the contract has %d characters (expected: at most %d)".formatted(length, Contract.MAX_LENGTH),
				SPLIT);
	}

	static void requireNew(ContractType type, @Nullable ContractType known) {
		require(known == null, () -> "type %s is defined twice".formatted(type.type()), "Define it once.");
	}

	private void checkMethods() {
		List<ContractMethod> methods = this.contract.methods();
		require(methods.size() <= Contract.MAX_METHODS, () -> "the service has %d methods (expected: at most %d)"
			.formatted(methods.size(), Contract.MAX_METHODS), SPLIT);
		Map<List<Object>, ContractMethod> names = new HashMap<>();
		for (int i = 0; i < methods.size(); i++) {
			ContractMethod method = methods.get(i);
			require(method.number() == i,
					() -> "method %s has another number than its place".formatted(method.signature()),
					"Number the methods in their order.");
			checkMethod(method);
			ContractMethod other = names.put(List.of(method.name(), method.parameters()), method);
			require(other == null, () -> "method %s is there twice".formatted(method.signature()),
					"Remove one of them.");
		}
		for (ContractMethod each : methods) {
			for (String alias : each.aliases()) {
				ContractMethod other = names.putIfAbsent(List.of(alias, each.parameters()), each);
				require(other == null, () -> "alias '%s' of method %s also means method %s".formatted(alias,
						each.signature(), Objects.requireNonNull(other).signature()), CORRECT_ALIAS);
			}
		}
	}

	private void checkMethod(ContractMethod method) {
		Supplier<String> name = () -> "method " + method.signature();
		require(Names.isName(method.name()), () -> name.get() + EXPECTED_NAME, RENAME);
		require(method.parameters().size() <= MAX_PARAMETERS && method.exceptions().size() <= MAX_PARAMETERS,
				() -> "%s: too many parameters or exceptions (expected: at most %d)".formatted(name.get(),
						MAX_PARAMETERS),
				"Put them into a class.");
		method.parameters().forEach(this::checkRef);
		checkRef(method.result());
		require(!method.oneWay() || (method.result().equals(TypeRef.VOID) && method.exceptions().isEmpty()),
				() -> name.get() + ": one-way with a result or exceptions", "Remove them.");
		for (TypeRef each : method.exceptions()) {
			ContractType definition = this.contract.type(each);
			require(definition != null && (definition.kind() == Kind.EXCEPTION || definition.kind().isMessage()),
					() -> "%s: exception %s is not defined".formatted(name.get(), each), "Define it.");
		}
		checkAliases(name, method.aliases());
	}

	/**
	 * Checks that no alias of a class is also the name or an alias of another class.
	 * Several types of one class, with other type arguments, share its aliases. Names are
	 * collected first, so the refusal is about an alias.
	 */
	private void checkClassNames() {
		Map<String, String> classes = new HashMap<>();
		this.contract.types().forEach((each) -> classes.put(each.type().name(), each.type().name()));
		for (ContractType type : this.contract.types()) {
			String name = type.type().name();
			for (String alias : type.aliases()) {
				String other = classes.putIfAbsent(alias, name);
				require(other == null || other.equals(name),
						() -> "alias '%s' of class %s is also the name or an alias of class %s".formatted(alias, name,
								other),
						CORRECT_ALIAS);
			}
		}
	}

	private void checkType(ContractType type) {
		checkRef(type.type());
		checkAliases(() -> "class " + type.type().name(), type.aliases());
		Set<String> names = new HashSet<>();
		int last = (type.kind() == Kind.ENUM || type.kind().isMessage()) ? -1 : 0;
		for (ContractMember each : type.members()) {
			checkMember(type, each, last);
			last = each.number();
			require(each.name().equals(ContractMember.NONE) || names.add(each.name()),
					() -> describe(type, each) + " is there twice", "Remove one of them.");
		}
		for (ContractMember each : type.members()) {
			for (String alias : each.aliases()) {
				require(names.add(alias), () -> "alias '%s' of %s is also the name or an alias of a member of the type"
					.formatted(alias, describe(type, each)), CORRECT_ALIAS);
			}
		}
	}

	/**
	 * Checks a member. Constants are numbered from 0 without gaps, those of protobuf by
	 * rising numbers from 0, all other members by rising numbers from 1.
	 */
	private void checkMember(ContractType type, ContractMember member, int last) {
		Supplier<String> name = () -> describe(type, member);
		boolean isConstant = type.kind() == Kind.ENUM;
		require(isConstant ? member.number() == last + 1 : member.number() > last && member.number() <= MAX_NUMBER,
				() -> "%s has number %d after %d".formatted(name.get(), member.number(), last),
				"Give rising numbers, and the constants of an enum all from 0.");
		boolean isCallback = type.kind() == Kind.CALLBACK;
		boolean isMessage = type.kind().isMessage();
		boolean isNamed = isConstant || isCallback || isMessage || type.kind().hasFields();
		require(Names.isWord(member.name()) && isNamed != member.name().equals(ContractMember.NONE),
				() -> name.get() + EXPECTED_NAME, RENAME);
		require(isMessage || isConstant == member.type().equals(TypeRef.VOID),
				() -> "%s has type %s".formatted(name.get(), member.type()), "Give the type of the field.");
		boolean isCall = member.type().name().equals(TypeRef.CALL) && !member.type().arguments().isEmpty();
		require(isCallback == isCall, () -> "%s has type %s".formatted(name.get(), member.type()),
				"Give the types of a method for the members of a callback alone.");
		checkRef(member.type());
		checkAliases(name, member.aliases());
	}

	private static String describe(ContractType type, ContractMember member) {
		return "%s %s of %s".formatted((type.kind() == Kind.ENUM) ? "constant" : "field", member.name(), type.type());
	}

	private static void checkAliases(Supplier<String> name, List<String> aliases) {
		require(aliases.size() <= MAX_ALIASES,
				() -> "%s has %d aliases (expected: at most %d)".formatted(name.get(), aliases.size(), MAX_ALIASES),
				"Remove those that no peer uses any more from @RpcAlias.");
		for (String each : aliases) {
			require(Names.isName(each), () -> "alias '%s' of %s%s".formatted(each, name.get(), EXPECTED_NAME),
					CORRECT_ALIAS);
		}
	}

	private void checkRef(TypeRef type) {
		String text = type.toString();
		require(this.wellFormed.contains(text) || type.isWellFormed(), () -> "type %s%s".formatted(type, EXPECTED_NAME),
				"Rename the class, or nest fewer type arguments.");
		this.wellFormed.add(text);
	}

	private static void require(boolean holds, Supplier<String> description, String action) {
		if (!holds) {
			throw new RpcConfigurationException(description.get(), action);
		}
	}

}
