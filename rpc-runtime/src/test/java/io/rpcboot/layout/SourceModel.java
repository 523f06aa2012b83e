package io.rpcboot.layout;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;

import javax.lang.model.element.Element;
import javax.lang.model.element.ElementKind;
import javax.lang.model.element.ExecutableElement;
import javax.lang.model.element.Modifier;
import javax.lang.model.element.NestingKind;
import javax.lang.model.element.PackageElement;
import javax.lang.model.element.TypeElement;
import javax.lang.model.type.DeclaredType;
import javax.lang.model.type.TypeMirror;
import javax.lang.model.util.ElementFilter;
import javax.lang.model.util.Elements;
import javax.tools.Diagnostic;
import javax.tools.DiagnosticCollector;
import javax.tools.JavaFileObject;
import javax.tools.ToolProvider;

import com.sun.source.tree.ClassTree;
import com.sun.source.tree.CompilationUnitTree;
import com.sun.source.tree.IdentifierTree;
import com.sun.source.tree.MemberSelectTree;
import com.sun.source.util.JavacTask;
import com.sun.source.util.TreePathScanner;
import com.sun.source.util.Trees;

/**
 * The classes of some source files as the compiler sees them. Types that are neither
 * among them nor on the class path are unknown to it, which does not matter to rules
 * about classes of one package.
 */
final class SourceModel {

	/** Classes that are not nested. */
	final List<TypeElement> roots = new ArrayList<>();

	final Elements elements;

	final Trees trees;

	private final List<TypeElement> classes = new ArrayList<>();

	/** Fields of other classes of the package, by the outermost class that uses them. */
	private final Map<TypeElement, Set<String>> foreignFields = new HashMap<>();

	private final List<Diagnostic<? extends JavaFileObject>> errors;

	private SourceModel(JavacTask task, List<Diagnostic<? extends JavaFileObject>> errors) {
		this.elements = task.getElements();
		this.trees = Trees.instance(task);
		this.errors = errors;
	}

