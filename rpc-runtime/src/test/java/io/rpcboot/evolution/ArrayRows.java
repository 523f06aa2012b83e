package io.rpcboot.evolution;

import java.util.List;

import static io.rpcboot.evolution.EvolutionRow.ERROR;
import static io.rpcboot.evolution.EvolutionRow.change;
import static io.rpcboot.evolution.EvolutionRow.refused;

/**
 * Arrays, and the kinds of collection that are less common.
 */
final class ArrayRows {

	private ArrayRows() {
	}

	static List<EvolutionRow> rows() {
		return List.of(change("elements of arrays widened",
				"class User { int[] a = { 1, -2 }; short[][] b = { { 3 }, null, { } }; char[] d = { 'x' }; long[] e = null; byte[] f = { 1 }; }",
				"class User { long[] a = { 5 }; int[][] b = { { 6, 7 } }; char[] d = { 'y', 'z' }; int[] e = { 9 }; byte[] f = { }; }",
				"User{a=long[1L, -2L], b=int[][int[3], null, int[]], d=char['x'], e=null, f=byte[1b]}",
				"User{a=int[5], b=short[][short[6s, 7s]], d=char['y', 'z'], e=long[9L], f=byte[]}"),
				change("element of an array that does not fit", "class User { int[] a = { 1 }; }",
						"class User { long[] a = { 1, 1L << 33 }; }", "User{a=long[1L]}",
						ERROR + ".a[1]: number 8589934592"),
				change("array of primitives becomes an array of boxes", "class User { int[] a = { 1, 2 }; }",
						"class User { Integer[] a = { 3 }; }", "User{a=Integer[1, 2]}", "User{a=int[3]}"),
				change("null in an array that becomes one of primitives", "class User { int[] a = { 1 }; }",
						"class User { Integer[] a = { 3, null }; }", "User{a=Integer[1]}",
						ERROR + ".a[1]: null (expected: int)"),
				change("null in an array of another number", "class User { int[][] a = { { 1 } }; }",
						"class User { Long[][] a = { { null } }; }", "User{a=Long[][Long[1L]]}",
						ERROR + ".a[0][0]: null (expected: int)"),
				change("array of a changed class", """
						record Part(int x) { }
						class User { Part[] parts = { new Part(1), null }; Part[][] more = { { new Part(2) } }; }
						""", """
						record Part(String y, long x) { }
						class User { Part[][] more = { }; Part[] parts = { new Part("y", 3) }; }
						""", "User{more=Part[][Part[Part{y=null, x=2L}]], parts=Part[Part{y=null, x=1L}, null]}",
						"User{parts=Part[Part{x=3}], more=Part[][]}"),
				change("removed arrays and values",
						"class User { int id = 1; int[] a = { 1 }; String[][] b = { { \"x\" }, { null } }; byte[] c = { 4 }; Object d = List.of(1); BitSet e = new BitSet(); UUID f = new UUID(1, 2); SortedSet<Integer> g = new TreeSet<>(Comparator.reverseOrder()); int z = 2; }",
						"class User { int z = 3; int id = 4; }", "User{z=2, id=1}",
						"User{id=4, a=int[1], b=String[][String['x'], String[null]], c=byte[4b], d=List12[1], e={}, f=00000000-0000-0001-0000-000000000002, g=TreeSet[], z=3}"),
				refused("array becomes a list", "class User { int[] a; }", "class User { List<Integer> a; }",
						"field a of evolution.Api$User: int[] at the client, java.util.List<java.lang.Integer> at the server",
						"field a of evolution.Api$User: java.util.List<java.lang.Integer> at the client, int[] at the server"),
				refused("bytes become another array", "class User { byte[] a; }", "class User { short[] a; }",
						"field a of evolution.Api$User: byte[] at the client, short[] at the server",
						"field a of evolution.Api$User: short[] at the client, byte[] at the server"),
				change("reversed order read by other kinds",
						"""
								class User { TreeSet<Integer> a = new TreeSet<>(Comparator.reverseOrder()); TreeMap<Integer, Integer> b = new TreeMap<>(Comparator.reverseOrder());
									User() { a.add(1); a.add(2); b.put(1, 1); b.put(2, 2); } }
								""",
						"""
								class User { List<Long> a = new ArrayList<>(List.of(3L)); Map<Long, Long> b = new LinkedHashMap<>(Map.of(4L, 4L)); }
								""",
						"User{a=[2L, 1L], b={2L=2L, 1L=1L}}", "User{a=TreeSet[3], b=TreeMap{4=4}}"),
				change("queues, deques and copies on write",
						"""
								class User { ArrayDeque<Integer> a = new ArrayDeque<>(List.of(2, 1)); Queue<Integer> b = new LinkedList<>(List.of(3));
									EnumSet<E> c = EnumSet.of(E.A); EnumMap<E, Integer> d = new EnumMap<>(Map.of(E.B, 1)); } enum E { A, B }
								""",
						"""
								class User { java.util.concurrent.CopyOnWriteArrayList<Integer> a = new java.util.concurrent.CopyOnWriteArrayList<>(List.of(5)); List<Integer> b = new ArrayList<>(List.of(6));
									Set<E> c = new LinkedHashSet<>(List.of(E.B)); Map<E, Integer> d = new LinkedHashMap<>(Map.of(E.A, 2)); } enum E { B, A }
								""",
						"User{a=CopyOnWriteArrayList[2, 1], b=[3], c=LinkedHashSet[A], d={B=1}}",
						"User{a=ArrayDeque[5], b=LinkedList[6], c=RegularEnumSet[B], d=EnumMap{A=2}}"));
	}

}
