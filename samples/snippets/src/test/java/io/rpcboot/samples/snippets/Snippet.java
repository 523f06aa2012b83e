package io.rpcboot.samples.snippets;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * A fenced block, or a command in the text, of a page.
 *
 * @param page path below the root of the project
 * @param language word after the fence, empty for none
 */
record Snippet(Path page, int line, String language, String text) {

	/** Folder of the project, two above this module. */
	static final Path ROOT = Path.of("..", "..").toAbsolutePath().normalize();

	private static final Pattern BLOCK = Pattern.compile("^ *```(.*)\n((?s:.*?))^ *```$", Pattern.MULTILINE);

	private static final Pattern COMMAND = Pattern.compile("`((?:mvn|python3) [^`]+)`");

	/** Folders with output of the build, and hidden ones. */
	private static final Pattern IGNORED = Pattern.compile("target|\\..+");

	/** Returns those of README, docs and all other pages. */
	static List<Snippet> all() {
		List<Snippet> all = new ArrayList<>();
		for (Path page : files(ROOT, ".md")) {
			String text = read(page);
			collect(page, text, BLOCK, all);
			collect(page,
					BLOCK.matcher(text).replaceAll((block) -> "\n".repeat((int) block.group().lines().count() - 1)),
					COMMAND, all);
		}
		return all;
	}

	private static void collect(Path page, String text, Pattern pattern, List<Snippet> to) {
		Matcher matcher = pattern.matcher(text);
		while (matcher.find()) {
			int line = (int) text.substring(0, matcher.start()).lines().count() + 1;
			boolean command = pattern == COMMAND;
			to.add(new Snippet(ROOT.relativize(page), line, command ? "sh" : matcher.group(1),
					matcher.group(command ? 1 : 2)));
		}
	}

	static List<Snippet> of(String language) {
		return all().stream().filter((each) -> each.language.equals(language)).toList();
	}

	static List<Path> files(Path folder, String suffix) {
		try (Stream<Path> below = Files.list(folder)) {
			List<Path> files = new ArrayList<>();
			for (Path each : below.sorted().toList()) {
				if (Files.isDirectory(each) && !IGNORED.matcher(each.getFileName().toString()).matches()) {
					files.addAll(files(each, suffix));
				}
				else if (each.toString().endsWith(suffix)) {
					files.add(each);
				}
			}
			return files;
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

	static String read(Path file) {
		try {
			return Files.readString(file);
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

	/** Returns the text without indentation and empty lines. */
	static String plain(String text) {
		return text.lines().map(String::strip).filter((line) -> !line.isEmpty()).collect(Collectors.joining("\n"));
	}

	@Override
	public String toString() {
		return this.page + ":" + this.line;
	}

}
