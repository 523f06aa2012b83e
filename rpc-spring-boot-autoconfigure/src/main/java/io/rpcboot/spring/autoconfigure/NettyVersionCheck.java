package io.rpcboot.spring.autoconfigure;

import java.util.Map;
import java.util.TreeMap;
import java.util.TreeSet;

import io.netty.util.Version;
import io.rpcboot.RpcConfigurationException;

import org.springframework.beans.factory.BeanClassLoaderAware;
import org.springframework.context.annotation.Configuration;

/**
 * Refuses a class path with parts of Netty of different versions, which fails much later
 * and in strange ways.
 */
@Configuration(proxyBeanMethods = false)
final class NettyVersionCheck implements BeanClassLoaderAware {

	@Override
	public void setBeanClassLoader(ClassLoader classLoader) {
		Map<String, String> parts = new TreeMap<>();
		Version.identify(classLoader).forEach((artifact, version) -> {
			if (isReleasedWithNetty(artifact)) {
				parts.merge(version.artifactVersion(), artifact, (first, second) -> first + ", " + second);
			}
		});
		if (parts.size() > 1) {
			throw new RpcConfigurationException(
					"Netty is on the class path in %d versions: %s".formatted(parts.size(), describe(parts)),
					"Set the Maven or Gradle property netty.version to one of them when Spring Boot manages your "
							+ "dependencies, or import io.netty:netty-bom, so that all artifacts have one version.");
		}
	}

	// tcnative and the incubator have versions of their own
	private static boolean isReleasedWithNetty(String artifact) {
		return artifact.startsWith("netty-") && !artifact.startsWith("netty-tcnative")
				&& !artifact.startsWith("netty-incubator");
	}

	private static String describe(Map<String, String> parts) {
		TreeSet<String> lines = new TreeSet<>();
		parts.forEach((version, artifacts) -> lines.add(version + " (" + artifacts + ")"));
		return String.join("; ", lines);
	}

}
