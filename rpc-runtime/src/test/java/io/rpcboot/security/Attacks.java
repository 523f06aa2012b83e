package io.rpcboot.security;

import java.util.ArrayList;
import java.util.List;

/** Bytes that want something else than to be read. */
final class Attacks {

	private static final String GADGET = "io.rpcboot.security.Gadget";

	private final List<Attack> all = new ArrayList<>();

	private Attacks() {
	}

	/**
	 * One of them.
	 *
	 * @param name what it tries
	 * @param method of the kitchen sink, whose result it pretends to be
	 * @param bytes the result
	 */
	record Attack(String name, String method, byte[] bytes) {

		@Override
		public String toString() {
			return this.name + " as " + this.method;
		}

	}

	static List<Attack> all() {
		Attacks attacks = new Attacks();
		attacks.namesOfClasses();
		attacks.lengths();
		attacks.nesting();
		attacks.numbers();
		attacks.structure();
		attacks.containers();
		attacks.values();
		return attacks.all;
	}

	private void add(String name, String method, Wire bytes) {
		this.all.add(new Attack(name, method, bytes.toByteArray()));
	}

	/** What protostuff-runtime writes for a field that can hold any class. */
	private void namesOfClasses() {
		int[] ids = { 127, 30, 25, 26, 24, 23, 22, 21, 20, 19, 18, 15, 14, 12 };
		for (String method : List.of("node", "containers", "generic", "text", "nested")) {
			for (int id : ids) {
				add("class by the name in field " + id, method, new Wire().group(1, new Wire().text(id, GADGET)));
				add("class by the name in field %d, first".formatted(id), method, new Wire().text(id, GADGET));
			}
		}
		add("enum by name", "containers", new Wire().group(1, new Wire().text(24, GADGET + "$Choice").number(1, 0)));
		add("map key by name", "containers",
				new Wire().group(1, new Wire().group(9, new Wire().group(1, new Wire().text(127, GADGET)))));
		add("name where a text belongs", "text", new Wire().text(1, GADGET).text(127, GADGET));
		add("array of a class by name", "node",
				new Wire().group(1, new Wire().text(15, GADGET).number(3, 1).number(2, 1)));
	}

	private void lengths() {
		long[] lengths = { 1, 5, Integer.MAX_VALUE, Integer.MAX_VALUE - 8, 0x7ffffffdL, 0x80000000L, 0xffffffffL,
				0xfffffffffL, -1, Long.MIN_VALUE };
		for (long length : lengths) {
			add("text of length " + length, "text", new Wire().length(1, length));
			add("array of length " + length, "bytes", new Wire().length(1, length));
			add("number of length " + length, "numbers",
					new Wire().start(1).group(1, new Wire().number(1, 0).length(2, length)).length(2, length));
			add("date of length " + length, "times", new Wire().start(1).length(3, length).raw(0, 0));
			add("array by count " + length, "containers", new Wire().start(1).number(3, length));
			add("array by dimensions " + length, "node", new Wire().start(1).text(15, "int").number(2, length));
		}
		add("length without bytes", "text", new Wire().tag(1, Wire.BYTES));
		add("length that ends in the middle of a varint", "text", new Wire().tag(1, Wire.BYTES).raw(0x80));
	}

	private void nesting() {
		for (int depth : new int[] { 65, 66, 1000, 200_000 }) {
			add(depth + " known groups", "node", new Wire().start(1).repeat(depth, new Wire().start(3)));
			add(depth + " unknown groups", "node", new Wire().start(1).repeat(depth, new Wire().start(99)));
			add(depth + " lists", "nested", new Wire().repeat(depth, new Wire().start(1)));
			add(depth + " ends", "node", new Wire().start(1).repeat(depth, new Wire().end(1)));
		}
		Wire maps = new Wire().start(1);
		for (int i = 0; i < 1000; i++) {
			maps.start(4).start(1).text(1, "k").start(2);
		}
		add("maps in maps", "node", maps);
	}

	private void numbers() {
		add("varint of 11 bytes", "scalars",
				new Wire().tag(1, Wire.VARINT).raw(-1, -1, -1, -1, -1, -1, -1, -1, -1, -1, 1));
		add("varint of 10 bytes and 65 bits", "scalars",
				new Wire().tag(1, Wire.VARINT).raw(-1, -1, -1, -1, -1, -1, -1, -1, -1, 2));
		add("varint without an end", "scalars", new Wire().tag(1, Wire.VARINT).repeat(100_000, new Wire().raw(0x80)));
		add("tag without an end", "scalars", new Wire().repeat(100_000, new Wire().raw(0xff)));
		add("number beyond int", "scalars", new Wire().number(1, 1L << 40));
		add("field number 0", "scalars", new Wire().number(0, 1));
		add("field number 2^29 - 1", "scalars", new Wire().number((1 << 29) - 1, 1));
		add("tag of 64 bits", "scalars", new Wire().varint(-1L));
		add("boolean 2", "numbers", new Wire().start(1).number(9, 2).end(1));
		add("byte 128", "numbers", new Wire().start(1).number(6, 128).end(1));
		add("short -32769", "numbers", new Wire().start(1).number(7, -32769).end(1));
		add("char 65536", "numbers", new Wire().start(1).number(8, 65536).end(1));
		add("enum 3", "containers", new Wire().start(1).start(10).start(1).start(1).end(1).number(2, 3));
		add("enum -1", "containers", new Wire().start(1).start(10).start(1).start(1).end(1).number(2, -1));
		add("month 13", "times", new Wire().start(1).number(13, 12).end(1));
	}

