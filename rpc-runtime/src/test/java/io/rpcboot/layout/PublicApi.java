package io.rpcboot.layout;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Predicate;

import javax.lang.model.element.Element;
import javax.lang.model.element.ElementKind;
import javax.lang.model.element.ExecutableElement;
import javax.lang.model.element.Modifier;
import javax.lang.model.element.PackageElement;
import javax.lang.model.element.RecordComponentElement;
import javax.lang.model.element.TypeElement;
import javax.lang.model.type.DeclaredType;
import javax.lang.model.util.ElementFilter;
import javax.lang.model.util.Elements;

import com.sun.source.util.Trees;

/**
 * The public API of some source files: public types outside of internal packages with
 * their public and protected members. Members that a type inherits from a class that is
 * no API count as its own.
 */
final class PublicApi {

	private static final String INTERNAL = "io.rpcboot.internal";

	private static final Set<String> OF_EVERY_TYPE = Set.of("equals(java.lang.Object)", "hashCode()", "toString()");

	private static final Set<String> OF_EVERY_ENUM = Set.of("values()", "valueOf(java.lang.String)");

	private static final Comparator<Element> ORDER = Comparator.comparing(PublicApi::rank)
		.thenComparing((each) -> each.getSimpleName().toString());

	private final Map<String, List<String>> types = new TreeMap<>();

	private final Set<String> internalUses = new TreeSet<>();

	private final Set<String> withoutSince = new TreeSet<>();

	private final Predicate<String> isApiPackage;

	private PublicApi(Predicate<String> isApiPackage) {
		this.isApiPackage = isApiPackage;
	}

	/**
	 * Reads source files. Types that are neither among them nor on the class path appear
	 * with the name that the source has for them.
	 * @param isApiPackage true for the packages whose types are listed
	 */
	static PublicApi of(SourceModel sources, Predicate<String> isApiPackage) {
		PublicApi api = new PublicApi(isApiPackage);
		sources.roots.forEach((type) -> api.add(type, sources.elements, sources.trees));
		return api;
	}

	/** The types by name, each with a line for itself and a line for each member. */
	Map<String, List<String>> types() {
		return this.types;
	}

	/** Internal types in public signatures: "type: signature". */
	Set<String> internalUses() {
		return this.internalUses;
	}

	/** Types whose Javadoc does not say since when they exist. */
	Set<String> withoutSince() {
		return this.withoutSince;
	}

	private void add(TypeElement type, Elements elements, Trees trees) {
		if (!isApi(type)) {
			return;
		}
		String name = type.getQualifiedName().toString();
		String comment = elements.getDocComment(type);
		if (comment == null || !comment.contains("@since ")) {
			this.withoutSince.add(name);
		}
		List<String> lines = new ArrayList<>();
		Signature head = Signature.of(type, this::isApi, trees);
		lines.add(head.text().replaceFirst(type.getSimpleName() + "\\b", name));
		addInternal(name, head);
		for (Signature signature : members(type, trees)) {
			lines.add("    " + signature.text());
			addInternal(name, signature);
		}
		this.types.put(name, lines);
		ElementFilter.typesIn(type.getEnclosedElements()).forEach((nested) -> add(nested, elements, trees));
	}

	private void addInternal(String type, Signature signature) {
		signature.types()
			.stream()
			.filter((each) -> isInternal(packageOf(each)))
			.forEach((each) -> this.internalUses.add(type + ": " + signature.text()));
	}

	private List<Signature> members(TypeElement type, Trees trees) {
		List<Element> members = new ArrayList<>();
		Set<String> seen = new TreeSet<>();
		boolean open = !type.getModifiers().contains(Modifier.FINAL);
		for (TypeElement each = type; each != null && (each == type || !isApi(each)); each = superclass(each)) {
			boolean own = each == type;
			each.getEnclosedElements()
				.stream()
				.filter((member) -> member.getKind().isField() || member instanceof ExecutableElement)
				.filter((member) -> own || member.getKind() != ElementKind.CONSTRUCTOR)
				.filter((member) -> isVisible(member, open) && isSpecific(member))
				.filter((member) -> seen.add(member.toString()))
				.forEach(members::add);
		}
		members.sort(ORDER.thenComparing((each) -> Signature.of(each, this::isApi, trees).text()));
		return members.stream().map((each) -> Signature.of(each, this::isApi, trees)).toList();
	}

	/** Returns false for members that every type has, and those that a record implies. */
	private static boolean isSpecific(Element member) {
		String text = member.toString();
		if (OF_EVERY_TYPE.contains(text)) {
			return false;
		}
		if (!(member instanceof ExecutableElement method)) {
			return true;
		}
		TypeElement type = (TypeElement) member.getEnclosingElement();
		List<? extends RecordComponentElement> components = type.getRecordComponents();
		if (member.getKind() == ElementKind.CONSTRUCTOR) {
			return type.getKind() != ElementKind.RECORD || !types(method.getParameters()).equals(types(components));
		}
		return components.stream().noneMatch((each) -> method.equals(each.getAccessor()))
				&& !(type.getKind() == ElementKind.ENUM && OF_EVERY_ENUM.contains(text));
	}

	private static List<String> types(List<? extends Element> elements) {
		return elements.stream().map((each) -> each.asType().toString()).toList();
	}

	/** Constants of an enum keep the order of the source. */
	private static int rank(Element member) {
		return switch (member.getKind()) {
			case ENUM_CONSTANT -> member.getEnclosingElement().getEnclosedElements().indexOf(member);
			case FIELD -> 10_000;
			case CONSTRUCTOR -> 10_001;
			default -> 10_002;
		};
	}

	private static boolean isVisible(Element member, boolean open) {
		Set<Modifier> modifiers = member.getModifiers();
		return modifiers.contains(Modifier.PUBLIC) || (open && modifiers.contains(Modifier.PROTECTED));
	}

	/** Returns true if users can name the type. */
	private boolean isApi(TypeElement type) {
		Element each = type;
		while (each instanceof TypeElement) {
			Element outer = each.getEnclosingElement();
			boolean open = !(outer instanceof TypeElement) || !outer.getModifiers().contains(Modifier.FINAL);
			if (!isVisible(each, open)) {
				return false;
			}
			each = outer;
		}
		String name = packageOf(type);
		return !name.startsWith("io.rpcboot") || (!isInternal(name) && this.isApiPackage.test(name));
	}

	private static boolean isInternal(String name) {
		return name.equals(INTERNAL) || name.startsWith(INTERNAL + ".");
	}

	private static TypeElement superclass(TypeElement type) {
		return (type.getSuperclass() instanceof DeclaredType declared) ? (TypeElement) declared.asElement() : null;
	}

	static String packageOf(Element element) {
		Element outer = element;
		while (!(outer instanceof PackageElement)) {
			outer = outer.getEnclosingElement();
		}
		return ((PackageElement) outer).getQualifiedName().toString();
	}

}
