package io.rpcboot.layout;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;

/**
 * Main code of all modules but the benchmarks, which the compiler reads once for all test
 * classes of a process.
 *
 * @param paths of the source files
 * @param classes number of classes, nested ones included
 * @param engineErrors errors of the compiler in rpc-runtime
 */
record MainCode(Set<String> paths, int classes, List<String> engineErrors, Set<String> abstractClassesWithOneSubclass,
		Map<String, Set<String>> staticsOnForeignFields, PublicApi api) {

	/** Packages that are no API although they have public types. */
	private static final Pattern NO_API = Pattern.compile("io\\.rpcboot\\.(samples\\..*|spring\\."
			+ "(actuate\\..*|advice|autoconfigure\\.diagnostics|discovery|lifecycle|logging|reference|serialization|service))");

	static MainCode read() {
		return Once.CODE;
	}

	private static MainCode readNow() {
		try {
			Map<String, String> texts = Modules.mainTexts();
			SourceModel model = SourceModel.of(texts);
			return new MainCode(new TreeSet<>(texts.keySet()), model.size(), model.errors("rpc-runtime"),
					model.abstractClassesWithOneSubclass(), model.staticsOnForeignFields(),
					PublicApi.of(model, (name) -> !NO_API.matcher(name).matches()));
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

	private static final class Once {

		private static final MainCode CODE = readNow();

	}

}
