package io.rpcboot.fuzz;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Base64;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;

/**
 * The inputs that the fuzzer found worth keeping, one text file a target, one Base64 line
 * an input.
 */
final class FuzzCorpus {

	/** In bytes, for each target. */
	private static final int MAX_SIZE = 256 * 1024;

	private static final int MAX_ENTRIES = 1500;

	private FuzzCorpus() {
	}

	/** The inputs that are kept for a target. */
	static List<byte[]> load(String target) {
		try (InputStream in = FuzzCorpus.class.getResourceAsStream("/fuzz/" + target + ".txt")) {
			if (in == null) {
				return List.of();
			}
			return new String(in.readAllBytes(), StandardCharsets.US_ASCII).lines()
				.map(Base64.getDecoder()::decode)
				.toList();
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

	/** Write inputs as the files that the fuzzer starts from. */
	static void unpack(List<byte[]> inputs, Path directory) throws IOException {
		Files.createDirectories(directory);
		for (int i = 0; i < inputs.size(); i++) {
			Files.write(directory.resolve("kept-%05d".formatted(i)), inputs.get(i));
		}
	}

	/** Keep the inputs of a directory, the shortest of them if they are too many. */
	static int pack(Path directory, Path file) throws IOException {
		List<byte[]> inputs = new ArrayList<>();
		try (Stream<Path> files = Files.list(directory)) {
			for (Path each : files.toList()) {
				inputs.add(Files.readAllBytes(each));
			}
		}
		List<String> lines = inputs.stream()
			.map(Base64.getEncoder()::encodeToString)
			.sorted(Comparator.comparingInt(String::length).thenComparing(Comparator.naturalOrder()))
			.limit(MAX_ENTRIES)
			.toList();
		StringBuilder kept = new StringBuilder();
		int count = 0;
		while (count < lines.size() && kept.length() + lines.get(count).length() < MAX_SIZE) {
			kept.append(lines.get(count)).append('\n');
			count++;
		}
		Files.createDirectories(file.getParent());
		Files.writeString(file, kept.toString());
		return count;
	}

}
