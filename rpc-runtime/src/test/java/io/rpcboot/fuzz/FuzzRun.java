package io.rpcboot.fuzz;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;
import java.util.stream.Stream;

/**
 * Runs the fuzzer on one target after the other, each in a process of its own. Arguments:
 * minutes in all or {@code keep}, the directory to work in, the directory of the kept
 * inputs, and names of targets with commas between them or {@code all}.
 */
public final class FuzzRun {

	private static final String DRIVER = "com.code_intelligence.jazzer.Jazzer";

	private static final int SECONDS = 60;

	private final Path work;

	private final Path kept;

	private final Map<String, Supplier<FuzzTarget>> targets = FuzzTargets.all();

	private FuzzRun(Path work, Path kept) {
		this.work = work.toAbsolutePath();
		this.kept = kept.toAbsolutePath();
	}

	/** Entry point; see the class. */
	public static void main(String[] args) throws Exception {
		FuzzRun run = new FuzzRun(Path.of(args[1]), Path.of(args[2]));
		if (!args[3].equals("all")) {
			run.targets.keySet().retainAll(List.of(args[3].split(",")));
		}
		if (args[0].equals("keep")) {
			run.keep();
			return;
		}
		run.fuzz(Double.parseDouble(args[0]) * SECONDS);
	}

	private void fuzz(double seconds) throws Exception {
		List<String> failed = new ArrayList<>();
		for (Map.Entry<String, Supplier<FuzzTarget>> each : this.targets.entrySet()) {
			Path seeds = this.work.resolve(each.getKey()).resolve("seeds");
			FuzzCorpus.unpack(FuzzCorpus.load(each.getKey()), seeds);
			FuzzCorpus.unpack(each.getValue().get().seeds(), seeds.resolve("valid"));
			int exit = fuzzer(each.getKey(), "-max_total_time=" + Math.round(seconds / this.targets.size()),
					"-print_final_stats=1", "-max_len=16384", "-timeout=60", "-rss_limit_mb=3000",
					corpus(each.getKey()).toString(), seeds.toString());
			if (exit != 0 || hasFindings(each.getKey())) {
				failed.add(each.getKey());
			}
		}
		if (!failed.isEmpty()) {
			throw new IllegalStateException(
					"fuzz: FOUND something in %s: see the crash-, timeout- and oom- files below %s".formatted(failed,
							this.work));
		}
		System.out.println("fuzz: nothing was found");
	}

	/** The fuzzer goes on after a finding, and ends with 0 then. */
	private boolean hasFindings(String target) throws IOException {
		try (Stream<Path> files = Files.list(this.work.resolve(target))) {
			return files.anyMatch((each) -> each.getFileName().toString().matches("(crash|timeout|oom)-.*"));
		}
	}

	private void keep() throws Exception {
		for (String each : this.targets.keySet()) {
			Path least = this.work.resolve(each).resolve("least");
			Files.createDirectories(least);
			Path seeds = this.work.resolve(each).resolve("seeds");
			int exit = fuzzer(each, "-merge=1", "-timeout=60", "-rss_limit_mb=3000", least.toString(),
					corpus(each).toString(), seeds.toString());
			if (exit != 0) {
				throw new IllegalStateException("the fuzzer ended with %d for %s".formatted(exit, each));
			}
			System.out.printf("fuzz: %d inputs are kept for %s%n",
					FuzzCorpus.pack(least, this.kept.resolve(each + ".txt")), each);
		}
	}

	private Path corpus(String target) throws IOException {
		return Files.createDirectories(this.work.resolve(target).resolve("corpus"));
	}

	private int fuzzer(String target, String... arguments) throws Exception {
		List<String> command = new ArrayList<>(List.of(
				Path.of(System.getProperty("java.home"), "bin", "java").toString(), "-Xmx1g", "-Dfuzz.target=" + target,
				"-cp", System.getProperty("java.class.path"), DRIVER, "--target_class=" + FuzzEntry.class.getName(),
				"--instrumentation_includes=io.rpcboot.**", "--custom_hook_includes=io.rpcboot.**", "--keep_going=20"));
		command.addAll(List.of(arguments));
		Path directory = Files.createDirectories(this.work.resolve(target));
		return new ProcessBuilder(command).directory(directory.toFile()).inheritIO().start().waitFor();
	}

}
