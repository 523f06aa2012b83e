package io.rpcboot.dashboard;

import java.io.IOException;

import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.actuate.endpoint.annotation.ReadOperation;
import org.springframework.boot.actuate.endpoint.annotation.Selector;
import org.springframework.boot.actuate.endpoint.annotation.Selector.Match;
import org.springframework.boot.actuate.endpoint.web.PathMappedEndpoints;
import org.springframework.boot.actuate.endpoint.web.WebEndpointResponse;
import org.springframework.boot.actuate.endpoint.web.annotation.WebEndpoint;
import org.springframework.core.io.Resource;

/**
 * The endpoint {@code rpcdashboard}: a page for browsers, with scripts and styles below
 * its own path. The page reads the endpoint {@code rpc}. Read-only.
 *
 * @since 0.1.0
 */
@WebEndpoint(id = "rpcdashboard")
public class RpcDashboardEndpoint {

	private final ObjectProvider<PathMappedEndpoints> paths;

	private final DashboardFiles files = new DashboardFiles();

	RpcDashboardEndpoint(ObjectProvider<PathMappedEndpoints> paths) {
		this.paths = paths;
	}

	/**
	 * Returns the page.
	 * @return HTML
	 * @throws IOException if the jar cannot be read
	 */
	@ReadOperation
	public WebEndpointResponse<Resource> page() throws IOException {
		return this.files.page(DashboardLinks.of(this.paths.getObject(), false));
	}

	/**
	 * Returns a file of the page.
	 * @param path the segments below that of the page; none or an empty one for a request
	 * of the page with a slash at the end
	 * @return the page, a script, a style or a picture, or 404
	 * @throws IOException if the jar cannot be read
	 */
	@ReadOperation
	public WebEndpointResponse<Resource> file(@Selector(match = Match.ALL_REMAINING) String[] path) throws IOException {
		String name = String.join("/", path);
		return name.isEmpty() ? this.files.page(DashboardLinks.of(this.paths.getObject(), true))
				: this.files.file(name);
	}

}
