package io.rpcboot.serialization.protostuff;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Arrays;
import java.util.Collection;
import java.util.List;
import java.util.TreeSet;
import java.util.stream.Collectors;

import io.rpcboot.MethodDescriptor;
import io.rpcboot.serialization.ContractHash;
import io.rpcboot.serialization.protostuff.ProtostuffMethodCodec.Slot;

import org.jspecify.annotations.Nullable;

/**
 * A contract as text, the same on every JVM: the methods by number, then the types in
 * alphabetical order with their fields by number and their constants by ordinal. Equal
 * texts mean that each side reads what the other writes.
 */
final class ContractText {

	private static final String FORMAT = "protostuff 1\n";

	private final StringBuilder text = new StringBuilder(FORMAT);

	void method(MethodDescriptor method, Slot[] parameters, @Nullable Slot result, List<StructType> exceptions) {
		this.text.append("method ").append(method.number()).append(' ').append(method.name());
		this.text.append(Arrays.stream(parameters).map(Slot::contract).collect(Collectors.joining(", ", "(", ")")));
		this.text.append(" -> ").append((result == null) ? "void" : result.contract());
		if (method.style() == MethodDescriptor.Style.ONE_WAY) {
			this.text.append(" one-way");
		}
		if (!exceptions.isEmpty()) {
			this.text.append(
					exceptions.stream().map(StructType::contract).collect(Collectors.joining(", ", " throws ", "")));
		}
		this.text.append('\n');
	}

	void types(Collection<ValueType> types, Iterable<StructType> exceptions) {
		TreeSet<String> definitions = new TreeSet<>();
		for (ValueType each : types) {
			if (each instanceof StructType struct) {
				definitions.add(struct.definition());
			}
			else if (each instanceof EnumType constants) {
				definitions.add(constants.definition());
			}
		}
		exceptions.forEach((each) -> definitions.add(each.definition()));
		definitions.forEach((each) -> this.text.append(each).append('\n'));
	}

	/** The first half of SHA-256 over the text. */
	ContractHash hash() {
		try {
			byte[] digest = MessageDigest.getInstance("SHA-256")
				.digest(this.text.toString().getBytes(StandardCharsets.UTF_8));
			ByteBuffer words = ByteBuffer.wrap(digest);
			return new ContractHash(words.getLong(), words.getLong());
		}
		catch (NoSuchAlgorithmException ex) {
			throw new IllegalStateException("every JDK has SHA-256", ex);
		}
	}

	@Override
	public String toString() {
		return this.text.toString();
	}

}
