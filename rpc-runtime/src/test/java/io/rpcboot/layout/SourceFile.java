package io.rpcboot.layout;

import java.net.URI;

import javax.tools.SimpleJavaFileObject;

/** A Java file for the compiler, whose text is known. */
final class SourceFile extends SimpleJavaFileObject {

	private final String text;

	SourceFile(String path, String text) {
		super(URI.create("string:///" + path), Kind.SOURCE);
		this.text = text;
	}

	@Override
	public CharSequence getCharContent(boolean ignoreEncodingErrors) {
		return this.text;
	}

}
