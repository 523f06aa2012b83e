package io.rpcboot.benchmarks.serialization;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

import io.rpcboot.benchmarks.Spread;

/**
 * What was measured: of each operation one figure a round.
 */
final class Figures {

	static final String SERIALIZE = "serialize";

	static final String DESERIALIZE = "deserialize";

	private final Map<Key, List<Figure>> figures = new HashMap<>();

	private final int rounds;

	Figures(int rounds) {
		this.rounds = rounds;
	}

	void add(Key key, Figure figure) {
		this.figures.computeIfAbsent(key, (missing) -> new ArrayList<>()).add(figure);
	}

	/** The least time of all rounds in nanoseconds, NaN if there is none. */
	double nanos(Row row, String operation) {
		return Spread.of(values(row, operation).stream().mapToDouble(Figure::nanos).toArray()).min();
	}

	/** Allocated bytes of one operation, NaN if there is none. */
	double allocated(Row row, String operation) {
		return Spread.of(values(row, operation).stream().mapToDouble(Figure::allocated).toArray()).median();
	}

	/**
	 * How long both operations take to how long they take another row, by rounds: what
	 * slows down a round slows down both.
	 */
	Spread ratio(Row row, Row other) {
		double[] own = sums(row);
		double[] divisors = sums(other);
		double[] ratios = new double[Math.min(own.length, divisors.length)];
		for (int i = 0; i < ratios.length; i++) {
			ratios[i] = own[i] / divisors[i];
		}
		return Spread.of(ratios);
	}

	private double[] sums(Row row) {
		List<Figure> serialize = values(row, SERIALIZE);
		List<Figure> deserialize = values(row, DESERIALIZE);
		if (serialize.size() < this.rounds || deserialize.size() < this.rounds) {
			return new double[0];
		}
		double[] sums = new double[this.rounds];
		for (int i = 0; i < sums.length; i++) {
			sums[i] = serialize.get(i).nanos() + deserialize.get(i).nanos();
		}
		return sums;
	}

	private List<Figure> values(Row row, String operation) {
		return this.figures.getOrDefault(new Key(row, operation), List.of());
	}

	/**
	 * A row of the table.
	 *
	 * @param setup where it was measured
	 * @param sample what was serialized
	 * @param serializer by whom
	 */
	record Row(Setup setup, Sample sample, Serializers serializer) {

		Row of(Serializers other) {
			return new Row(this.setup, this.sample, other);
		}

	}

	/**
	 * What a figure is of.
	 *
	 * @param row of the table
	 * @param operation its name
	 */
	record Key(Row row, String operation) {
	}

	/**
	 * One operation in one process.
	 *
	 * @param nanos of the fastest iteration
	 * @param allocated bytes
	 */
	record Figure(double nanos, double allocated) {
	}

}
