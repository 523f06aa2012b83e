package io.rpcboot.dashboard;

import java.util.List;

import org.junit.jupiter.api.Test;

import org.springframework.beans.factory.support.StaticListableBeanFactory;
import org.springframework.boot.actuate.endpoint.web.PathMappedEndpoints;

import static org.assertj.core.api.Assertions.assertThat;

class DashboardHeadersTests {

	/** All requests ask for headers, whether there is a page or not. */
	@Test
	void headers_areEmpty_withoutExposedPage() {
		StaticListableBeanFactory beans = new StaticListableBeanFactory();
		beans.addBean("paths", new PathMappedEndpoints("/actuator", List.of()));
		DashboardHeaders headers = new DashboardHeaders(beans.getBeanProvider(PathMappedEndpoints.class));
		assertThat(headers.of("/actuator/health")).isEmpty();
		assertThat(headers.of("/actuator/rpcdashboard")).isEmpty();
	}

}
