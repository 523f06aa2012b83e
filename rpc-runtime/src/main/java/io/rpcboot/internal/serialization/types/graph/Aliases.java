package io.rpcboot.internal.serialization.types.graph;

import java.lang.reflect.AnnotatedElement;
import java.util.List;

import io.rpcboot.RpcAlias;

/**
 * Reads the former names of a type, field, constant or method.
 */
public final class Aliases {

	private Aliases() {
	}

	public static List<String> of(AnnotatedElement element) {
		RpcAlias alias = element.getAnnotation(RpcAlias.class);
		return (alias != null) ? List.of(alias.value()) : List.of();
	}

}
