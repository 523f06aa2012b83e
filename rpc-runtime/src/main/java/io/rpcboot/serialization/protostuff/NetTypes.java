package io.rpcboot.serialization.protostuff;

import java.net.Inet4Address;
import java.net.Inet6Address;
import java.net.InetAddress;
import java.util.List;

import io.protostuff.WireFormat;
import io.protostuff.WireFormat.FieldType;

import io.rpcboot.serialization.types.Addresses;

/**
 * Addresses of hosts: a group of the bytes (1) and, if it was made with one, the name
 * (2).
 */
final class NetTypes {

	private static final int ADDRESS = 1;

	private static final int NAME = 2;

	private static final int NAME_TAG = WireFormat.makeTag(NAME, WireFormat.WIRETYPE_LENGTH_DELIMITED);

	private NetTypes() {
	}

	static List<BuiltInType<?>> all() {
		return List.of(address(InetAddress.class), address(Inet4Address.class), address(Inet6Address.class));
	}

	private static <A extends InetAddress> BuiltInType<A> address(Class<A> type) {
		return new BuiltInType<>(type, FieldType.MESSAGE, NetTypes::write, (in) -> read(type, in));
	}

	private static void write(ProtostuffOutput out, int number, InetAddress value) {
		Groups.start(out, number);
		out.writeByteArray(ADDRESS, value.getAddress());
		String name = Addresses.name(value);
		if (!name.isEmpty()) {
			Text.write(out, NAME, name);
		}
		Groups.end(out, number);
	}

	private static <A extends InetAddress> A read(Class<A> type, ProtostuffInput in) {
		int end = Groups.enter(in);
		Groups.requireTag(in, ADDRESS, FieldType.BYTES);
		byte[] bytes = in.readByteArray();
		String name = Text.take(in, NAME_TAG);
		Groups.leave(in, end);
		return Addresses.of(type, name, bytes);
	}

}
