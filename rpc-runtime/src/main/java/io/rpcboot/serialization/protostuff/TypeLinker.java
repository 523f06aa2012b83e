package io.rpcboot.serialization.protostuff;

import java.lang.reflect.AnnotatedElement;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicReferenceArray;

import io.rpcboot.RpcEnumDefault;
import io.rpcboot.serialization.UnsupportedTypeException;
import io.rpcboot.serialization.contract.Contract;
import io.rpcboot.serialization.contract.ContractException;
import io.rpcboot.serialization.contract.ContractMember;
import io.rpcboot.serialization.contract.ContractType;
import io.rpcboot.serialization.contract.ContractType.Kind;
import io.rpcboot.serialization.contract.MemberMatch;
import io.rpcboot.serialization.contract.SubtypeMatch;
import io.rpcboot.serialization.contract.TypeRef;

import org.jspecify.annotations.Nullable;

/**
 * Walks through the types of a service beside those of a writer with the same or another
 * contract, and lets a serializer with another layout build its own graph of types on the
 * way. Fields, constants and subtypes are matched by name and alias. For one thread at a
 * time.
 *
 * @param <T> what the serializer makes for each type
 */
public abstract class TypeLinker<T> {

	/** A writer's table may chain types without end; those of a service nest less. */
	private static final int MAX_DEPTH = 256;

	private final Map<List<TypeRef>, T> linked = new HashMap<>();

	private int depth;

	/** What was begun and not finished must not be used. */
	private @Nullable RuntimeException failure;

	private final ServiceTypes types;

	private final Contract writer;

	/**
	 * Create a linker.
	 * @param types the own types
	 * @param writer the contract of what is read; the own one for what is also written
	 */
	protected TypeLinker(ServiceTypes types, Contract writer) {
		this.types = types;
		this.writer = writer;
	}

	/**
	 * Link a type.
	 * @param own the own type
	 * @param written the writer's type in its place
	 * @param path for a refusal, with the method
	 * @return what the serializer makes of it
	 * @throws UnsupportedTypeException if the serializer does not carry it
	 * @throws ContractException if the writer's contract is not complete
	 */
	public final T link(TypeRef own, TypeRef written, String path) {
		if (this.failure != null) {
			throw this.failure;
		}
		T type = this.linked.get(List.of(own, written));
		if (type != null) {
			return type;
		}
		if (++this.depth > MAX_DEPTH) {
			throw fail(new ContractException("type", written.toString(),
					"types that nest at most %d deep".formatted(MAX_DEPTH)));
		}
		try {
			T created = create(own, written, path);
			T known = this.linked.putIfAbsent(List.of(own, written), created);
			return (known != null) ? known : created;
		}
		catch (RuntimeException ex) {
			throw fail(ex);
		}
		finally {
			this.depth--;
		}
	}

	private RuntimeException fail(RuntimeException cause) {
		this.failure = cause;
		return cause;
	}

	private T create(TypeRef own, TypeRef written, String path) {
		ContractType definition = this.types.contract().type(own);
		if (definition != null) {
			return define(definition, written, path);
		}
		T value = value(own, written);
		if (value != null) {
			return value;
		}
		if (own.name().equals(TypeRef.ARRAY)) {
			T component = argument(own, written, 0, path + "[]");
			return array(javaType(own.arguments().get(0), component), component);
		}
		ServiceCollection collection = this.types.collectionOf(own);
		if (collection != null) {
			return collection(collection, argument(own, written, 0, path + "[]"));
		}
		ServiceMap map = this.types.mapOf(own);
		if (map != null) {
			return map(map, argument(own, written, 0, path + "{key}"), argument(own, written, 1, path + "{}"));
		}
		return holder(own, written, path);
	}

	private T holder(TypeRef own, TypeRef written, String path) {
		for (ServiceHolder each : ServiceHolder.values()) {
			if (own.name().equals(each.javaType().getName())) {
				return holder(each, argument(own, written, 0, path + "?"));
			}
		}
		if (own.name().equals(AtomicReferenceArray.class.getName())) {
			return references(argument(own, written, 0, path + "?"));
		}
		throw new UnsupportedTypeException(
				"%s: %s cannot be carried: only the default serializer knows it".formatted(path, own),
				"Use another type, or the default serializer.");
	}

