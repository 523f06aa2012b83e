package io.rpcboot.benchmarks.workload;

import com.fasterxml.jackson.annotation.JsonFormat;
import com.fasterxml.jackson.annotation.JsonPropertyOrder;

/**
 * Mixin by which Jackson writes a {@link User} as the JSON of protobuf has it. The
 * library is there only in processes that use it.
 */
@JsonPropertyOrder({ "id", "name", "sex", "birthday", "email", "mobile", "address", "icon", "status", "createTime",
		"updateTime", "permissions" })
public interface UserJson {

	/**
	 * A text, because JavaScript has no 64 bits.
	 * @return of the user
	 */
	@JsonFormat(shape = JsonFormat.Shape.STRING)
	long getId();

	/**
	 * Mixin for a {@link Page}.
	 */
	@JsonPropertyOrder({ "pageNo", "total", "result" })
	interface OfPage {

	}

}
