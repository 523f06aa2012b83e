package com.acme;

import java.util.List;

import org.springframework.boot.context.properties.ConfigurationProperties;

/** Of an application that has chosen a name beside ours. */
@ConfigurationProperties("rpc.gateway")
public record GatewayProperties(String api_key, List<Route> routes) {

	public record Route(String url, String password) {
	}

}
