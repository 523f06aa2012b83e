package io.rpcboot.internal.serialization.protobuf.schema;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.URL;
import java.nio.charset.StandardCharsets;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import io.rpcboot.RpcConfigurationException;
import org.jspecify.annotations.Nullable;

/**
 * Numbers that are fixed for ever, by type: the content of the files {@value #RESOURCE}.
 * For a type that it has, only it decides. Empty lines and lines that begin with
 * {@code #} are skipped. Immutable.
 */
public final class NumberLock {

	/** Place of the file in a module with contracts. */
	public static final String RESOURCE = "META-INF/rpc/protobuf.lock";

	/** Lock without a type. */
	public static final NumberLock NONE = new NumberLock(Map.of());

	private static final String HEAD = "# Numbers of protobuf, one line for each message and enum. Written by a tool, kept in version control.\n";

	private final Map<String, LockLine> lines;

	NumberLock(Map<String, LockLine> lines) {
		this.lines = lines;
	}

	/** Reads the files of all modules. */
	public static NumberLock load(ClassLoader loader) {
		return load(loader, (file) -> true);
	}

	/** Reads the files of some modules. */
	public static NumberLock load(ClassLoader loader, Predicate<URL> modules) {
		Map<String, LockLine> lines = new TreeMap<>();
		try {
			for (URL each : Collections.list(loader.getResources(RESOURCE))) {
				if (!modules.test(each)) {
					continue;
				}
				try (InputStream in = each.openStream()) {
					add(lines, each.toString(), new String(in.readAllBytes(), StandardCharsets.UTF_8));
				}
			}
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
		return new NumberLock(lines);
	}

	/**
	 * Parses a file.
	 * @param source name of the file, for messages
	 */
	public static NumberLock parse(String source, String text) {
		Map<String, LockLine> lines = new TreeMap<>();
		add(lines, source, text);
		return new NumberLock(lines);
	}

	private static void add(Map<String, LockLine> lines, String source, String text) {
		List<String> all = text.lines().toList();
		for (int i = 0; i < all.size(); i++) {
			if (all.get(i).isBlank() || all.get(i).startsWith("#")) {
				continue;
			}
			String place = "%s, line %d".formatted(source, i + 1);
			LockLine line = LockLine.parse(place, all.get(i));
			LockLine known = lines.put(line.type(), line);
			if (known != null && !known.equals(line)) {
				throw new RpcConfigurationException(
						"%s: '%s', and '%s' before (expected: the same for a type)".formatted(place, line, known),
						"Keep the line of a class in the module of the class.");
			}
		}
	}

	/** Returns a lock with more lines, which replace those of the same types. */
	public NumberLock with(NumberLock more) {
		Map<String, LockLine> all = new TreeMap<>(this.lines);
		all.putAll(more.lines);
		return new NumberLock(all);
	}

	/** Returns a lock without the lines that another one has, too. */
	public NumberLock without(NumberLock other) {
		Map<String, LockLine> rest = new TreeMap<>(this.lines);
		rest.entrySet().removeAll(other.lines.entrySet());
		return new NumberLock(rest);
	}

	/** Returns the lines in which this lock differs from an earlier one. */
	public List<String> changes(NumberLock earlier) {
		return without(earlier).lines.values().stream().map((each) -> {
			LockLine replaced = earlier.lines.get(each.type());
			return (replaced != null) ? "replace '%s' by '%s'".formatted(replaced, each) : "add '%s'".formatted(each);
		}).toList();
	}

	/** Returns true if the lock has no type at all. */
	public boolean isEmpty() {
		return this.lines.isEmpty();
	}

	/**
	 * Finds the numbers of a type.
	 * @param aliases former names of the type
	 */
	@Nullable LockLine find(String type, List<String> aliases) {
		return Stream.concat(Stream.of(type), aliases.stream())
			.filter(this.lines::containsKey)
			.findFirst()
			.map(this.lines::get)
			.orElse(null);
	}

	/** Returns the text of a file with all types. */
	public String text() {
		return this.lines.values().stream().map((each) -> each + "\n").collect(Collectors.joining("", HEAD, ""));
	}

}
