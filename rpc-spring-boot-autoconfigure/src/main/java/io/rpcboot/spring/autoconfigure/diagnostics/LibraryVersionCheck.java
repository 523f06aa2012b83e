package io.rpcboot.spring.autoconfigure.diagnostics;

import java.io.IOException;
import java.io.InputStream;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Properties;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import org.springframework.beans.factory.BeanClassLoaderAware;
import org.springframework.context.annotation.Configuration;

/**
 * Names the libraries that the application brings in other versions than the starter is
 * built with. A later one with the same first two numbers is as good. Never fails the
 * start.
 *
 * @since 0.1.0
 */
@Configuration(proxyBeanMethods = false)
public final class LibraryVersionCheck implements BeanClassLoaderAware {

	static final String EXPECTED = "library-versions.properties";

	private static final Logger logger = LoggerFactory.getLogger("rpc.spring");

	private static final String MICROMETER = "io.micrometer/micrometer-core";

	private static final Pattern NUMBERS = Pattern.compile("((\\d+)\\.(\\d+))\\.(\\d{1,9})(\\D.*)?");

	@Override
	public void setBeanClassLoader(ClassLoader classLoader) {
		check(classLoader, EXPECTED);
	}

	/** Logs the libraries whose versions are others than those in a resource. */
	static void check(ClassLoader classLoader, String expected) {
		try {
			List<String> others = others(classLoader, expected);
			if (!others.isEmpty()) {
				logger.warn("""
						Libraries of other versions than the starter is built with: {}; remove their versions from the \
						build, so that Spring Boot and the starter choose them, or change the version of the starter""",
						String.join("; ", others));
			}
		}
		catch (IOException | RuntimeException | LinkageError ex) {
			logger.debug("Cannot read the versions of libraries", ex);
		}
	}

	private static List<String> others(ClassLoader classLoader, String source) throws IOException {
		Properties expected = Objects.requireNonNull(read(LibraryVersionCheck.class.getResourceAsStream(source)));
		List<String> result = new ArrayList<>();
		for (String artifact : new TreeSet<>(expected.stringPropertyNames())) {
			String version = expected.getProperty(artifact);
			String found = found(artifact, classLoader);
			Matcher numbers = NUMBERS.matcher(version);
			if (found != null && numbers.matches() && !isAsGood(found, numbers)) {
				result.add("%s %s (expected: %s or a later %s)".formatted(artifact.replace('/', ':'), found, version,
						numbers.group(1)));
			}
		}
		return result;
	}

	private static boolean isAsGood(String found, Matcher expected) {
		Matcher numbers = NUMBERS.matcher(found);
		return numbers.matches() && numbers.group(1).equals(expected.group(1))
				&& Integer.parseInt(numbers.group(4)) >= Integer.parseInt(expected.group(4));
	}

	/** Returns a version, null if the library or its version is not there. */
	private static @Nullable String found(String artifact, ClassLoader classLoader) throws IOException {
		Properties maven = read(classLoader.getResourceAsStream("META-INF/maven/" + artifact + "/pom.properties"));
		if (maven != null) {
			return maven.getProperty("version");
		}
		try { // Gradle builds it, and leaves its version in the manifest alone
			return artifact.equals(MICROMETER)
					? Class.forName("io.micrometer.core.instrument.MeterRegistry", false, classLoader)
						.getPackage()
						.getImplementationVersion()
					: null;
		}
		catch (ClassNotFoundException ex) {
			return null;
		}
	}

	private static @Nullable Properties read(@Nullable InputStream source) throws IOException {
		if (source == null) {
			return null;
		}
		try (source) {
			Properties result = new Properties();
			result.load(source);
			return result;
		}
	}

}
