package io.rpcboot.benchmarks.serialization;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * One round on a JVM that denies access by Unsafe. A serializer that fails there has no
 * figure; protostuff is measured on the same JDK with Unsafe, for the ratios.
 */
final class DeniedRun {

	private final SerializationOptions options;

	private final Figures figures;

	private final Path log;

	DeniedRun(SerializationOptions options, Figures figures, Path log) {
		this.options = options;
		this.figures = figures;
		this.log = log;
	}

	void run(Setup setup) throws IOException, InterruptedException {
		for (String operation : List.of(Figures.SERIALIZE, Figures.DESERIALIZE)) {
			for (Sample sample : Sample.values()) {
				for (Serializers serializer : Serializers.values()) {
					run(new Figures.Row(setup, sample, serializer), operation);
				}
				run(new Figures.Row(setup.allowed(), sample, Serializers.PROTOSTUFF), operation);
			}
		}
	}

	private void run(Figures.Row row, String operation) throws IOException, InterruptedException {
		List<String> command = new ArrayList<>();
		command.add(row.setup().java().toString());
		command.addAll(row.setup().jvmArgs());
		command.addAll(List.of("-classpath", System.getProperty("java.class.path"), Loop.class.getName(),
				row.serializer().name(), row.sample().name(), operation, "" + this.options.warmup(),
				"" + SerializationOptions.WARMUP_MILLIS, "" + this.options.iterations(),
				"" + SerializationOptions.ITERATION_MILLIS));
		Process process = new ProcessBuilder(command).redirectError(ProcessBuilder.Redirect.appendTo(this.log.toFile()))
			.start();
		String line = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
		if (process.waitFor() == 0) {
			String[] parts = line.trim().split(" ");
			this.figures.add(new Figures.Key(row, operation),
					new Figures.Figure(Double.parseDouble(parts[0]), Double.parseDouble(parts[1])));
		}
	}

}
