package io.rpcboot.internal.serialization.types.walk;

import java.lang.reflect.Modifier;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

import org.jspecify.annotations.Nullable;

/**
 * What to declare in place of types that many try and that have no meaning in another
 * process. By the names of classes, most of which are not there, and for the subclasses
 * of each.
 */
enum Substitutes {

	/** Many values, one after the other. */
	STREAM("a call has one result, and no stream of them", "Declare java.util.List; there is no streaming yet.",
			"reactor.core.publisher.Flux", "org.reactivestreams.Publisher", "java.util.concurrent.Flow$Publisher",
			"java.util.stream.BaseStream", "java.util.Iterator", "java.lang.Iterable", "java.util.Enumeration",
			"java.util.Spliterator", "kotlinx.coroutines.flow.Flow"),

	/** A value that comes later. */
	LATER("it says when a value comes, and is no value",
			"Declare java.util.concurrent.CompletableFuture as the result of the method, with the value as its type argument.",
			"reactor.core.publisher.Mono", "java.util.concurrent.Future", "java.util.concurrent.CompletionStage",
			"kotlinx.coroutines.Deferred"),

	/** Bytes that are read from elsewhere. */
	BYTES("it reads from this process", "Declare byte[], which has to fit into max-frame-size.", "java.io.InputStream",
			"java.io.Reader", "org.springframework.core.io.InputStreamSource",
			"org.springframework.core.io.AbstractResource", "java.nio.channels.Channel"),

	/** Where bytes are written to. */
	SINK("it writes into this process", "Declare byte[] as the result of the method, within max-frame-size.",
			"java.io.OutputStream", "java.io.Writer"),

	/** A response of HTTP. */
	RESPONSE("a call has a result, and neither a status of HTTP nor headers",
			"Declare the type of its body, and a declared exception for a failure.",
			"org.springframework.http.HttpEntity"),

	/** Something to run. */
	CODE("it is code, which stays in its process",
			"Declare the values that it takes or gives. A callback is a method of a service that the caller offers.",
			"java.lang.Runnable", "java.util.concurrent.Callable", "java.util.Comparator", "kotlin.Function"),

	/** A key and its value. */
	ENTRY("an entry belongs to its map", "Declare a record of key and value, or java.util.Map.", "java.util.Map$Entry"),

	/** A name in the file system. */
	PATH("it belongs to the file system of this process",
			"Declare java.lang.String, or byte[] for what the file holds.", "java.nio.file.Path", "java.io.File"),

	/** JSON of any form. */
	JSON("it says nothing of what arrives",
			"Declare java.util.Map<String, Object>, or java.lang.String with the text of the JSON.",
			"tools.jackson.core.TreeNode", "com.fasterxml.jackson.core.TreeNode", "tools.jackson.databind.JsonNode",
			"com.fasterxml.jackson.databind.JsonNode", "com.google.gson.JsonElement", "jakarta.json.JsonValue");

	private static final String FUNCTIONS = "java.util.function.";

	private static final Map<String, Substitutes> ALL = all();

	private final String reason;

	private final String action;

	private final List<String> types;

	Substitutes(String reason, String action, String... types) {
		this.reason = reason;
		this.action = action;
		this.types = List.of(types);
	}

	private static Map<String, Substitutes> all() {
		Map<String, Substitutes> all = new LinkedHashMap<>();
		for (Substitutes each : values()) {
			each.types.forEach((type) -> all.put(type, each));
		}
		return all;
	}

	/**
	 * The substitute for a type that is not carried. A class of the application is not
	 * meant by what it implements beside its own.
	 * @return null if there is none
	 */
	static @Nullable Substitutes of(Class<?> type) {
		boolean isOwnClass = !ClassFields.isPlatform(type) && !Modifier.isAbstract(type.getModifiers());
		List<Class<?>> types = new ArrayList<>(List.of(type));
		for (int i = 0; i < types.size(); i++) {
			Class<?> each = types.get(i);
			Substitutes found = each.getName().startsWith(FUNCTIONS) ? CODE : ALL.get(each.getName());
			if (found != null) {
				return found;
			}
			if (each.getSuperclass() != null) {
				types.add(each.getSuperclass());
			}
			if (!isOwnClass) {
				types.addAll(Arrays.asList(each.getInterfaces()));
			}
		}
		return null;
	}

	String reason() {
		return this.reason;
	}

	String action() {
		return this.action;
	}

}
