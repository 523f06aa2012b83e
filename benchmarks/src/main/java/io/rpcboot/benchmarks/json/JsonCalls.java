package io.rpcboot.benchmarks.json;

import java.io.IOException;
import java.io.InputStream;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufInputStream;
import io.rpcboot.benchmarks.workload.BenchService;
import io.rpcboot.benchmarks.workload.FixedBenchService;
import io.rpcboot.benchmarks.workload.Page;
import io.rpcboot.benchmarks.workload.User;
import io.rpcboot.benchmarks.workload.UserJson;
import tools.jackson.databind.ObjectReader;
import tools.jackson.databind.json.JsonMapper;

/**
 * The two methods, from JSON to JSON. Thread-safe.
 */
final class JsonCalls {

	private static final String PATH = "/io.rpcboot.benchmarks.workload.BenchService/";

	private final BenchService service = new FixedBenchService();

	private final JsonMapper mapper = JsonMapper.builder()
		.addMixIn(User.class, UserJson.class)
		.addMixIn(Page.class, UserJson.OfPage.class)
		.build();

	private final ObjectReader getUser = this.mapper.readerFor(GetUser.class);

	private final ObjectReader listUser = this.mapper.readerFor(ListUser.class);

	/**
	 * Makes a call.
	 * @param path of the request
	 * @param body JSON of the request
	 * @return JSON of the response
	 */
	byte[] call(CharSequence path, ByteBuf body) throws IOException {
		try (InputStream json = new ByteBufInputStream(body)) {
			return this.mapper.writeValueAsBytes(new Value<>(switch (path.toString()) {
				case PATH + "GetUser" -> this.service.getUser(this.getUser.<GetUser>readValue(json).id());
				case PATH + "ListUser" -> this.service.listUser(this.listUser.<ListUser>readValue(json).pageNo());
				default -> throw new IllegalArgumentException("path: " + path);
			}));
		}
	}

	record GetUser(long id) {

	}

	record ListUser(int pageNo) {

	}

	record Value<T>(T value) {

	}

}
