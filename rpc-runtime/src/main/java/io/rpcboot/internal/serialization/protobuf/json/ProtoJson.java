package io.rpcboot.internal.serialization.protobuf.json;

import java.util.Collection;
import java.util.Map;

import io.rpcboot.internal.serialization.json.JsonStreams;
import io.rpcboot.serialization.MethodCodec;
import io.rpcboot.serialization.OutputBuffer;
import io.rpcboot.serialization.ProtoDescriptor;
import org.jspecify.annotations.Nullable;

/**
 * Messages of files in JSON. Thread-safe.
 *
 * <pre class="code">
 * ProtoJson json = ProtoJson.of(files, false, 4 &lt;&lt; 20);
 * MethodCodec codec = json.method("acme.Users", "Find", protobuf);
 * </pre>
 */
public final class ProtoJson {

	private final Map<String, MessageType> messages;

	private final boolean ignoresUnknownFields;

	/** Null before the first message, because Jackson may not be there. */
	private @Nullable JsonTypes types;

	private final Map<String, DescriptorReader.Signature> methods;

	private final OutputBuffer.Pool buffers;

	private ProtoJson(DescriptorReader files, boolean ignoresUnknownFields, int maxBytes) {
		this.messages = files.messages();
		this.ignoresUnknownFields = ignoresUnknownFields;
		this.methods = files.methods();
		this.buffers = new OutputBuffer.Pool(maxBytes);
	}

	/**
	 * Reads files.
	 * @param files files, whose imports are read, too
	 * @param ignoresUnknownFields true to ignore properties and constants in JSON that
	 * the files lack, false to refuse them
	 * @param maxBytes largest length in protobuf of the message of a method
	 * @throws IllegalArgumentException if a file names a type that no file has
	 */
	public static ProtoJson of(Collection<ProtoDescriptor> files, boolean ignoresUnknownFields, int maxBytes) {
		DescriptorReader reader = new DescriptorReader();
		reader.read(files);
		return new ProtoJson(reader, ignoresUnknownFields, maxBytes);
	}

	/**
	 * Returns the codec of a method whose messages are JSON.
	 * @param service full name of the service
	 * @param method name of the method in the file
	 * @param protobuf codec of the method in protobuf, which also has its exceptions
	 * @throws IllegalArgumentException if no file has the method
	 */
	public MethodCodec method(String service, String method, MethodCodec protobuf) {
		String name = service + "/" + method;
		DescriptorReader.Signature signature = signature(name);
		return new JsonMethodCodec(name, message(signature.request()), message(signature.response()), protobuf,
				this.buffers);
	}

	private DescriptorReader.Signature signature(String name) {
		DescriptorReader.Signature signature = this.methods.get(name);
		if (signature == null) {
			throw new IllegalArgumentException(name + " (expected: a method of the files)");
		}
		return signature;
	}

	/**
	 * Returns the request of a method, with a value for each field.
	 * @throws IllegalArgumentException if no file has the method
	 */
	public String exampleOf(String service, String method) {
		return JsonExample.of(type(signature(service + "/" + method).request()));
	}

	/**
	 * Returns true if the file of a method declares that it has no side effects.
	 * @param service full name of the service
	 * @param method name of the method in the file
	 */
	public boolean isSafe(String service, String method) {
		DescriptorReader.Signature signature = this.methods.get(service + "/" + method);
		return signature != null && signature.isSafe();
	}

	/**
	 * Returns a message.
	 * @param fullName full name of its type, such as {@code acme.User}
	 * @throws IllegalArgumentException if no file has the type
	 */
	public JsonMessage message(String fullName) {
		return new JsonMessage(types(), type(fullName));
	}

	private MessageType type(String fullName) {
		MessageType type = this.messages.get(fullName);
		if (type == null) {
			throw new IllegalArgumentException(fullName + " (expected: a message of the files)");
		}
		return type;
	}

	private synchronized JsonTypes types() {
		JsonTypes known = this.types;
		if (known == null) {
			known = new JsonTypes(this.messages, new JsonStreams(), this.ignoresUnknownFields);
			this.types = known;
		}
		return known;
	}

}
