package io.rpcboot.serialization;

import java.util.ServiceLoader;
import java.util.function.Supplier;

import org.jspecify.annotations.Nullable;

/**
 * Class that a library has generated for a message of protobuf. Over gRPC its instances
 * are messages themselves, also as the only parameter or the result of a method. In other
 * formats they are their bytes, under the name of the message.
 *
 * @param name full name of the message, such as {@code acme.users.v1.User}
 * @param delegate writes and reads the bytes of instances
 * @param file returns the file that declares the message; throws
 * {@link io.rpcboot.RpcConfigurationException} if it is not known
 * @since 0.1.0
 */
public record GeneratedMessage(String name, Delegate<?, byte[]> delegate, Supplier<ProtoDescriptor> file) {

	/**
	 * Returns the message of a class, as an implementation of {@link Library} knows it.
	 * @param type any class
	 * @return null if the class is not generated
	 */
	public static @Nullable GeneratedMessage find(Class<?> type) {
		for (Library each : Libraries.ALL) {
			GeneratedMessage found = each.find(type);
			if (found != null) {
				return found;
			}
		}
		return null;
	}

	/**
	 * Library that generates messages. {@link ServiceLoader} finds implementations.
	 */
	public interface Library {

		/**
		 * Returns the message of a class.
		 * @param type any class
		 * @return null if the library has not generated the class
		 */
		@Nullable GeneratedMessage find(Class<?> type);

	}

	/** Loads the libraries at the first type. */
	private static final class Libraries {

		static final Iterable<Library> ALL = ServiceLoader.load(Library.class, Library.class.getClassLoader())
			.stream()
			.map(ServiceLoader.Provider::get)
			.toList();

	}

}
