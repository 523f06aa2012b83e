package io.rpcboot.samples.snippets;

import java.io.StringReader;
import java.nio.file.Path;
import java.util.List;

import javax.xml.parsers.DocumentBuilderFactory;

import org.w3c.dom.Element;
import org.w3c.dom.Node;
import org.xml.sax.InputSource;

/**
 * A project of this build.
 *
 * @param pom text of its POM
 * @param springBoot version of Spring Boot, empty but for the parent of all
 */
record Project(String artifactId, String version, boolean isPom, String springBoot, String pom) {

	static List<Project> all() {
		return Snippet.files(Snippet.ROOT, "pom.xml").stream().map(Project::of).toList();
	}

	static Project of(Path file) {
		String pom = Snippet.read(file);
		Element project = parse(pom);
		String own = text(project, "version");
		String version = own.isEmpty() ? text(child(project, "parent"), "version") : own;
		return new Project(text(project, "artifactId"), version, text(project, "packaging").equals("pom"),
				text(child(project, "properties"), "spring-boot.version"), pom);
	}

	static Project of(String artifactId) {
		return all().stream()
			.filter((project) -> project.artifactId.equals(artifactId))
			.findFirst()
			.orElseThrow(() -> new AssertionError(artifactId + ": no artifact of this build"));
	}

	static Element parse(String pom) {
		try {
			return DocumentBuilderFactory.newInstance()
				.newDocumentBuilder()
				.parse(new InputSource(new StringReader(pom)))
				.getDocumentElement();
		}
		catch (Exception ex) {
			throw new AssertionError(pom, ex);
		}
	}

	/** Returns the text of a child, empty without one. */
	static String text(Node element, String name) {
		Node child = (element != null) ? child(element, name) : null;
		return (child != null) ? child.getTextContent().strip() : "";
	}

	private static Node child(Node element, String name) {
		for (Node each = element.getFirstChild(); each != null; each = each.getNextSibling()) {
			if (each.getNodeName().equals(name)) {
				return each;
			}
		}
		return null;
	}

}
