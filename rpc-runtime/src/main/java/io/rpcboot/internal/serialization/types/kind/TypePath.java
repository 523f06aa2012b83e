package io.rpcboot.internal.serialization.types.kind;

import io.rpcboot.serialization.TypeOptions;
import io.rpcboot.serialization.UnsupportedTypeException;

/**
 * Where in a contract a type stands.
 *
 * @param method the method, with its service
 * @param path from the argument, the result or the exception to the field
 * @param options of the application
 */
public record TypePath(String method, String path, TypeOptions options) {

	public TypePath field(String name) {
		return element("." + name);
	}

	public TypePath element(String step) {
		return new TypePath(this.method, this.path + step, this.options);
	}

	public UnsupportedTypeException refuse(String type, String reason, String action) {
		return new UnsupportedTypeException(
				"%s: %s: %s cannot be carried: %s".formatted(this.method, this.path, type, reason), action);
	}

	public UnsupportedTypeException refuse(Class<?> type, String reason, String action) {
		return refuse(type.getTypeName(), reason, action);
	}

}
