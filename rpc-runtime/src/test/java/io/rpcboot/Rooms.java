package io.rpcboot;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Function;
import java.util.stream.Stream;

import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.domain.PackageMatchers;

/**
 * Table of rooms. A row is the name of a room and what it may use: rooms of earlier rows
 * ({@code internal.client.*} for all that begin so) and packages of libraries as patterns
 * of ArchUnit. The JDK and JSpecify are allowed to all. A room uses what the bytes of its
 * classes name and what their sources import.
 */
final class Rooms {

	private final Function<JavaClass, String> roomOf;

	private final Map<String, Set<String>> rows = new LinkedHashMap<>();

	Rooms(Function<JavaClass, String> roomOf) {
		this.roomOf = roomOf;
	}

	/**
	 * Adds a row. Throws IllegalArgumentException if it uses a room without an earlier
	 * row.
	 */
	Rooms room(String name, String... uses) {
		for (String each : uses) {
			if (!isLibrary(each) && this.rows.keySet().stream().noneMatch((room) -> covers(each, room))) {
				throw new IllegalArgumentException(name + " uses " + each + " (expected: a room of an earlier row)");
			}
		}
		if (this.rows.put(name, new LinkedHashSet<>(List.of(uses))) != null) {
			throw new IllegalArgumentException("room: " + name + " (expected: one row)");
		}
		return this;
	}

	/** Dependencies that no row allows, and classes of packages without a row. */
	List<String> violations(JavaClasses classes) {
		Set<String> found = new TreeSet<>();
		for (JavaClass each : classes) {
			String room = this.roomOf.apply(each);
			Set<String> row = this.rows.get(room);
			if (row == null) {
				found.add(each.getName() + " (expected: a row for " + room + ")");
				continue;
			}
			targets(each, classes).filter((target) -> !isAllowed(room, row, target))
				.forEach((target) -> found.add("%s: %s uses %s".formatted(room, each.getName(), target.getName())));
		}
		return new ArrayList<>(found);
	}

	/** Returns the classes that the bytes of a class use, and that its source imports. */
	private static Stream<JavaClass> targets(JavaClass each, JavaClasses classes) {
		return Stream.concat(
				each.getDirectDependenciesFromSelf()
					.stream()
					.map((dependency) -> dependency.getTargetClass().getBaseComponentType()),
				SourceImports.of(each, classes).stream());
	}

	/** Entries of rows that no class needs, and rows without a class. */
	List<String> unused(JavaClasses classes) {
		List<String> found = new ArrayList<>();
		Map<String, Set<JavaClass>> targets = new LinkedHashMap<>();
		for (JavaClass each : classes) {
			Set<JavaClass> ofRoom = targets.computeIfAbsent(this.roomOf.apply(each), (name) -> new LinkedHashSet<>());
			targets(each, classes).forEach(ofRoom::add);
		}
		this.rows.forEach((room, row) -> {
			Set<JavaClass> used = targets.get(room);
			if (used == null) {
				found.add(room + ": no class");
				return;
			}
			row.stream()
				.filter((entry) -> used.stream().noneMatch((target) -> matches(entry, target)))
				.forEach((entry) -> found.add(room + ": " + entry));
		});
		return found;
	}

	private boolean isAllowed(String room, Set<String> row, JavaClass target) {
		return target.isPrimitive()
				|| PackageMatchers.of("java..", "org.jspecify.annotations").test(target.getPackageName())
				|| (isOurs(target) && this.roomOf.apply(target).equals(room))
				|| row.stream().anyMatch((entry) -> matches(entry, target));
	}

	private boolean matches(String entry, JavaClass target) {
		return isOurs(target) ? covers(entry, this.roomOf.apply(target))
				: isLibrary(entry) && PackageMatchers.of(entry).test(target.getPackageName());
	}

	private static boolean covers(String entry, String room) {
		return entry.endsWith(".*") ? room.startsWith(entry.substring(0, entry.length() - 1)) : entry.equals(room);
	}

	private static boolean isOurs(JavaClass type) {
		return type.getPackageName().startsWith("io.rpcboot");
	}

	private static boolean isLibrary(String entry) {
		return entry.startsWith("io.") || entry.startsWith("org.") || entry.startsWith("jdk.")
				|| entry.startsWith("tools.") || entry.startsWith("javax.") || entry.startsWith("reactor.");
	}

}
