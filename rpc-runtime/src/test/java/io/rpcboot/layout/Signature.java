package io.rpcboot.layout;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.function.Predicate;
import java.util.stream.Collectors;

import javax.lang.model.element.AnnotationMirror;
import javax.lang.model.element.Element;
import javax.lang.model.element.ElementKind;
import javax.lang.model.element.ExecutableElement;
import javax.lang.model.element.Modifier;
import javax.lang.model.element.RecordComponentElement;
import javax.lang.model.element.TypeElement;
import javax.lang.model.element.TypeParameterElement;
import javax.lang.model.element.VariableElement;
import javax.lang.model.type.ArrayType;
import javax.lang.model.type.DeclaredType;
import javax.lang.model.type.TypeKind;
import javax.lang.model.type.TypeMirror;
import javax.lang.model.type.TypeVariable;
import javax.lang.model.type.WildcardType;

import com.sun.source.tree.VariableTree;
import com.sun.source.util.Trees;

/**
 * The line of a type or a member in the list of the public API. Types have their simple
 * names, because a type that moves is seen where it is listed.
 */
final class Signature {

	private final StringBuilder text = new StringBuilder();

	/** Types that the line names. */
	private final List<TypeElement> types = new ArrayList<>();

	private final Predicate<TypeElement> isApi;

	private final Trees trees;

	private Signature(Predicate<TypeElement> isApi, Trees trees) {
		this.isApi = isApi;
		this.trees = trees;
	}

	/**
	 * Writes the line of a type or a member.
	 * @param isApi true for types that users can name
	 * @param trees trees of the source
	 */
	static Signature of(Element element, Predicate<TypeElement> isApi, Trees trees) {
		Signature signature = new Signature(isApi, trees);
		if (element instanceof TypeElement type) {
			signature.type(type);
		}
		else if (element instanceof ExecutableElement method) {
			signature.method(method);
		}
		else {
			signature.field((VariableElement) element);
		}
		return signature;
	}

	String text() {
		return this.text.toString();
	}

	List<TypeElement> types() {
		return this.types;
	}

	private void type(TypeElement type) {
		boolean isInterface = type.getKind().isInterface();
		modifiers(type, isInterface || type.getKind() != ElementKind.CLASS);
		this.text.append(type.getKind().name().toLowerCase(Locale.ROOT).replace("annotation_type", "@interface"))
			.append(' ')
			.append(type.getSimpleName());
		parameters(type.getTypeParameters());
		if (type.getKind() == ElementKind.RECORD) {
			this.text.append('(');
			list(type.getRecordComponents().stream().map(RecordComponentElement::asType).toList(),
					type.getRecordComponents());
			this.text.append(')');
		}
		TypeMirror parent = visibleParent(type);
		if (parent != null && type.getKind() == ElementKind.CLASS && !parent.toString().equals("java.lang.Object")) {
			this.text.append(" extends ");
			name(parent);
		}
		if (!type.getInterfaces().isEmpty() && type.getKind() != ElementKind.ANNOTATION_TYPE) {
			this.text.append(isInterface ? " extends " : " implements ");
			list(type.getInterfaces(), List.of());
		}
	}

	private TypeMirror visibleParent(TypeElement type) {
		TypeMirror parent = type.getSuperclass();
		while (parent instanceof DeclaredType declared && declared.getKind() != TypeKind.ERROR
				&& !this.isApi.test((TypeElement) declared.asElement())) {
			parent = ((TypeElement) declared.asElement()).getSuperclass();
		}
		return (parent.getKind() != TypeKind.NONE) ? parent : null;
	}

	private void method(ExecutableElement method) {
		modifiers(method, method.getEnclosingElement().getKind().isInterface());
		parameters(method.getTypeParameters());
		if (!method.getTypeParameters().isEmpty()) {
			this.text.append(' ');
		}
		if (method.getKind() == ElementKind.CONSTRUCTOR) {
			this.text.append(method.getEnclosingElement().getSimpleName());
		}
		else {
			name(method.getReturnType());
			this.text.append(' ').append(method.getSimpleName());
		}
		this.text.append('(');
		String separator = "";
		for (VariableElement each : method.getParameters()) {
			this.text.append(separator);
			parameter(each);
			separator = ", ";
		}
		this.text.append(')');
		if (method.isVarArgs()) {
			int array = this.text.lastIndexOf("[]");
			this.text.replace(array, array + 2, "...");
		}
		if (!method.getThrownTypes().isEmpty()) {
			this.text.append(" throws ");
			list(method.getThrownTypes(), List.of());
		}
		if (method.getDefaultValue() != null) {
			this.text.append(" default ").append(method.getDefaultValue());
		}
	}

