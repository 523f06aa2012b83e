package io.rpcboot.internal.serialization.types.walk;

import java.lang.invoke.MethodHandles;
import java.lang.reflect.Modifier;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

import io.protostuff.Exclude;
import io.protostuff.Tag;
import io.rpcboot.internal.serialization.types.kind.TypePath;

/**
 * Finds the carried fields of a class: neither static nor transient nor {@link Exclude}.
 * Fields of superclasses come first. Numbers follow the order of declaration, or
 * {@link Tag} if every field has one.
 */
final class ClassFields {

	/**
	 * Maximum number, one less than on the wire, because the message of an exception has
	 * a number too.
	 */
	private static final int MAX_NUMBER = (1 << 29) - 2;

	private final Class<?> type;

	private final TypePath path;

	private final List<FieldDefinition> definitions = new ArrayList<>();

	private ClassFields(Class<?> type, TypePath path) {
		this.type = type;
		this.path = path;
	}

	/** Returns the fields by rising number. */
	static List<FieldDefinition> of(Class<?> type, TypePath path) {
		ClassFields fields = new ClassFields(type, path);
		Deque<Class<?>> hierarchy = new ArrayDeque<>();
		for (Class<?> each = type; each != null; each = each.getSuperclass()) {
			hierarchy.push(each);
		}
		for (Class<?> each : hierarchy) {
			fields.add(each);
		}
		fields.requireDistinct();
		fields.definitions.sort(Comparator.comparingInt(FieldDefinition::number));
		return fields.definitions;
	}

	/** Returns true if the class is part of the JDK. */
	static boolean isPlatform(Class<?> type) {
		ClassLoader loader = type.getClassLoader();
		return loader == null || loader == ClassLoader.getPlatformClassLoader();
	}

	private void add(Class<?> declaring) {
		if (Throwable.class.isAssignableFrom(declaring) && isPlatform(declaring)) {
			return;
		}
		MethodHandles.Lookup lookup = null;
		for (java.lang.reflect.Field field : declaring.getDeclaredFields()) {
			if (isCarried(field)) {
				lookup = (lookup != null) ? lookup : lookup(declaring, this.path);
				this.definitions.add(new FieldDefinition(number(field), field, lookup));
			}
		}
	}

	private static boolean isCarried(java.lang.reflect.Field field) {
		int excluded = Modifier.STATIC | Modifier.TRANSIENT;
		return (field.getModifiers() & excluded) == 0 && !field.isSynthetic()
				&& !field.isAnnotationPresent(Exclude.class);
	}

	private int number(java.lang.reflect.Field field) {
		Tag tag = field.getAnnotation(Tag.class);
		if (!this.definitions.isEmpty()) {
			java.lang.reflect.Field first = this.definitions.get(0).field();
			if (first.isAnnotationPresent(Tag.class) != (tag != null)) {
				throw this.path.refuse(this.type,
						"of its fields '%s' and '%s' one has @Tag and one has not".formatted(first.getName(),
								field.getName()),
						"Put @Tag on every field of %s and of its superclasses, or on none."
							.formatted(this.type.getName()));
			}
		}
		if (tag == null) {
			return this.definitions.size() + 1;
		}
		if (tag.value() < 1 || tag.value() > MAX_NUMBER) {
			throw this.path.field(field.getName())
				.refuse(field.getType(), "@Tag(%d) (expected: 1 to %d)".formatted(tag.value(), MAX_NUMBER),
						"Correct the number in @Tag.");
		}
		return tag.value();
	}

	private void requireDistinct() {
		Map<Object, FieldDefinition> seen = new HashMap<>();
		for (FieldDefinition each : this.definitions) {
			FieldDefinition twin = seen.put(each.number(), each);
			if (twin != null) {
				throw this.path.refuse(this.type,
						"fields '%s' and '%s' both have @Tag(%d)".formatted(twin.name(), each.name(), each.number()),
						"Give each field its own number.");
			}
			FieldDefinition namesake = seen.put(each.name(), each);
			if (namesake != null) {
				throw this.path.refuse(this.type, "field '%s' is declared in %s and again in %s".formatted(each.name(),
						namesake.field().getDeclaringClass().getName(), each.field().getDeclaringClass().getName()),
						"Rename one of the two fields, or make one transient.");
			}
		}
	}

	/** Returns a lookup with private access to a class. */
	static MethodHandles.Lookup lookup(Class<?> declaring, TypePath path) {
		Module own = ClassFields.class.getModule();
		Module module = declaring.getModule();
		try {
			own.addReads(module);
			return MethodHandles.privateLookupIn(declaring, MethodHandles.lookup());
		}
		catch (IllegalAccessException ex) {
			throw path.refuse(declaring,
					"%s does not open package %s to %s".formatted(module, declaring.getPackageName(), own),
					isPlatform(declaring) ? "Hold the data in a class of your own, with fields of carried types."
							: "Add 'opens %s;' to the module-info.java of %s.".formatted(declaring.getPackageName(),
									module.getName()));
		}
	}

}
