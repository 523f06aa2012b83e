package io.rpcboot.benchmarks;

import java.util.List;

/**
 * One cell of the comparison of JSON: a method, and a protocol with 32 requests at a
 * time.
 *
 * @param method the method
 * @param body JSON of the request
 * @param http2 true for one connection with 32 streams, false for 32 connections of
 * HTTP/1.1
 */
record JsonCell(String method, String body, boolean http2) {

	static final int REQUESTS_AT_A_TIME = 32;

	static final List<JsonCell> ALL = List.of(new JsonCell("GetUser", "{\"id\":\"7\"}", false),
			new JsonCell("ListUser", "{\"pageNo\":1}", false), new JsonCell("GetUser", "{\"id\":\"7\"}", true),
			new JsonCell("ListUser", "{\"pageNo\":1}", true));

	String url(String port) {
		return "http://127.0.0.1:" + port + "/io.rpcboot.benchmarks.workload.BenchService/" + this.method;
	}

	@Override
	public String toString() {
		return this.method + (this.http2 ? ", HTTP/2, 32 streams" : ", HTTP/1.1, 32 connections");
	}

}