	/** Compilers differ in the names of types that are missing; the source has them. */
	private void parameter(VariableElement parameter) {
		if (parameter.asType().getKind() == TypeKind.ERROR) {
			annotations(parameter.asType());
			this.text.append(((VariableTree) this.trees.getTree(parameter)).getType());
		}
		else {
			name(parameter.asType());
		}
	}

	private void field(VariableElement field) {
		if (field.getKind() == ElementKind.ENUM_CONSTANT) {
			this.text.append(field.getSimpleName());
			return;
		}
		modifiers(field, false);
		name(field.asType());
		this.text.append(' ').append(field.getSimpleName());
		if (field.getConstantValue() != null) {
			boolean isText = field.getConstantValue() instanceof String;
			this.text.append(" = ").append(isText ? "\"" + field.getConstantValue() + "\"" : field.getConstantValue());
		}
	}

	private void modifiers(Element element, boolean withoutImplied) {
		Set<Modifier> implied = !withoutImplied ? Set.of()
				: (element instanceof TypeElement) ? Set.of(Modifier.ABSTRACT, Modifier.STATIC, Modifier.FINAL)
						: Set.of(Modifier.ABSTRACT, Modifier.PUBLIC);
		element.getModifiers()
			.stream()
			.filter((each) -> !implied.contains(each) && each != Modifier.SYNCHRONIZED)
			.filter((each) -> each != Modifier.SEALED || element.getKind() != ElementKind.ENUM)
			.forEach((each) -> this.text.append(each).append(' '));
	}

	private void parameters(List<? extends TypeParameterElement> parameters) {
		if (parameters.isEmpty()) {
			return;
		}
		this.text.append('<');
		String separator = "";
		for (TypeParameterElement each : parameters) {
			this.text.append(separator).append(each.getSimpleName());
			separator = ", ";
			String bound = " extends ";
			for (TypeMirror type : each.getBounds()) {
				if (!type.toString().equals("java.lang.Object")) {
					this.text.append(bound);
					name(type);
					bound = " & ";
				}
			}
		}
		this.text.append('>');
	}

	private void list(List<? extends TypeMirror> listed, List<? extends Element> named) {
		for (int i = 0; i < listed.size(); i++) {
			this.text.append((i > 0) ? ", " : "");
			name(listed.get(i));
			if (!named.isEmpty()) {
				this.text.append(' ').append(named.get(i).getSimpleName());
			}
		}
	}

	private void name(TypeMirror type) {
		if (type instanceof ArrayType array) {
			array(array);
		}
		else if (type instanceof DeclaredType declared) {
			declared(declared);
		}
		else if (type instanceof WildcardType wildcard) {
			wildcard(wildcard);
		}
		else {
			annotations(type);
			this.text.append((type instanceof TypeVariable variable) ? variable.asElement().getSimpleName()
					: type.getKind().name().toLowerCase(Locale.ROOT));
		}
	}

	private void array(ArrayType array) {
		name(array.getComponentType());
		String annotations = annotationsOf(array);
		this.text.append(annotations.isEmpty() ? "" : " " + annotations + " ").append("[]");
	}

	private void declared(DeclaredType type) {
		TypeElement element = (TypeElement) type.asElement();
		this.types.add(element);
		String name = element.getSimpleName().toString();
		if (type.getKind() != TypeKind.ERROR) {
			for (Element outer = element.getEnclosingElement(); outer instanceof TypeElement; outer = outer
				.getEnclosingElement()) {
				name = outer.getSimpleName() + "." + name;
			}
		}
		annotations(type);
		this.text.append(name);
		if (!type.getTypeArguments().isEmpty()) {
			this.text.append('<');
			list(type.getTypeArguments(), List.of());
			this.text.append('>');
		}
	}

	private void wildcard(WildcardType wildcard) {
		this.text.append('?');
		TypeMirror bound = (wildcard.getExtendsBound() != null) ? wildcard.getExtendsBound() : wildcard.getSuperBound();
		if (bound != null) {
			this.text.append((wildcard.getExtendsBound() != null) ? " extends " : " super ");
			name(bound);
		}
	}

	private void annotations(TypeMirror type) {
		String annotations = annotationsOf(type);
		this.text.append(annotations).append(annotations.isEmpty() ? "" : " ");
	}

	private static String annotationsOf(TypeMirror type) {
		return type.getAnnotationMirrors()
			.stream()
			.map(AnnotationMirror::getAnnotationType)
			.map((each) -> "@" + each.asElement().getSimpleName())
			.collect(Collectors.joining(" "));
	}

}
