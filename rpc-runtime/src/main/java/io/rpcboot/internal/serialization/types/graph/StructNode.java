package io.rpcboot.internal.serialization.types.graph;

import java.util.List;

import io.rpcboot.internal.serialization.types.kind.StructClass;
import io.rpcboot.internal.serialization.types.kind.StructField;
import io.rpcboot.serialization.contract.ContractMember;
import io.rpcboot.serialization.contract.ContractType;
import io.rpcboot.serialization.contract.TypeRef;
import org.jspecify.annotations.Nullable;

/** Bean, record or exception. */
public final class StructNode implements Node {

	private final StructClass type;

	private List<Part> parts = List.of();

	public StructNode(StructClass type) {
		this.type = type;
	}

	/** Links to the parts, whose types may lead back to this node. */
	public void link(List<Part> parts) {
		this.parts = List.copyOf(parts);
	}

	/**
	 * Returns the class with its fields and its constructor: the same for every writer.
	 */
	public StructClass type() {
		return this.type;
	}

	/** Returns the fields of the writer, by rising number. */
	public List<Part> parts() {
		return this.parts;
	}

	@Override
	public TypeRef ref() {
		return this.type.ref();
	}

	@Override
	public Class<?> javaType() {
		return this.type.javaType();
	}

	@Override
	public ContractType definition() {
		return new ContractType(this.type.kind(), ref(), this.type.fields().stream().map(StructField::member).toList(),
				Aliases.of(javaType()));
	}

	/**
	 * Field of the writer.
	 *
	 * @param written field in the contract
	 * @param field own field; null if only the writer has the field
	 * @param type type of the value
	 */
	public record Part(ContractMember written, @Nullable StructField field, Node type) {

		public Part {
			type = (field != null && field.isFilled()) ? type.copied() : type;
		}

	}

}
