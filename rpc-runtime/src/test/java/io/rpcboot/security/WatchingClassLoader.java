package io.rpcboot.security;

import java.io.IOException;
import java.io.InputStream;
import java.util.Set;
import java.util.concurrent.ConcurrentSkipListSet;

/**
 * Loads the project's classes anew and writes down every class that they ask for, whether
 * by a reference in their code or by a name.
 */
final class WatchingClassLoader extends ClassLoader {

	private final Set<String> requested = new ConcurrentSkipListSet<>();

	WatchingClassLoader(ClassLoader parent) {
		super(parent);
	}

	/** The classes that were asked for since this was asked last. */
	Set<String> takeRequested() {
		Set<String> taken = new ConcurrentSkipListSet<>(this.requested);
		this.requested.clear();
		return taken;
	}

	@Override
	protected Class<?> loadClass(String name, boolean resolve) throws ClassNotFoundException {
		this.requested.add(name);
		if (!name.startsWith("io.rpcboot.")) {
			return super.loadClass(name, resolve);
		}
		synchronized (getClassLoadingLock(name)) {
			Class<?> loaded = findLoadedClass(name);
			return (loaded != null) ? loaded : define(name);
		}
	}

	private Class<?> define(String name) throws ClassNotFoundException {
		try (InputStream in = getParent().getResourceAsStream(name.replace('.', '/') + ".class")) {
			if (in == null) {
				throw new ClassNotFoundException(name);
			}
			byte[] bytes = in.readAllBytes();
			return defineClass(name, bytes, 0, bytes.length);
		}
		catch (IOException ex) {
			throw new ClassNotFoundException(name, ex);
		}
	}

}
