package io.rpcboot;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;

/**
 * Classes of the project that sources import. The compiler inlines constants, so that the
 * bytes of a class do not show where they come from.
 */
final class SourceImports {

	private static final List<Path> FOLDERS = List.of(Path.of("src", "main", "java"),
			Path.of("..", "rpc-api", "src", "main", "java"));

	/** Finds the outermost class. */
	private static final Pattern IMPORT = Pattern.compile("^import (?:static )?((?:[a-z]\\w*\\.)+[A-Z]\\w*)",
			Pattern.MULTILINE);

	private SourceImports() {
	}

	/**
	 * Returns the classes that the file of an outermost class imports; none for others.
	 */
	static Set<JavaClass> of(JavaClass type, JavaClasses classes) {
		Set<JavaClass> imported = new LinkedHashSet<>();
		Matcher matcher = IMPORT.matcher(source(type.getName().replace('.', '/') + ".java"));
		while (matcher.find()) {
			if (classes.contain(matcher.group(1))) {
				imported.add(classes.get(matcher.group(1)));
			}
		}
		return imported;
	}

	private static String source(String path) {
		for (Path folder : FOLDERS) {
			Path file = folder.resolve(path);
			if (Files.exists(file)) {
				try {
					return Files.readString(file);
				}
				catch (IOException ex) {
					throw new UncheckedIOException(ex);
				}
			}
		}
		return "";
	}

}
