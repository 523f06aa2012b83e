package io.rpcboot;

import java.util.ArrayDeque;
import java.util.Comparator;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Stream;

import com.tngtech.archunit.core.domain.Dependency;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ImportOption.DoNotIncludeTests;
import com.tngtech.archunit.junit.AnalyzeClasses;
import com.tngtech.archunit.junit.ArchTag;
import com.tngtech.archunit.junit.ArchTest;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Bounds the circles of files within a package: five files that know each other, directly
 * or through others, are the most. A reader of one of them must read all.
 */
@AnalyzeClasses(packages = "io.rpcboot", importOptions = DoNotIncludeTests.class)
@ArchTag("structure")
class KnotTests {

	private static final int MOST = 5;

	@ArchTest
	static void noKnotHasMoreThanFiveFiles(JavaClasses classes) {
		Map<String, Set<String>> known = new TreeMap<>();
		for (JavaClass each : classes) {
			Set<String> others = known.computeIfAbsent(file(each), (name) -> new TreeSet<>());
			each.getDirectDependenciesFromSelf()
				.stream()
				.map(Dependency::getTargetClass)
				.map(JavaClass::getBaseComponentType)
				.filter((target) -> target.getPackageName().equals(each.getPackageName()))
				.map(KnotTests::file)
				.filter((name) -> !name.equals(file(each)))
				.forEach(others::add);
		}
		Map<String, List<Set<String>>> knots = new TreeMap<>();
		Set<String> seen = new HashSet<>();
		Map<String, Set<String>> reachable = new HashMap<>();
		known.keySet().forEach((name) -> reachable.put(name, reachable(name, known)));
		for (String name : known.keySet()) {
			Set<String> knot = new TreeSet<>();
			Stream.concat(Stream.of(name), reachable.get(name).stream())
				.filter((other) -> other.equals(name) || reachable.getOrDefault(other, Set.of()).contains(name))
				.forEach(knot::add);
			if (seen.addAll(knot)) {
				knots.merge(name.substring(0, name.lastIndexOf('.')), List.of(knot),
						(one, two) -> Stream.concat(one.stream(), two.stream()).toList());
			}
		}
		assertThat(knots.get("io.rpcboot.internal.server.call")).as("a call and its ends know each other")
			.anyMatch((knot) -> knot.size() > 1);
		knots.forEach((name, ofPackage) -> {
			Set<String> largest = ofPackage.stream().max(Comparator.comparing(Set::size)).orElseThrow();
			assertThat(largest.size()).as("%s: %s", name, largest).isLessThanOrEqualTo(MOST);
		});
	}

	private static Set<String> reachable(String from, Map<String, Set<String>> known) {
		Set<String> result = new HashSet<>();
		Deque<String> next = new ArrayDeque<>(known.get(from));
		while (!next.isEmpty()) {
			String name = next.remove();
			if (result.add(name)) {
				next.addAll(known.getOrDefault(name, Set.of()));
			}
		}
		return result;
	}

	/** Nested classes are in the file of the outermost. */
	private static String file(JavaClass type) {
		String name = type.getName();
		return name.contains("$") ? name.substring(0, name.indexOf('$')) : name;
	}

}
