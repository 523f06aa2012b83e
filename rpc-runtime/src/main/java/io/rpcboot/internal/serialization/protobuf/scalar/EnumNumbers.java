package io.rpcboot.internal.serialization.protobuf.scalar;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

import io.protostuff.Tag;
import io.rpcboot.RpcConfigurationException;
import io.rpcboot.internal.serialization.protobuf.schema.LockLine;
import io.rpcboot.internal.serialization.types.graph.EnumNode;
import io.rpcboot.serialization.contract.ContractMember;
import org.jspecify.annotations.Nullable;

/**
 * Declared numbers of the constants of an enum: by {@code @Tag} on each of them, else
 * from 1 in the declared order.
 *
 * @param members constants in the declared order
 * @param isTagged true if the numbers come from {@code @Tag}
 */
public record EnumNumbers(List<ContractMember> members, boolean isTagged) {

	/**
	 * Returns the numbers of an enum.
	 * @throws RpcConfigurationException if some constants have {@code @Tag} and others
	 * have not, or a number is impossible or there twice
	 */
	public static EnumNumbers of(EnumNode node) {
		List<ContractMember> members = new ArrayList<>();
		Map<Integer, String> names = new HashMap<>();
		String first = "";
		boolean isTagged = false;
		for (EnumNode.Constant each : node.constants()) {
			ContractMember written = each.written();
			Tag tag = tag(node.javaType(), written.name());
			if (members.isEmpty()) {
				first = written.name();
				isTagged = tag != null;
			}
			else if (isTagged != (tag != null)) {
				throw refusal(node, "of its constants %s and %s one has @Tag and one has not (expected: all or none)"
					.formatted(first, written.name()), "Put @Tag on every constant, or on none.");
			}
			int number = (tag != null) ? tag.value() : written.number() + 1;
			if (!LockLine.isConstant(number)) {
				throw refusal(node, "%s has @Tag(%d) (expected: 0 to %d, and not 19000 to 19999)"
					.formatted(written.name(), number, LockLine.MAX_NUMBER), "Correct the number in @Tag.");
			}
			String other = names.put(number, written.name());
			if (other != null) {
				throw refusal(node, "%s and %s both have @Tag(%d) (expected: each number once)".formatted(other,
						written.name(), number), "Correct one of the numbers in @Tag.");
			}
			members.add(new ContractMember(number, written.name(), written.type(), written.aliases()));
		}
		return new EnumNumbers(members, isTagged);
	}

	private static @Nullable Tag tag(Class<?> type, String constant) {
		try {
			return type.getField(constant).getAnnotation(Tag.class);
		}
		catch (NoSuchFieldException ex) {
			throw new IllegalStateException("every constant is a field", ex);
		}
	}

	private static RpcConfigurationException refusal(EnumNode node, String problem, String action) {
		return new RpcConfigurationException("%s: %s".formatted(node.javaType().getName(), problem), action);
	}

}
