package io.rpcboot.dashboard;

import java.util.Map;

import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.actuate.endpoint.EndpointId;
import org.springframework.boot.actuate.endpoint.web.PathMappedEndpoints;
import org.springframework.util.function.SingletonSupplier;

/** HTTP headers of the page and its files, which an endpoint cannot set itself. */
final class DashboardHeaders {

	/**
	 * Policy by which the browser loads from and connects to this server only, runs no
	 * inline script, and throws if a script turns text into markup.
	 */
	static final String CONTENT_SECURITY_POLICY = "default-src 'none'; script-src 'self'; style-src 'self'; "
			+ "img-src 'self'; connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'self'; "
			+ "require-trusted-types-for 'script'; trusted-types 'none'";

	private static final EndpointId PAGE = EndpointId.of("rpcdashboard");

	private static final Map<String, String> HEADERS = Map.of("Content-Security-Policy", CONTENT_SECURITY_POLICY,
			"X-Content-Type-Options", "nosniff", "Referrer-Policy", "no-referrer", "Cache-Control", "no-cache");

	/** Supplies the path of the page; null if it is not exposed over the web. */
	private final SingletonSupplier<String> page;

	DashboardHeaders(ObjectProvider<PathMappedEndpoints> paths) {
		this.page = SingletonSupplier.of(() -> paths.getObject().getPath(PAGE));
	}

	/**
	 * Returns the headers of a response.
	 * @param path the requested path, within the application
	 * @return empty for other paths than the dashboard's
	 */
	Map<String, String> of(String path) {
		String page = this.page.get();
		boolean isPage = page != null && (path.equals(page) || path.startsWith(page + "/"));
		return isPage ? HEADERS : Map.of();
	}

}
