package io.rpcboot.spring.serialization;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

import io.rpcboot.serialization.Delegate;
import io.rpcboot.serialization.PathException;
import org.jspecify.annotations.Nullable;

import org.springframework.core.io.buffer.DataBuffer;
import org.springframework.core.io.buffer.DataBufferUtils;
import org.springframework.core.io.buffer.DefaultDataBufferFactory;
import org.springframework.util.ClassUtils;
import org.springframework.util.LinkedMultiValueMap;
import org.springframework.util.MimeType;
import org.springframework.util.MultiValueMap;

/**
 * Delegates for types of Spring whose libraries are on the class path.
 *
 * @since 0.1.0
 */
public final class SpringTypes {

	private SpringTypes() {
	}

	/**
	 * Returns the delegates.
	 * @param loader loader of the class path, null for the loader of the thread
	 * @return one for each available type
	 */
	public static List<Delegate<?, ?>> delegates(@Nullable ClassLoader loader) {
		List<Delegate<?, ?>> delegates = new ArrayList<>();
		delegates.add(new Delegate<MultiValueMap<?, ?>, MultiValues<?, ?>>(MultiValueMap.class, MultiValues.class,
				SpringTypes::values, (surrogate) -> new LinkedMultiValueMap<>(surrogate.values())));
		delegates.add(new Delegate<>(MimeType.class, String.class, MimeType::toString, MimeType::valueOf));
		delegates.add(new Delegate<>(DataBuffer.class, byte[].class, SpringTypes::bytes, SpringTypes::buffer));
		if (ClassUtils.isPresent("org.springframework.http.HttpHeaders", loader)) {
			delegates.addAll(WebTypes.delegates());
		}
		if (ClassUtils.isPresent("org.springframework.data.domain.Pageable", loader)) {
			delegates.addAll(DataTypes.delegates());
		}
		return delegates;
	}

	/** Returns the bytes of a buffer, which is released: its owner has given it away. */
	private static byte[] bytes(DataBuffer buffer) {
		try {
			byte[] bytes = new byte[buffer.readableByteCount()];
			buffer.read(bytes);
			return bytes;
		}
		finally {
			DataBufferUtils.release(buffer);
		}
	}

	/** Returns a buffer on the heap, which nothing has to release. */
	private static DataBuffer buffer(byte[] bytes) {
		return DefaultDataBufferFactory.sharedInstance.wrap(bytes);
	}

	/**
	 * Rejects a map that ignores the case of its keys, because a
	 * {@code LinkedMultiValueMap} arrives, which does not.
	 */
	private static <K, V> MultiValues<K, V> values(MultiValueMap<K, V> map) {
		for (Object key : map.keySet()) {
			if (key instanceof String text && (isOther(map, text, text.toLowerCase(Locale.ROOT))
					|| isOther(map, text, text.toUpperCase(Locale.ROOT)))) {
				throw new PathException(
						"a %s that ignores the case of its keys (expected: one that does not; declare HttpHeaders)"
							.formatted(map.getClass().getTypeName()));
			}
		}
		return new MultiValues<>(new LinkedHashMap<>(map));
	}

	/** Returns true if another text finds the values of a key. */
	private static boolean isOther(Map<?, ?> map, String key, String other) {
		return !other.equals(key) && map.get(other) != null && map.get(other) == map.get(key);
	}

	/**
	 * Surrogate of a {@link MultiValueMap}.
	 *
	 * @param <K> the type of the keys
	 * @param <V> the type of the values
	 * @param values by key, in their order
	 */
	public record MultiValues<K extends @Nullable Object, V extends @Nullable Object>(Map<K, List<V>> values) {
	}

}
