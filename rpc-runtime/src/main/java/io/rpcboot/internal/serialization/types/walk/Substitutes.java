package io.rpcboot.internal.serialization.types.walk;

import java.lang.reflect.Modifier;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

import org.jspecify.annotations.Nullable;

/**
 * Advice for common types that have no meaning in another process. Types are listed by
 * name, because most of them are absent, and include their subclasses.
 */
enum Substitutes {

	/** Stream of values. */
	STREAM("a stream is carried as the result of a method or its last parameter, as Flow.Publisher, Flux, RpcStream, Stream or Iterator",
			"Declare java.util.List, or let the method return or take the stream itself.",
			"reactor.core.publisher.Flux", "org.reactivestreams.Publisher", "java.util.concurrent.Flow$Publisher",
			"java.util.stream.BaseStream", "java.util.Iterator", "java.lang.Iterable", "java.util.Enumeration",
			"java.util.Spliterator", "kotlinx.coroutines.flow.Flow", "kotlin.sequences.Sequence"),

	/** Future value. */
	LATER("it says when a value comes, and is no value",
			"Declare java.util.concurrent.CompletableFuture or Mono as the result of the method, with the value as its type argument.",
			"reactor.core.publisher.Mono", "java.util.concurrent.Future", "java.util.concurrent.CompletionStage",
			"kotlinx.coroutines.Deferred"),

	/** Source of bytes. */
	BYTES("it reads from this process",
			"Declare byte[], which has to fit into max-frame-size, or java.io.InputStream as the result of the method or its last parameter.",
			"java.io.InputStream", "java.io.Reader", "org.springframework.core.io.InputStreamSource",
			"org.springframework.core.io.AbstractResource", "java.nio.channels.Channel"),

	/** Sink of bytes. */
	SINK("it writes into this process", "Declare byte[] as the result of the method, within max-frame-size.",
			"java.io.OutputStream", "java.io.Writer"),

	/** HTTP response. */
	RESPONSE("a call has a result, and neither a status of HTTP nor headers",
			"Declare the type of its body, and a declared exception for a failure.",
			"org.springframework.http.HttpEntity"),

	/** Resource of a process. */
	RESOURCE("it belongs to this process", "Make the field transient, or send a type without it.", "java.lang.Thread",
			"java.lang.ThreadGroup", "java.lang.Process", "java.lang.ClassLoader", "java.util.concurrent.Executor",
			"java.util.concurrent.locks.Lock", "java.util.logging.Logger", "org.slf4j.Logger",
			"org.apache.commons.logging.Log", "java.sql.Connection", "javax.sql.DataSource"),

	/** Code. */
	CODE("it is code, which stays in its process",
			"Declare the values that it takes or gives. A callback is a method of a service that the caller offers.",
			"java.lang.Runnable", "java.util.concurrent.Callable", "java.util.Comparator", "kotlin.Function"),

	/** Entry of a map. */
	ENTRY("an entry belongs to its map", "Declare a record of key and value, or java.util.Map.", "java.util.Map$Entry"),

	/** File or path. */
	PATH("it belongs to the file system of this process",
			"Declare java.lang.String, or byte[] for what the file holds.", "java.nio.file.Path", "java.io.File"),

	/**
	 * Message of protobuf, if the library is absent or the class is not a generated one.
	 */
	MESSAGE("it is a message of protobuf", "Declare a class that protoc has generated, and add the artifact rpc-grpc.",
			"com.google.protobuf.AbstractMessageLite", "com.google.protobuf.MessageLite"),

	/** JSON tree. */
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
	 * Finds the advice for a type that is not carried. Interfaces of a concrete class of
	 * the application do not count.
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
