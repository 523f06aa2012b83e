package io.rpcboot.internal.serialization.types.kind;

import io.rpcboot.serialization.TypeOptions;
import io.rpcboot.serialization.UnsupportedTypeException;

/**
 * Path to a type in a contract, for messages.
 *
 * @param method method with its service
 * @param path path from the argument, the result or the exception to the field
 * @param options type options of the application
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
				"%s: %s: %s cannot be sent: %s".formatted(this.method, this.path, type, reason), action);
	}

	public UnsupportedTypeException refuse(Class<?> type, String reason, String action) {
		return refuse(type.getTypeName(), reason, action);
	}

}
