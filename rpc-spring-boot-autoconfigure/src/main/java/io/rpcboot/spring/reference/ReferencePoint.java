package io.rpcboot.spring.reference;

import java.lang.annotation.Annotation;
import java.lang.reflect.AnnotatedElement;
import java.lang.reflect.Constructor;
import java.lang.reflect.Executable;
import java.lang.reflect.Field;
import java.lang.reflect.Member;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.Predicate;
import java.util.function.Supplier;

import io.rpcboot.RpcConfigurationException;
import io.rpcboot.spring.RpcReference;
import org.jspecify.annotations.Nullable;

import org.springframework.beans.factory.config.DependencyDescriptor;
import org.springframework.context.annotation.Bean;
import org.springframework.core.DefaultParameterNameDiscoverer;
import org.springframework.core.MethodParameter;
import org.springframework.core.ResolvableType;
import org.springframework.core.annotation.MergedAnnotation;
import org.springframework.core.annotation.MergedAnnotations;
import org.springframework.util.ReflectionUtils;

/** Finds {@link RpcReference} at injection points and in classes. */
final class ReferencePoint {

	private ReferencePoint() {
	}

	/**
	 * Returns the reference of an injection point.
	 * @return null if the point is not annotated
	 * @throws RpcConfigurationException if the type is not an interface
	 */
	static @Nullable ReferenceKey of(DependencyDescriptor descriptor) {
		MergedAnnotation<RpcReference> annotation = annotation(descriptor);
		if (annotation == null) {
			return null;
		}
		return key(ReferenceType.unwrap(descriptor.getResolvableType()), annotation, place(descriptor));
	}

	/** Returns the member of an injection point, for {@link #describe}. */
	static Object place(DependencyDescriptor descriptor) {
		Member member = descriptor.getMember();
		return (member != null) ? member : descriptor;
	}

	/**
	 * Returns the references of all members of a class, each with the first member that
	 * has it. Type variables of superclasses stand for what the class makes of them.
	 */
	static Map<ReferenceKey, Member> in(Class<?> type) {
		return in(type, (member) -> false);
	}

	/**
	 * Returns the references of the members of a class.
	 * @param type the class
	 * @param excluded returns true for a member to leave out
	 */
	static Map<ReferenceKey, Member> in(Class<?> type, Predicate<AnnotatedElement> excluded) {
		Map<ReferenceKey, Member> keys = new LinkedHashMap<>();
		if (type.isInterface() || type.getName().startsWith("java.")) {
			return keys;
		}
		ReflectionUtils.doWithFields(type,
				(field) -> add(keys, MergedAnnotations.from(field), () -> ResolvableType.forField(field, type), field),
				(field) -> !excluded.test(field));
		ReflectionUtils.doWithMethods(type, (method) -> {
			requireSet(method);
			if (method.getParameterCount() == 1) {
				add(keys, MergedAnnotations.from(method), () -> ResolvableType.forMethodParameter(method, 0, type),
						method);
			}
			addParameters(keys, method, type);
		}, (method) -> !excluded.test(method));
		for (Constructor<?> constructor : type.getDeclaredConstructors()) {
			addParameters(keys, constructor, type);
		}
		return keys;
	}

	/**
	 * Rejects the annotation on members that are never injected.
	 * @throws RpcConfigurationException if the member has the annotation and is static or
	 * a {@code @Bean} method
	 */
	static <M extends AnnotatedElement & Member> void requireSet(M member) {
		MergedAnnotations annotations = MergedAnnotations.from(member);
		boolean makesBean = annotations.isPresent(Bean.class);
		if (!annotations.isPresent(RpcReference.class) || !(makesBean || Modifier.isStatic(member.getModifiers()))) {
			return;
		}
		String at = "@RpcReference at " + describe(member);
		if (makesBean) {
			throw new RpcConfigurationException(
					at + ", which is a @Bean method (expected: a field, a setter or a parameter)",
					"Remove the method; a reference needs no bean. Put @RpcReference where the service is used,"
							+ " or on a parameter of a @Bean method that creates another bean from it.");
		}
		throw new RpcConfigurationException(at + ", which is static (expected: a member of an object, or a parameter)",
				"Make it not static, or take the reference as a constructor parameter.");
	}