	private void structure() {
		for (int wireType = 0; wireType < 8; wireType++) {
			add("wire type " + wireType, "text", new Wire().tag(1, wireType).raw(0, 0, 0, 0, 0, 0, 0, 0, 0));
			add("wire type " + wireType, "node", new Wire().tag(1, wireType).raw(0, 0, 0, 0, 0, 0, 0, 0, 0));
			add("wire type %d inside".formatted(wireType), "numbers",
					new Wire().start(1).tag(3, wireType).raw(0, 0, 0, 0, 0, 0, 0, 0, 0).end(1));
		}
		add("field twice", "node", new Wire().start(1).text(1, "a").text(1, "b").end(1));
		add("fields in another order", "generic", new Wire().start(1).number(2, 1).group(1, new Wire()).end(1));
		add("result twice", "text", new Wire().text(1, "a").text(1, "b"));
		add("bytes behind the result", "text", new Wire().text(1, "a").raw(0));
		add("end of another group", "node", new Wire().start(1).end(2));
		add("end without a start", "node", new Wire().end(1));
		add("group without an end", "node", new Wire().start(1).text(1, "a"));
		add("end that the neighbour has", "node", new Wire().start(1).text(1, "a").raw(0x80));
	}

	private void containers() {
		add("marker 2", "containers", new Wire().start(1).tag(2, Wire.REFERENCE).varint(2).end(1));
		add("marker -1", "containers", new Wire().start(1).tag(2, Wire.REFERENCE).varint(-1).end(1));
		add("empty marker behind an element", "containers",
				new Wire().start(1).text(2, "a").tag(2, Wire.REFERENCE).varint(0).end(1));
		add("marker for a text", "text", new Wire().tag(1, Wire.REFERENCE).varint(1));
		add("marker for a bean", "node", new Wire().tag(1, Wire.REFERENCE).varint(1));
		add("null in a sorted set", "containers", new Wire().start(1).tag(7, Wire.REFERENCE).varint(1).end(1));
		add("null key in a sorted map", "containers", new Wire().start(1).group(11, new Wire().start(1).end(1)).end(1));
		add("key twice", "containers",
				new Wire().start(1)
					.group(9,
							new Wire().group(1, new Wire().text(1, "k").number(2, 1))
								.group(1, new Wire().text(1, "k").number(2, 2)))
					.end(1));
		add("no key twice", "containers",
				new Wire().start(1).group(9, new Wire().start(1).end(1).start(1).end(1)).end(1));
		add("value before key", "containers",
				new Wire().start(1).group(9, new Wire().group(1, new Wire().number(2, 1).text(1, "k"))).end(1));
		add("entry with a third part", "containers",
				new Wire().start(1).group(9, new Wire().group(1, new Wire().text(1, "k").number(3, 1))).end(1));
		add("optional with two values", "later",
				new Wire().group(1, new Wire().group(1, new Wire()).group(1, new Wire())));
	}

	private void values() {
		String[] malformed = { "c0 80", "c1 bf", "e0 80 80", "ed", "f0 80 80 80", "f4 90 80 80", "f8 88 80 80 80", "80",
				"bf", "c3", "e4 b8", "f0 9f 98", "ff", "fe", "61 c3 28", "e2 28 a1" };
		for (String each : malformed) {
			byte[] bytes = java.util.HexFormat.ofDelimiter(" ").parseHex(each);
			add("text of bytes " + each, "text", new Wire().bytes(1, bytes));
		}
		add("time of 25 hours", "times", new Wire().start(1).number(2, 25L << 14).end(1));
		add("year beyond all", "times", new Wire().start(1).number(1, Long.MAX_VALUE).end(1));
		add("month 0", "times", new Wire().start(1).number(1, 2).end(1));
		add("30 February", "times", new Wire().start(1).number(12, 2 << 5 | 30).end(1));
		add("instant beyond all", "times",
				new Wire().start(1).bytes(4, new Wire().varint(-2).varint(0).toByteArray()).end(1));
		add("pair of one", "times", new Wire().start(1).bytes(4, (byte) 1).end(1));
		add("pair of three", "times", new Wire().start(1).bytes(4, (byte) 1, (byte) 1, (byte) 1).end(1));
		add("offset of 19 hours", "times", new Wire().start(1).number(16, 19 * 3600 * 2).end(1));
		for (String zone : new String[] { "", "A/B", "../../etc/passwd", "UTC+99", "\u0000", "a".repeat(100_000),
				"Europe/Berlin\u0000", "GMT+" + "1".repeat(1000) }) {
			add("zone of %d characters".formatted(zone.length()), "times", new Wire().start(1).text(15, zone).end(1));
		}
		add("integer of no bytes", "numbers", new Wire().start(1).bytes(2).end(1));
		add("decimal without digits", "numbers", new Wire().start(1).start(1).number(1, 0).end(1));
		add("decimal of scale beyond int", "numbers",
				new Wire().start(1).group(1, new Wire().number(1, 1L << 33).bytes(2, (byte) 1)).end(1));
		add("uuid of 15 bytes", "numbers", new Wire().start(1).bytes(3, new byte[15]).end(1));
		add("uuid of 17 bytes", "numbers", new Wire().start(1).bytes(3, new byte[17]).end(1));
		add("value that its class refuses", "generic", new Wire().start(1).number(2, -1).end(1));
	}

}