	private T argument(TypeRef own, TypeRef written, int index, String path) {
		if (index >= written.arguments().size()) {
			throw new ContractException("type", written.toString(), "a type that can be read as " + own);
		}
		return link(own.arguments().get(index), written.arguments().get(index), path);
	}

	private T define(ContractType own, TypeRef written, String path) {
		ContractType theirs = definition(written);
		if (theirs.kind() == Kind.BASE && own.kind() != Kind.BASE) {
			return choice(own, List.of(own.type()), theirs, path);
		}
		List<TypeRef> subtypes = own.members().stream().map(ContractMember::type).toList();
		if (own.kind() == Kind.BASE && theirs.kind() != Kind.BASE) {
			TypeRef alone = match(subtypes).find(written, theirs);
			if (alone == null) {
				throw new ContractException("type", written.toString(), "a type that can be read as " + own.type());
			}
			return link(alone, written, path);
		}
		return switch (own.kind()) {
			case BEAN, RECORD, EXCEPTION -> struct(own, theirs, path);
			case ENUM -> constants(own, theirs);
			case BASE, ANY -> choice(own, subtypes, theirs, path);
		};
	}

	private T struct(ContractType own, ContractType written, String path) {
		ServiceClass type = Objects.requireNonNull(this.types.classOf(own.type()));
		T struct = struct(type);
		this.linked.put(List.of(own.type(), written.type()), struct);
		MemberMatch match = MemberMatch.ofFields(written, own);
		List<Part<T>> parts = new ArrayList<>();
		for (ContractMember each : written.members()) {
			ContractMember found = match.reader(each);
			parts.add((found != null)
					? new Part<>(each, own.members().indexOf(found),
							link(found.type(), each.type(), path + "." + found.name()))
					: new Part<>(each, -1, unknown()));
		}
		linkFields(struct, parts);
		return struct;
	}

	private T constants(ContractType own, ContractType written) {
		Class<?> type = Objects.requireNonNull(this.types.javaTypeOf(own.type()));
		Enum<?>[] all = (Enum<?>[]) type.getEnumConstants();
		Enum<?> unknown = Arrays.stream(all)
			.filter((each) -> field(type, each).isAnnotationPresent(RpcEnumDefault.class))
			.findFirst()
			.orElse(null);
		MemberMatch match = MemberMatch.ofConstants(written, own);
		List<Constant> constants = new ArrayList<>();
		for (ContractMember each : written.members()) {
			ContractMember found = match.reader(each);
			constants.add(new Constant(each, (found != null) ? all[found.number()] : unknown));
		}
		return constants(type, constants);
	}

	private static AnnotatedElement field(Class<?> type, Enum<?> constant) {
		try {
			return type.getField(constant.name());
		}
		catch (NoSuchFieldException ex) {
			throw new IllegalStateException("every constant is a field", ex);
		}
	}

	private T choice(ContractType own, List<TypeRef> members, ContractType written, String path) {
		T choice = choice();
		this.linked.put(List.of(own.type(), written.type()), choice);
		List<Option<T>> options = new ArrayList<>();
		SubtypeMatch match = match(members);
		for (ContractMember each : written.members()) {
			TypeRef found = match.find(each.type(), this.writer.type(each.type()));
			if (found == null) {
				options.add(new Option<>(each, void.class, null));
				continue;
			}
			T type = link(found, each.type(), path);
			options.add(new Option<>(each, javaType(found, type), type));
		}
		linkOptions(choice, options);
		return choice;
	}

	private Class<?> javaType(TypeRef type, T linked) {
		Class<?> known = this.types.javaTypeOf(type);
		return (known != null) ? known : javaType(linked);
	}

	/**
	 * The writer's definition of a type.
	 * @param written a type of the writer's contract
	 * @return its definition
	 * @throws ContractException if there is none
	 */
	protected final ContractType definition(TypeRef written) {
		ContractType definition = this.writer.type(written);
		if (definition == null) {
			throw new ContractException("type", written.toString(), "a type that the contract defines");
		}
		return definition;
	}