	/** Returns the references of the parameters of a method. */
	static Map<ReferenceKey, Member> inParameters(Method method) {
		Map<ReferenceKey, Member> keys = new LinkedHashMap<>();
		addParameters(keys, method, method.getDeclaringClass());
		return keys;
	}

	private static void addParameters(Map<ReferenceKey, Member> keys, Executable executable, Class<?> type) {
		Annotation[][] annotations = executable.getParameterAnnotations();
		for (int i = 0; i < annotations.length; i++) {
			int index = i;
			add(keys, MergedAnnotations.from(annotations[i]),
					() -> ResolvableType
						.forMethodParameter(MethodParameter.forExecutable(executable, index).withContainingClass(type)),
					executable);
		}
	}

	/**
	 * Adds the reference of an annotated member. The type of other members is not
	 * resolved.
	 */
	private static void add(Map<ReferenceKey, Member> keys, MergedAnnotations annotations,
			Supplier<ResolvableType> type, Member where) {
		MergedAnnotation<RpcReference> annotation = annotations.get(RpcReference.class);
		if (annotation.isPresent()) {
			if (where instanceof Field field) {
				requireSet(field);
			}
			keys.putIfAbsent(key(ReferenceType.unwrap(type.get()), annotation, where), where);
		}
	}

	private static ReferenceKey key(ResolvableType type, MergedAnnotation<RpcReference> annotation, Object where) {
		return ReferenceKey.of(ReferenceType.require(type, describe(where)), annotation);
	}

	/**
	 * Returns an injection point in words, such as
	 * {@code field users of com.acme.Orders}.
	 */
	static String describe(Object where) {
		if (!(where instanceof Member member)) {
			return where.toString();
		}
		String owner = member.getDeclaringClass().getName();
		if (member instanceof Constructor) {
			return "a constructor of " + owner;
		}
		return "%s %s of %s".formatted((member instanceof Field) ? "field" : "method", member.getName(), owner);
	}

	private static @Nullable MergedAnnotation<RpcReference> annotation(DependencyDescriptor descriptor) {
		MergedAnnotation<RpcReference> annotation = MergedAnnotations.from(descriptor.getAnnotations())
			.get(RpcReference.class);
		if (annotation.isPresent()) {
			return annotation;
		}
		MethodParameter parameter = descriptor.getMethodParameter();
		AnnotatedElement owner = (parameter == null) ? null : owner(parameter);
		annotation = (owner == null) ? annotation : MergedAnnotations.from(owner).get(RpcReference.class);
		return annotation.isPresent() ? annotation : null;
	}

	/**
	 * Returns the member that may carry the annotation of a parameter: its method, or a
	 * field of the same name.
	 */
	private static @Nullable AnnotatedElement owner(MethodParameter parameter) {
		if (parameter.getExecutable() instanceof Method method) {
			return (method.getParameterCount() == 1) ? method : null;
		}
		// Lombok's @RequiredArgsConstructor leaves the annotation at the final field
		return Arrays.stream(parameter.getDeclaringClass().getDeclaredFields())
			.filter((field) -> isAnnotatedAndSetBy(field, parameter))
			.findFirst()
			.orElse(null);
	}

	private static boolean isAnnotatedAndSetBy(Field field, MethodParameter parameter) {
		if (!Modifier.isFinal(field.getModifiers()) || field.getType() != parameter.getParameterType()
				|| !MergedAnnotations.from(field).isPresent(RpcReference.class)) {
			return false;
		}
		parameter.initParameterNameDiscovery(new DefaultParameterNameDiscoverer());
		return field.getName().equals(parameter.getParameterName());
	}

}