	/**
	 * Read source files.
	 * @param sources text by path
	 */
	static SourceModel of(Map<String, String> sources) {
		DiagnosticCollector<JavaFileObject> diagnostics = new DiagnosticCollector<>();
		List<String> options = List.of("-proc:none", "-implicit:none", "-Xlint:none", "-Xmaxerrs", "100000",
				"--should-stop=ifError=ATTR", "--should-stop=ifNoError=ATTR");
		List<JavaFileObject> files = new ArrayList<>();
		sources.forEach((path, text) -> files.add(new SourceFile(path, text)));
		JavacTask task = (JavacTask) ToolProvider.getSystemJavaCompiler()
			.getTask(null, null, diagnostics, options, null, files);
		List<CompilationUnitTree> units = new ArrayList<>();
		try {
			task.parse().forEach(units::add);
			task.analyze();
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
		SourceModel model = new SourceModel(task,
				diagnostics.getDiagnostics()
					.stream()
					.filter((each) -> each.getKind() == Diagnostic.Kind.ERROR)
					.toList());
		units.forEach((unit) -> model.new Reader().scan(unit, null));
		return model;
	}

	/** Compiler errors in the files of a folder. */
	List<String> errors(String folder) {
		return this.errors.stream()
			.filter((each) -> each.getSource() != null && each.getSource().getName().startsWith("/" + folder + "/"))
			.map(Object::toString)
			.toList();
	}

	/** Number of classes, nested ones included. */
	int size() {
		return this.classes.size();
	}

	/** Abstract classes with one direct subclass in their package. */
	Set<String> abstractClassesWithOneSubclass() {
		Map<TypeElement, List<TypeElement>> subclasses = new HashMap<>();
		for (TypeElement each : this.classes) {
			TypeElement parent = superclass(each);
			if (parent != null) {
				subclasses.computeIfAbsent(parent, (key) -> new ArrayList<>()).add(each);
			}
		}
		Set<String> result = new TreeSet<>();
		for (TypeElement each : this.classes) {
			List<TypeElement> below = subclasses.getOrDefault(each, List.of());
			if (each.getKind() == ElementKind.CLASS && each.getModifiers().contains(Modifier.ABSTRACT)
					&& below.stream().filter((sub) -> packageOf(sub).equals(packageOf(each))).count() == 1) {
				result.add(name(each));
			}
		}
		return result;
	}

	/**
	 * Classes of static methods alone that use fields of other classes of their package,
	 * which are not private.
	 * @return the fields by the class that uses them
	 */
	Map<String, Set<String>> staticsOnForeignFields() {
		Map<String, Set<String>> result = new TreeMap<>();
		this.foreignFields.forEach((type, fields) -> {
			if (hasStaticsAlone(type)) {
				result.put(name(type), fields);
			}
		});
		return result;
	}

	private static boolean hasStaticsAlone(TypeElement type) {
		List<ExecutableElement> methods = ElementFilter.methodsIn(type.getEnclosedElements());
		return type.getKind() == ElementKind.CLASS && !methods.isEmpty()
				&& methods.stream().allMatch(SourceModel::isStatic)
				&& ElementFilter.fieldsIn(type.getEnclosedElements()).stream().allMatch(SourceModel::isStatic);
	}

	private static boolean isStatic(Element element) {
		return element.getModifiers().contains(Modifier.STATIC);
	}

	private static TypeElement superclass(TypeElement type) {
		TypeMirror parent = type.getSuperclass();
		return (parent instanceof DeclaredType declared && declared.asElement() instanceof TypeElement element)
				? element : null;
	}

	private static PackageElement packageOf(Element element) {
		Element outer = element;
		while (!(outer instanceof PackageElement)) {
			outer = outer.getEnclosingElement();
		}
		return (PackageElement) outer;
	}

	private static TypeElement outermost(Element element) {
		Element outer = element;
		while (!(outer.getEnclosingElement() instanceof PackageElement)) {
			outer = outer.getEnclosingElement();
		}
		return (TypeElement) outer;
	}

	/** Name without the package, so that a class may move. */
	private static String name(TypeElement type) {
		String name = type.getQualifiedName().toString();
		return name.substring(packageOf(type).getQualifiedName().length() + 1);
	}

	private final class Reader extends TreePathScanner<Void, Void> {

		private TypeElement user;

		@Override
		public Void visitClass(ClassTree tree, Void unused) {
			if (SourceModel.this.trees.getElement(getCurrentPath()) instanceof TypeElement type) {
				SourceModel.this.classes.add(type);
				if (type.getNestingKind() == NestingKind.TOP_LEVEL) {
					SourceModel.this.roots.add(type);
					this.user = type;
				}
			}
			return super.visitClass(tree, unused);
		}

		@Override
		public Void visitMemberSelect(MemberSelectTree tree, Void unused) {
			use();
			return super.visitMemberSelect(tree, unused);
		}

		@Override
		public Void visitIdentifier(IdentifierTree tree, Void unused) {
			use();
			return super.visitIdentifier(tree, unused);
		}

		private void use() {
			Element used = SourceModel.this.trees.getElement(getCurrentPath());
			if (this.user == null || used == null || used.getKind() != ElementKind.FIELD || isStatic(used)
					|| used.getModifiers().contains(Modifier.PRIVATE)
					|| !(used.getEnclosingElement() instanceof TypeElement owner)) {
				return;
			}
			if (owner.getNestingKind() == NestingKind.TOP_LEVEL && !owner.equals(this.user)
					&& packageOf(owner).equals(packageOf(this.user))) {
				SourceModel.this.foreignFields.computeIfAbsent(this.user, (key) -> new LinkedHashSet<>())
					.add(name(owner) + "." + used.getSimpleName());
			}
		}

	}

}
