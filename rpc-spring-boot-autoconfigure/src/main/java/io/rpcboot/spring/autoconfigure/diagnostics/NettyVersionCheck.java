package io.rpcboot.spring.autoconfigure.diagnostics;

import java.io.IOException;
import java.net.JarURLConnection;
import java.net.URISyntaxException;
import java.net.URL;
import java.net.URLConnection;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Collections;
import java.util.Map;
import java.util.Properties;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.jar.JarFile;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import java.util.zip.ZipEntry;

import io.netty.util.Version;
import io.rpcboot.RpcConfigurationException;

import org.springframework.beans.factory.BeanClassLoaderAware;
import org.springframework.context.annotation.Configuration;
import org.springframework.core.io.UrlResource;
import org.springframework.core.io.support.PropertiesLoaderUtils;

/**
 * Rejects a class path with different versions of Netty's artifacts, which would fail
 * much later and in strange ways.
 *
 * @since 0.1.0
 */
@Configuration(proxyBeanMethods = false)
public final class NettyVersionCheck implements BeanClassLoaderAware {

	private static final String VERSIONS = "META-INF/io.netty.versions.properties";

	private static final String VERSION = ".version";

	private static final String NETTY = "io/netty/";

	@Override
	public void setBeanClassLoader(ClassLoader classLoader) {
		Map<String, Set<String>> named = new TreeMap<>();
		Version.identify(classLoader).forEach((artifact, version) -> add(named, artifact, version.artifactVersion()));
		Map<String, Set<String>> parts = (named.size() > 1) ? withClasses(classLoader) : named;
		if (parts.size() > 1) {
			throw new RpcConfigurationException(
					"Netty is on the class path in %d versions: %s".formatted(parts.size(), describe(parts)),
					"Set the Maven or Gradle property netty.version to one of them when Spring Boot manages your "
							+ "dependencies, or import io.netty:netty-bom, so that all artifacts have one version.");
		}
	}

	private static void add(Map<String, Set<String>> parts, String artifact, String version) {
		if (isReleasedWithNetty(artifact)) {
			parts.computeIfAbsent(version, (added) -> new TreeSet<>()).add(artifact);
		}
	}

	/**
	 * Returns the artifacts whose jar has classes of Netty. Jars with a relocated Netty
	 * keep the file of versions without them. Slow, so called only for several versions.
	 */
	private static Map<String, Set<String>> withClasses(ClassLoader classLoader) {
		Map<String, Set<String>> parts = new TreeMap<>();
		try {
			for (URL versions : Collections.list(classLoader.getResources(VERSIONS))) {
				if (hasClasses(versions)) {
					Properties properties = PropertiesLoaderUtils.loadProperties(new UrlResource(versions));
					properties.stringPropertyNames()
						.stream()
						.filter((key) -> key.endsWith(VERSION))
						.forEach((key) -> add(parts, key.substring(0, key.length() - VERSION.length()),
								properties.getProperty(key)));
				}
			}
		}
		catch (IOException | URISyntaxException ex) {
			throw new IllegalStateException("Cannot read " + VERSIONS, ex);
		}
		return parts;
	}

	private static boolean hasClasses(URL versions) throws IOException, URISyntaxException {
		URLConnection connection = versions.openConnection();
		if (connection instanceof JarURLConnection jar) {
			jar.setUseCaches(false); // closing a cached jar would break other users of it
			try (JarFile file = jar.getJarFile()) {
				return file.stream().map(ZipEntry::getName).anyMatch(NettyVersionCheck::isClass);
			}
		}
		if (!versions.getProtocol().equals("file")) {
			return true; // cannot be listed; assume that it has classes
		}
		Path netty = Path.of(versions.toURI()).resolveSibling("../" + NETTY).normalize();
		if (!Files.isDirectory(netty)) {
			return false;
		}
		try (Stream<Path> files = Files.walk(netty)) {
			return files.anyMatch((file) -> file.toString().endsWith(".class"));
		}
	}

	private static boolean isClass(String entry) {
		return entry.startsWith(NETTY) && entry.endsWith(".class");
	}

	// tcnative and the incubator have their own versions
	private static boolean isReleasedWithNetty(String artifact) {
		return artifact.startsWith("netty-") && !artifact.startsWith("netty-tcnative")
				&& !artifact.startsWith("netty-incubator");
	}

	private static String describe(Map<String, Set<String>> parts) {
		return parts.entrySet()
			.stream()
			.map((part) -> part.getKey() + " (" + String.join(", ", part.getValue()) + ")")
			.collect(Collectors.joining("; "));
	}

}
