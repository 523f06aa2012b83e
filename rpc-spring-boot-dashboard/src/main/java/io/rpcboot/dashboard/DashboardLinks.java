package io.rpcboot.dashboard;

import java.net.URI;
import java.net.URISyntaxException;

import org.jspecify.annotations.Nullable;

import org.springframework.boot.actuate.endpoint.EndpointId;
import org.springframework.boot.actuate.endpoint.web.PathMappedEndpoints;
import org.springframework.util.StringUtils;

/**
 * Links from the page to its files and its data, relative to the page, so that they are
 * valid behind any context path, servlet path or proxy.
 *
 * @param files prefix of file names, for example {@code rpcdashboard/}
 * @param data the endpoint {@code rpc}, empty if it is not exposed
 */
record DashboardLinks(String files, String data) {

	private static final EndpointId PAGE = EndpointId.of("rpcdashboard");

	private static final EndpointId DATA = EndpointId.of("rpc");

	static DashboardLinks of(PathMappedEndpoints endpoints, boolean slashAtEnd) {
		String page = endpoints.getRootPath(PAGE);
		return of((page != null) ? page : PAGE.toString(), endpoints.getRootPath(DATA), slashAtEnd);
	}

	/**
	 * Returns the links of a page.
	 * @param page path of the page below the base path of Actuator
	 * @param data path of the data there, null if it is not exposed
	 * @param slashAtEnd true if the browser requested the page with a slash at the end
	 */
	static DashboardLinks of(String page, @Nullable String data, boolean slashAtEnd) {
		String up = "../".repeat(StringUtils.countOccurrencesOf(page, "/") + (slashAtEnd ? 1 : 0));
		String files = slashAtEnd ? "" : page.substring(page.lastIndexOf('/') + 1) + "/";
		return new DashboardLinks(encode(files), (data != null) ? encode(up + data) : "");
	}

	private static String encode(String path) {
		try {
			return new URI(null, null, path, null).getRawPath();
		}
		catch (URISyntaxException ex) {
			throw new IllegalStateException("path: %s (expected: a path of a URL)".formatted(path), ex);
		}
	}

}
