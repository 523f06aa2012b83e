package io.rpcboot.benchmarks.serialization;

import java.io.PrintStream;
import java.util.Locale;

import io.rpcboot.benchmarks.Spread;

/**
 * The table: a block for each JVM and sample, a row for each serializer.
 */
final class SerializationReport {

	private static final double TARGET = 0.45;

	private static final double STRETCH = 1.5;

	private static final String HEAD = "%-11s %7s %11s %12s %9s   %-18s %17s   %s%n";

	private final SerializationOptions options;

	private final Figures figures;

	private final PrintStream out;

	SerializationReport(SerializationOptions options, Figures figures, PrintStream out) {
		this.options = options;
		this.figures = figures;
		this.out = out;
	}

	void print() throws Exception {
		for (Setup setup : this.options.setups()) {
			for (Sample sample : Sample.values()) {
				this.out.println();
				this.out.println(setup.label() + ", " + sample.label());
				this.out.printf(HEAD, "", "bytes", "serialize", "deserialize", "sum", "sum / protostuff", "allocated B",
						"target");
				for (Serializers serializer : Serializers.values()) {
					print(new Figures.Row(setup, sample, serializer));
				}
			}
		}
		this.out.println();
		this.out.printf("Nanoseconds: the fastest iteration of %d processes. Ratios: median [least-greatest] of the%n"
				+ "ratios within a round. Allocated: serialize + deserialize.%n", this.options.rounds());
		this.out.flush();
	}

	private void print(Figures.Row row) throws Exception {
		double serialize = this.figures.nanos(row, Figures.SERIALIZE);
		double deserialize = this.figures.nanos(row, Figures.DESERIALIZE);
		if (Double.isNaN(serialize + deserialize)) {
			this.out.printf("%-11s fails on this JVM%n", row.serializer().label());
			return;
		}
		int bytes = row.serializer().create(row.sample()).serialize(row.sample().value());
		this.out.printf(HEAD, row.serializer().label(), bytes, whole(serialize), whole(deserialize),
				whole(serialize + deserialize), ratio(this.figures.ratio(row, protostuff(row))),
				whole(this.figures.allocated(row, Figures.SERIALIZE)) + " + "
						+ whole(this.figures.allocated(row, Figures.DESERIALIZE)),
				target(row));
	}

	/** On a JVM on which it fails, its figures of the same JDK with Unsafe. */
	private Figures.Row protostuff(Figures.Row row) {
		Setup setup = row.setup();
		for (Setup each : this.options.setups()) {
			if (!each.denied() && each.java().equals(setup.java())) {
				setup = each;
			}
		}
		return new Figures.Row(setup, row.sample(), Serializers.PROTOSTUFF);
	}

	private String target(Figures.Row row) {
		Figures.Row ours = row.of(Serializers.OURS);
		return switch (row.serializer()) {
			case OURS -> "at most " + TARGET + met(this.figures.ratio(ours, protostuff(row)).median() <= TARGET);
			case PROTOBUF -> against(this.figures.ratio(ours, row), "below", 1);
			case FORY -> against(this.figures.ratio(ours, row), "stretch: at most", STRETCH);
			default -> "";
		};
	}

	private static String against(Spread ours, String expected, double limit) {
		return "ours / it " + ratio(ours) + ", " + expected + " " + limit + met(ours.median() <= limit);
	}

	private static String met(boolean met) {
		return met ? ": met" : ": missed";
	}

	private static String ratio(Spread spread) {
		if (Double.isNaN(spread.median())) {
			return "-";
		}
		return "%.2f [%.2f-%.2f]".formatted(spread.median(), spread.min(), spread.max());
	}

	private static String whole(double value) {
		return String.format(Locale.ROOT, "%.0f", value);
	}

}
