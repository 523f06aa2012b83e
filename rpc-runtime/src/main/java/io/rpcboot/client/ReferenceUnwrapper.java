package io.rpcboot.client;

import java.util.ServiceLoader;

import org.jspecify.annotations.Nullable;

/**
 * Looks through the proxies that a framework puts around references, such as those of
 * aspects. {@link ServiceLoader} finds implementations. A proxy of one's own needs none:
 * it has a {@link ReferenceWrapper}.
 *
 * @since 0.1.0
 */
public interface ReferenceUnwrapper {

	/**
	 * Returns the object behind a proxy.
	 * @param proxy a proxy or another object
	 * @return a reference or another proxy; null for an object of another kind
	 */
	@Nullable Object unwrap(Object proxy);

}