	/**
	 * The own exception that is the same class as the writer's, by name before alias.
	 * @param own the own exceptions
	 * @param written an exception of the writer
	 * @return null if there is none
	 */
	public final @Nullable TypeRef sameException(List<TypeRef> own, TypeRef written) {
		ContractType definition = definition(written);
		return own.contains(written) ? written
				: own.stream().filter((each) -> isSame(each, definition)).findFirst().orElse(null);
	}

	private boolean isSame(TypeRef own, ContractType written) {
		ContractType definition = this.types.contract().type(own);
		return definition != null && definition.matches(written);
	}

	/** Finds what was found when the contracts were compared. */
	private SubtypeMatch match(List<TypeRef> own) {
		return new SubtypeMatch(own, this.types.contract()::type);
	}

	/**
	 * A primitive or a built-in value.
	 * @param own the own type
	 * @param written the writer's type, which may be another number
	 * @return null if it is none
	 */
	protected abstract @Nullable T value(TypeRef own, TypeRef written);

	/**
	 * An array.
	 * @param component its component type
	 * @param type of the components
	 * @return the array's type
	 */
	protected abstract T array(Class<?> component, T type);

	/**
	 * A collection.
	 * @param kind which
	 * @param element of the elements
	 * @return the collection's type
	 */
	protected abstract T collection(ServiceCollection kind, T element);

	/**
	 * A map.
	 * @param kind which
	 * @param key of the keys
	 * @param value of the values
	 * @return the map's type
	 */
	protected abstract T map(ServiceMap kind, T key, T value);

	/**
	 * A holder of one value.
	 * @param kind which
	 * @param held of what it holds
	 * @return the holder's type
	 */
	protected abstract T holder(ServiceHolder kind, T held);

	/**
	 * An {@link AtomicReferenceArray}.
	 * @param element of the elements
	 * @return the array's type
	 */
	protected abstract T references(T element);

	/**
	 * A class with fields, which are linked later.
	 * @param type the class
	 * @return its type
	 */
	protected abstract T struct(ServiceClass type);

	/**
	 * Link a class with fields.
	 * @param struct made by {@link #struct(ServiceClass)}
	 * @param parts the writer's fields, in its order, each with the index of the own one
	 */
	protected abstract void linkFields(T struct, List<Part<T>> parts);

	/**
	 * A field that only the writer has.
	 * @return what skips it
	 */
	protected abstract T unknown();

	/**
	 * An enum.
	 * @param type the enum
	 * @param constants the writer's constants, in its order
	 * @return the enum's type
	 */
	protected abstract T constants(Class<?> type, List<Constant> constants);

	/**
	 * One of several types, which are linked later.
	 * @return its type
	 */
	protected abstract T choice();

	/**
	 * Link one of several types.
	 * @param choice made by {@link #choice()}
	 * @param options the writer's types
	 */
	protected abstract void linkOptions(T choice, List<Option<T>> options);

	/**
	 * The class of a built-in value.
	 * @param type made by {@link #value}
	 * @return its class
	 */
	protected abstract Class<?> javaType(T type);

	/**
	 * A field that a writer has.
	 *
	 * @param <P> what is made of its type
	 * @param written the writer's field
	 * @param index of the own field, -1 if only the writer has it
	 * @param type what is made of its type
	 */
	public record Part<P>(ContractMember written, int index, P type) {
	}

	/**
	 * A constant that a writer has.
	 *
	 * @param written the writer's constant
	 * @param value the own one, null if only the writer has it and no other stands for it
	 */
	public record Constant(ContractMember written, @Nullable Enum<?> value) {
	}

	/**
	 * A type that a writer may write where several can stand.
	 *
	 * @param <P> what is made of it
	 * @param written the writer's entry
	 * @param javaType the own class, {@code void} if only the writer has it
	 * @param type null if only the writer has it
	 */
	public record Option<P>(ContractMember written, Class<?> javaType, @Nullable P type) {
	}

}
