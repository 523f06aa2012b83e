package io.rpcboot.serialization.protostuff;

import java.util.List;

import io.rpcboot.serialization.contract.ContractType.Kind;
import io.rpcboot.serialization.contract.TypeRef;

import org.jspecify.annotations.Nullable;

/**
 * A declared type such as {@code Object} that does not say what arrives: any type of the
 * service's closed world that can be assigned to it. All such types of a service number
 * alike, and each lists what may stand there, so that a value of a wrong type is an error
 * before it is read.
 */
final class AnyType extends ChoiceType {

	private final Class<?> declared;

	private final boolean isKey;

	private AnyWorld world = AnyWorld.EMPTY;

	private @Nullable AnyType key;

	AnyType(Class<?> declared) {
		this(declared, false);
	}

	private AnyType(Class<?> declared, boolean isKey) {
		this.declared = declared;
		this.isKey = isKey;
	}

	/** The same as the key of a map, where only types of a fixed hash code may stand. */
	AnyType asKey() {
		if (this.key == null) {
			this.key = new AnyType(this.declared, true);
		}
		return this.key;
	}

	/** Whether a container can stand here. */
	boolean hasContainers() {
		return AnyWorld.hasContainers(this.declared);
	}

	private boolean accepts(Choice choice) {
		return this.declared.isAssignableFrom(choice.javaType()) && (!this.isKey || AnyWorld.isKey(choice));
	}

	void link(AnyWorld world) {
		this.world = world;
		link(world.choices().stream().filter(this::accepts).toList());
		if (this.key != null) {
			this.key.link(world);
		}
	}

	@Override
	Choice choose(Object value) {
		Choice choice = this.world.find(value);
		if (choice == null) {
			throw new PathException("%s where %s is declared (expected: %s)".formatted(value.getClass().getName(),
					this.declared.getName(), this.world.remedy(value.getClass())));
		}
		if (!accepts(choice)) {
			throw new PathException("%s %s %s is declared (expected: %s)".formatted(value.getClass().getName(),
					this.isKey ? "as a key where" : "where", this.declared.getName(), expected()));
		}
		return choice;
	}

	@Override
	String expected() {
		return this.isKey ? "a value type, an enum or a record" : "a type of the service that is a " + this;
	}

	@Override
	TypeRef ref() {
		return TypeRef.of(this.declared.getName());
	}

	@Override
	Kind kind() {
		return Kind.ANY;
	}

	@Override
	List<String> aliases() {
		return List.of();
	}

	@Override
	ChoiceType unlinked() {
		return new AnyType(this.declared, this.isKey);
	}

}
